// The big-endian 16-bit words of a beat added up, without folding; a tree.
module acis_beat_sum #(
  parameter int unsigned Bytes = 64   // a power of two
) (
  input  logic [Bytes*8-1:0] data_i,
  output logic [31:0]        sum_o
);
  localparam int unsigned Words = Bytes / 2;
  always_comb begin
    logic [31:0] words[Words];
    for (int w = 0; w < int'(Words); ++w)
      words[w] = {16'd0, data_i[w*16 +: 8], data_i[w*16+8 +: 8]};
    for (int half = int'(Words) / 2; half >= 1; half /= 2)
      for (int w = 0; w < half; ++w)
        words[w] = words[w] + words[w + half];
    sum_o = words[0];
  end
endmodule
