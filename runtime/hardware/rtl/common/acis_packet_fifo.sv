// A FIFO of block memory whose entries leave only once their packet is committed; a packet
// that turns out wrong is dropped as if it had never come. An entry can leave two cycles after
// its commit, one per cycle.
`include "acis_assert.svh"

module acis_packet_fifo #(
  parameter int unsigned Width = 1,
  parameter int unsigned Depth = 256     // a power of two
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             in_valid_i,
  output logic             in_ready_o,
  input  logic [Width-1:0] in_data_i,
  input  logic             commit_i,     // what was put in so far, now included, may leave
  input  logic             drop_i,       // what was put in since the last commit, now included, is gone
  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [Width-1:0] out_data_o
);
  localparam int unsigned Bits = $clog2(Depth);
  logic [Width-1:0] mem[Depth];
  logic [Width-1:0] data_q;
  logic [Bits:0] put_q, put, committed_q, get_q;   // with a wrap bit
  logic valid_q, puts, fetches;

  assign in_ready_o = put_q - get_q != (Bits+1)'(Depth);
  assign puts = in_valid_i && in_ready_o;
  assign put = drop_i ? committed_q : put_q + (Bits+1)'(puts);
  assign fetches = get_q != committed_q && (!valid_q || out_ready_i);
  assign out_valid_o = valid_q;
  assign out_data_o = data_q;

  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      {put_q, committed_q, get_q, valid_q} <= '0;
    end else begin
      put_q <= put;
      if (commit_i)
        committed_q <= put;
      if (fetches)
        get_q <= get_q + 1'b1;
      valid_q <= fetches || (valid_q && !out_ready_i);
    end
  always_ff @(posedge clk_i) begin
    if (puts)
      mem[put_q[Bits-1:0]] <= in_data_i;
    if (fetches)
      data_q <= mem[get_q[Bits-1:0]];
  end

  `ACIS_ASSERT_INIT(Depth_A, Depth == 1 << Bits)
  `ACIS_ASSERT(OneVerdict_A, !(commit_i && drop_i))
  `ACIS_ASSERT(VerdictOfEntry_A, !((commit_i || drop_i) && in_valid_i && !in_ready_o))
endmodule
