// A significand shifted to the exponent of another: bits that leave it stay in its last one,
// as something that is not 0 (sticky).
module acis_fp_align #(
  parameter int unsigned Bits     = 27,
  parameter int unsigned Distance = 10
) (
  input  logic [Bits-1:0]     sig_i,
  input  logic [Distance-1:0] right_i,
  output logic [Bits-1:0]     sig_o
);
  logic lost;
  assign lost = (sig_i & ~({Bits{1'b1}} << right_i)) != '0;
  assign sig_o = (sig_i >> right_i) | Bits'(lost);
endmodule
