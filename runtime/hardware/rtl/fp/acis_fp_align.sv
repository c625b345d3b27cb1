// A significand, and zeros behind it, shifted to the exponent of another: bits that leave stay in
// the last one, as something that is not 0 (sticky). Combinational.
//
// Whether any is lost comes from acis_fp_lost.
module acis_fp_align #(
  parameter int unsigned Sig      = 24,
  parameter int unsigned Behind   = 3,
  parameter int unsigned Distance = 10
) (
  input  logic [Sig-1:0]        sig_i,
  input  logic                  lost_i,
  input  logic [Distance-1:0]   right_i,
  output logic [Sig+Behind-1:0] sig_o
);
  localparam int unsigned Bits = Sig + Behind;
  localparam int unsigned Near = $clog2(Bits + 1);
  logic far;
  assign far = right_i[Distance-1:Near] != '0;
  assign sig_o = (far ? '0 : {sig_i, Behind'(0)} >> right_i[Near-1:0]) | Bits'(lost_i);
endmodule
