// A shift to the right, and whether a 1 was lost in it. Combinational: the longest distance first, so
// that what it loses is known while the others shift; a mask of all bits that are lost would come
// behind the distance.
module acis_fp_jam #(
  parameter int unsigned Bits     = 48,
  parameter int unsigned Distance = $clog2(Bits + 1)
) (
  input  logic [Bits-1:0]     sig_i,
  input  logic [Distance-1:0] right_i,
  output logic [Bits-1:0]     sig_o,
  output logic                lost_o
);
  logic [Distance-1:0] lost;
  always_comb begin
    sig_o = sig_i;
    for (int k = int'(Distance) - 1; k >= 0; --k) begin
      lost[k] = right_i[k] && (sig_o & ~({Bits{1'b1}} << (1 << k))) != '0;
      if (right_i[k])
        sig_o = sig_o >> (1 << k);
    end
  end
  assign lost_o = lost != '0;
endmodule
