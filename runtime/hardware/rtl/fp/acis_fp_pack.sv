// Rounds a normalised significand to the nearest even and packs the number. Combinational.
//
// The first bit of sig_i is 1 for normal results; then field_i is the biased exponent. It is 0
// for subnormal ones, whose bits stand where they belong. A carry out of the fraction goes
// into the exponent, which makes the smallest normal number or infinity where that is right.
module acis_fp_pack
  import acis_fu_pkg::*;
#(
  parameter int unsigned Width = 32,
  parameter int unsigned Bits  = 32,                   // of sig_i; the last one is sticky
  localparam int unsigned Exp  = (Width == 64) ? 13 : 10
) (
  input  logic             sign_i,
  input  logic [Exp-1:0]   field_i,
  input  logic [Bits-1:0]  sig_i,
  input  special_e         special_i,
  input  logic             is64_i,
  output logic [Width-1:0] bits_o
);
  // The number without its sign, with a bit more for exponents that are too large.
  localparam int unsigned Wider = (Width == 64) ? 64 : 32;
  logic [Wider-1:0] kept, rounded;
  logic guard, sticky, up, overflow;
  logic [Exp-2:0] field;
  assign field = sig_i[Bits-1] ? field_i[Exp-2:0] : '0;

  if (Width == 64) begin : g_64
    assign kept = is64_i ? {field, sig_i[Bits-2 -: 52]} : {29'd0, field, sig_i[Bits-2 -: 23]};
    assign guard = is64_i ? sig_i[Bits-54] : sig_i[Bits-25];
    assign sticky = is64_i ? |sig_i[Bits-55:0] : |sig_i[Bits-26:0];
    assign overflow = is64_i ? rounded[63:52] >= 12'd2047 : rounded[34:23] >= 12'd255;
  end else begin : g_32
    assign kept = {field, sig_i[Bits-2 -: 23]};
    assign guard = sig_i[Bits-25];
    assign sticky = |sig_i[Bits-26:0];
    assign overflow = rounded[31:23] >= 9'd255;
  end
  assign up = guard & (sticky | kept[0]);
  assign rounded = kept + Wider'(up);

  always_comb begin
    logic [Width-1:0] magnitude;
    logic sign;
    special_e kind;
    kind = (special_i == SpecialNone && overflow) ? SpecialInf : special_i;
    sign = sign_i && kind != SpecialNan;
    unique case (kind)
      SpecialNone: magnitude = Width'(rounded);
      SpecialZero: magnitude = '0;
      SpecialInf: magnitude = is64_i ? Width'(64'h7ff0_0000_0000_0000) : Width'(32'h7f80_0000);
      default: magnitude = is64_i ? Width'(64'h7ff8_0000_0000_0000) : Width'(32'h7fc0_0000);
    endcase
    bits_o = magnitude;
    if (Width == 64 && is64_i)
      bits_o[Width-1] = sign;
    else
      bits_o[31] = sign;
  end

  logic unused;
  assign unused = field_i[Exp-1];
endmodule
