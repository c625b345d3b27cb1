// Zeros at the end of a significand, for acis_fp_align. Combinational.
module acis_fp_ctz #(
  parameter int unsigned Bits     = 24,
  parameter int unsigned Distance = 10
) (
  input  logic [Bits-1:0]     sig_i,
  output logic [Distance-1:0] zeros_o    // the largest number if there is no 1
);
  logic [Bits-1:0] reversed;
  always_comb
    for (int unsigned b = 0; b < Bits; ++b)
      reversed[b] = sig_i[Bits-1-b];
  acis_lzc #(.Width(Bits), .CountBits(Distance), .None('1)) u_lzc
    (.bits_i(reversed), .count_o(zeros_o));
endmodule
