// Fields of a floating-point number. Combinational. A unit of 64 bits takes both widths: the
// significand of a 32-bit number stands at the top of the 53 bits.
module acis_fp_unpack #(
  parameter int unsigned Width = 32,                   // 32, or 64 for both widths
  localparam int unsigned Sig  = (Width == 64) ? 53 : 24,
  localparam int unsigned Exp  = (Width == 64) ? 13 : 10
) (
  input  logic [Width-1:0]      bits_i,
  input  logic                  is64_i,
  output logic                  sign_o,
  output logic signed [Exp-1:0] exp_o,   // weight of the first bit of the significand
  output logic [Exp-1:0]        field_o, // the same with the bias, which is there earlier
  output logic [Sig-1:0]        sig_o,   // first bit 0: subnormal or zero
  output logic                  zero_o,
  output logic                  inf_o,
  output logic                  nan_o
);
  logic [Exp-1:0] field, bias;
  logic hidden, last, empty;
  if (Width == 64) begin : g_64
    assign sign_o = is64_i ? bits_i[63] : bits_i[31];
    assign field = is64_i ? Exp'(bits_i[62:52]) : Exp'(bits_i[30:23]);
    assign bias = is64_i ? Exp'(1023) : Exp'(127);
    assign sig_o = {hidden, is64_i ? bits_i[51:0] : {bits_i[22:0], 29'd0}};
    assign last = is64_i ? &bits_i[62:52] : &bits_i[30:23];
  end else begin : g_32
    assign sign_o = bits_i[31];
    assign field = Exp'(bits_i[30:23]);
    assign bias = Exp'(127);
    assign sig_o = {hidden, bits_i[22:0]};
    assign last = &bits_i[30:23];
    logic unused;
    assign unused = is64_i;
  end
  assign hidden = field != '0;
  assign empty = sig_o[Sig-2:0] == '0;
  // The field of a subnormal number is 0 and counts as 1.
  assign field_o = field | Exp'(!hidden);
  assign exp_o = $signed(field_o - bias);
  assign zero_o = !hidden && empty;
  assign inf_o = last && empty;
  assign nan_o = last && !empty;
endmodule
