// A FIFO in a block of memory, with the cycles of acis_fifo: for descriptors that are wide and many, which
// distributed memory of sixteen words a table would take a LUT or more for each bit of. What stands in front next
// is read at the edge before; what comes into the place that is read is kept beside the memory.
`include "acis_assert.svh"

module acis_block_fifo #(
  parameter int unsigned Width = 1,
  parameter int unsigned Depth = 64
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             in_valid_i,
  output logic             in_ready_o,
  input  logic [Width-1:0] in_data_i,
  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [Width-1:0] out_data_o
);
  localparam int unsigned PlaceBits = $clog2(Depth);
  localparam int unsigned FillBits = $clog2(Depth + 1);
  logic [PlaceBits-1:0] put_q, get_q, get;
  logic [FillBits-1:0] fill_q;
  logic puts, gets, passes, passes_q;
  logic [Width-1:0] passed_q, found;

  function automatic logic [PlaceBits-1:0] after(logic [PlaceBits-1:0] place);
    return place == PlaceBits'(Depth - 1) ? '0 : place + 1'b1;
  endfunction

  assign in_ready_o = fill_q != FillBits'(Depth);
  assign out_valid_o = fill_q != '0;
  assign out_data_o = passes_q ? passed_q : found;
  assign puts = in_valid_i && in_ready_o;
  assign gets = out_valid_o && out_ready_i;
  assign get = gets ? after(get_q) : get_q;
  assign passes = puts && put_q == get;

  acis_ram #(.Width(Width), .Rows(Depth), .Ram("block"), .Apart(1'b1)) u_entries (
    .clk_i, .read_i(1'b1), .read_at_i(get), .data_o(found), .write_i(puts), .write_at_i(put_q),
    .data_i(in_data_i)
  );
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      {put_q, get_q, fill_q, passes_q} <= '0;
    end else begin
      if (puts)
        put_q <= after(put_q);
      get_q <= get;
      fill_q <= fill_q + FillBits'(puts) - FillBits'(gets);
      passes_q <= passes;
    end
  always_ff @(posedge clk_i)
    if (passes)
      passed_q <= in_data_i;

  `ACIS_ASSERT_INIT(Depth_A, Depth >= 2)
endmodule
