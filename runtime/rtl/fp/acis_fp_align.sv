// A significand, and zeros behind it, shifted to the exponent of another: bits that leave stay in
// the last one, as something that is not 0 (sticky). Combinational.
//
// Whether any is lost follows from the zeros at the end of the significand (acis_fp_ctz), which
// are known before the distance is: a comparison instead of a mask and an OR of all bits.
module acis_fp_align #(
  parameter int unsigned Sig      = 24,
  parameter int unsigned Behind   = 3,
  parameter int unsigned Distance = 10
) (
  input  logic [Sig-1:0]        sig_i,
  input  logic [Distance-1:0]   zeros_i,
  input  logic [Distance-1:0]   right_i,
  output logic [Sig+Behind-1:0] sig_o
);
  localparam int unsigned Bits = Sig + Behind;
  localparam int unsigned Near = $clog2(Bits + 1);
  logic lost, far;
  assign lost = {1'b0, right_i} > {1'b0, zeros_i} + (Distance + 1)'(Behind);
  assign far = right_i[Distance-1:Near] != '0;
  assign sig_o = (far ? '0 : {sig_i, Behind'(0)} >> right_i[Near-1:0]) | Bits'(lost);
endmodule
