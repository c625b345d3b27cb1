// A FIFO of registers or distributed memory: what stands in front is visible without a cycle
// of latency. For descriptors; those that are wide and many go into acis_block_fifo, beats of packets into
// acis_packet_fifo.
`include "acis_assert.svh"

module acis_fifo #(
  parameter int unsigned Width = 1,
  parameter int unsigned Depth = 4
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
  localparam int unsigned PlaceBits = Depth > 1 ? $clog2(Depth) : 1;
  localparam int unsigned FillBits = $clog2(Depth + 1);
  logic [Width-1:0] entries_q[Depth];
  logic [PlaceBits-1:0] put_q, get_q;
  logic [FillBits-1:0] fill_q;
  logic puts, gets;

  function automatic logic [PlaceBits-1:0] after(logic [PlaceBits-1:0] place);
    return place == PlaceBits'(Depth - 1) ? '0 : place + 1'b1;
  endfunction

  assign in_ready_o = fill_q != FillBits'(Depth);
  assign out_valid_o = fill_q != '0;
  assign out_data_o = entries_q[get_q];
  assign puts = in_valid_i && in_ready_o;
  assign gets = out_valid_o && out_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      {put_q, get_q, fill_q} <= '0;
    end else begin
      if (puts)
        put_q <= after(put_q);
      if (gets)
        get_q <= after(get_q);
      fill_q <= fill_q + FillBits'(puts) - FillBits'(gets);
    end
  always_ff @(posedge clk_i)
    if (puts)
      entries_q[put_q] <= in_data_i;

  `ACIS_ASSERT_INIT(Depth_A, Depth >= 1)
endmodule
