// Whether a significand, with zeros behind it, loses bits when it is shifted to the right, for
// acis_fp_align: a comparison with the zeros at its end, instead of a mask and an OR of all bits
// behind the shifter. Combinational.
module acis_fp_lost #(
  parameter int unsigned Bits     = 24,
  parameter int unsigned Behind   = 3,     // zeros behind it
  parameter int unsigned Distance = 10
) (
  input  logic [Bits-1:0]     sig_i,
  input  logic [Distance-1:0] right_i,
  output logic                lost_o
);
  logic [Bits-1:0] reversed;
  logic [Distance-1:0] zeros;            // the largest number if there is no 1
  always_comb
    for (int unsigned b = 0; b < Bits; ++b)
      reversed[b] = sig_i[Bits-1-b];
  acis_lzc #(.Width(Bits), .CountBits(Distance), .None('1)) u_lzc
    (.bits_i(reversed), .count_o(zeros));
  // The distance is there before the zeros are.
  logic signed [Distance:0] over;
  assign over = $signed({1'b0, right_i}) - (Distance + 1)'(Behind);
  assign lost_o = over > $signed({1'b0, zeros});
endmodule
