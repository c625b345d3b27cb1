// Leading zeros of a word, None if it is 0. Combinational: a tree of pairs, so that the depth is
// the logarithm of the width.
module acis_lzc #(
  parameter int unsigned Width     = 8,
  parameter int unsigned CountBits = $clog2(Width + 1),
  parameter logic [CountBits-1:0] None = CountBits'(Width)
) (
  input  logic [Width-1:0]     bits_i,
  output logic [CountBits-1:0] count_o
);
  localparam int unsigned Levels = $clog2(Width);
  localparam int unsigned Leaves = 1 << Levels;
  logic [Leaves-1:0] padded;
  always_comb begin
    padded = '0;
    padded[Leaves-1 -: Width] = bits_i;
  end

  // Level l has nodes of 2^l bits, the first bits of the word in the node of largest number.
  for (genvar l = 0; l <= Levels; ++l) begin : g_level
    localparam int unsigned Nodes = Leaves >> l;
    logic [Nodes-1:0] any;
    logic [Nodes-1:0][Levels:0] zeros;
    if (l == 0) begin : g_leaf
      assign any = padded;
      assign zeros = '0;
    end else begin : g_pair
      always_comb
        for (int unsigned n = 0; n < Nodes; ++n) begin
          any[n] = g_level[l-1].any[2*n+1] | g_level[l-1].any[2*n];
          zeros[n] = g_level[l-1].any[2*n+1] ? g_level[l-1].zeros[2*n+1]
                   : g_level[l-1].zeros[2*n] | (Levels + 1)'(1 << (l - 1));
        end
    end
  end
  assign count_o = g_level[Levels].any[0] ? CountBits'(g_level[Levels].zeros[0]) : None;
endmodule
