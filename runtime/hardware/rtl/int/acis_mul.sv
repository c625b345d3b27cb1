// Unsigned product in two steps with registers in between, cut into what one DSP48E2 takes
// (26 by 17 bits unsigned): first the partial products, then rows of them, then their sum.
module acis_mul #(
  parameter int unsigned WidthA = 32,
  parameter int unsigned WidthB = 32,
  parameter int unsigned WidthO = WidthA + WidthB,  // low bits of the product
  parameter int unsigned Regs1  = 0,                // registers behind the partial products
  parameter int unsigned Regs2  = 0                 // and behind the rows
) (
  input  logic              clk_i,
  input  logic              en_i,
  input  logic [WidthA-1:0] a_i,
  input  logic [WidthB-1:0] b_i,
  output logic [WidthO-1:0] product_o
);
  localparam int unsigned ChunkA = 26;
  localparam int unsigned ChunkB = 17;
  localparam int unsigned Rows = (WidthA + ChunkA - 1) / ChunkA;
  localparam int unsigned Cols = (WidthB + ChunkB - 1) / ChunkB;
  localparam int unsigned Part = ChunkA + ChunkB;

  logic [Rows*ChunkA-1:0] a;
  logic [Cols*ChunkB-1:0] b;
  logic [Rows-1:0][Cols-1:0][Part-1:0] part_d, part_q;
  logic [Rows-1:0][WidthO-1:0] row_d, row_q;

  assign a = (Rows * ChunkA)'(a_i);
  assign b = (Cols * ChunkB)'(b_i);

  for (genvar r = 0; r < Rows; ++r) begin : g_row
    for (genvar c = 0; c < Cols; ++c) begin : g_col
      if (r * ChunkA + c * ChunkB < WidthO) begin : g_part
        assign part_d[r][c] = a[r*ChunkA +: ChunkA] * b[c*ChunkB +: ChunkB];
      end else begin : g_none
        assign part_d[r][c] = '0;
      end
    end
  end

  always_comb begin
    row_d = '0;
    for (int unsigned r = 0; r < Rows; ++r)
      for (int unsigned c = 0; c < Cols; ++c)
        row_d[r] = row_d[r] + (WidthO'(part_q[r][c]) << (r * ChunkA + c * ChunkB));
    product_o = '0;
    for (int unsigned r = 0; r < Rows; ++r)
      product_o = product_o + row_q[r];
  end

  acis_pipe #(.Width(Rows * Cols * Part), .Depth(Regs1)) u_parts
    (.clk_i, .en_i, .d_i(part_d), .q_o(part_q));
  acis_pipe #(.Width(Rows * WidthO), .Depth(Regs2)) u_rows
    (.clk_i, .en_i, .d_i(row_d), .q_o(row_q));
endmodule
