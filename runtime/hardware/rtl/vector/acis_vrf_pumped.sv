`include "acis_assert.svh"

// The vector register file of a PE in memory blocks: a bank per lane, so that each lane has
// its own address, with the ports of the loop (two reads, one write) and of vector loads and
// stores (one write, one read).
//
// Array time wants a read in the cycle of its address, and if Chained an index of the second read may
// be the first one's data. Memory blocks read at an edge, so they have a clock four times as
// fast, whose edge 0 is that of clk_i:
//
//   edge      1              2                 3                 0
//   port A    -              first read        -                 write of the loop
//   port B    vector store   -                 second read       write of the vector load
//
// If Chained, the first address has half a cycle of clk_i to come, an index a quarter to become the
// second, its data a quarter to go on. Otherwise both reads are at one edge: the third, so that
// addresses have three quarters; or the first if addresses are Early, as registers are, and the vector
// store at the second then, so that its beat, of the oldest one that the PE works on, has half a
// cycle instead of a quarter. Data are there until the next read of the kind; those of port B's first
// read from the second edge on, for half a cycle.
module acis_vrf_pumped #(
  parameter int unsigned Lanes = 16,
  parameter int unsigned Beats = 4096,
  parameter string Ram = "ultra",
  parameter bit Chained = 1'b1,
  parameter bit Early = 1'b0,
  localparam int unsigned Bits = $clog2(Beats)
) (
  input  logic                       clk_i,
  input  logic                       clk_ram_i,    // four times clk_i, edges aligned
  input  logic                       rst_ni,
  input  logic [Lanes-1:0][Bits-1:0] rd_beat0_i,   // by bank
  output logic [Lanes*32-1:0]        rd_data0_o,
  input  logic [Lanes-1:0][Bits-1:0] rd_beat1_i,
  output logic [Lanes*32-1:0]        rd_data1_o,
  input  logic [Lanes-1:0]           wr_en_i,
  input  logic [Lanes-1:0][Bits-1:0] wr_beat_i,
  input  logic [Lanes*32-1:0]        wr_data_i,
  input  logic [Bits-1:0]            store_beat_i,
  output logic [Lanes*32-1:0]        store_data_o,
  input  logic [Lanes-1:0]           load_en_i,
  input  logic [Bits-1:0]            load_beat_i,
  input  logic [Lanes*32-1:0]        load_data_i
);
  // A bit that turns with clk_i tells the fast clock where it is.
  logic turn_q, seen_q;
  logic [1:0] edge_q;      // the edge that was last
  logic [1:0] next;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni)
      turn_q <= 1'b0;
    else
      turn_q <= !turn_q;
  assign next = (turn_q != seen_q) ? 2'd1 : edge_q + 2'd1;
  always_ff @(posedge clk_ram_i or negedge rst_ni)
    if (!rst_ni) begin
      seen_q <= 1'b0;
      edge_q <= 2'd1;
    end else begin
      seen_q <= turn_q;
      edge_q <= next;
    end

  localparam bit ReadsFirst = !Chained && Early;
  localparam logic [1:0] FirstEdge = ReadsFirst ? 2'd1 : Chained ? 2'd2 : 2'd3;
  localparam logic [1:0] SecondEdge = ReadsFirst ? 2'd1 : 2'd3;
  localparam logic [1:0] StoreEdge = ReadsFirst ? 2'd2 : 2'd1;
  logic [Lanes*32-1:0] read_b, held_q;
  for (genvar l = 0; l < Lanes; ++l) begin : g_bank
    acis_vrf_bank #(.Beats(Beats), .Ram(Ram)) u_bank (
      .clk_i(clk_ram_i),
      .en_a_i(next == FirstEdge || (next == 2'd0 && wr_en_i[l])), .we_a_i(next == 2'd0),
      .beat_a_i((next == 2'd0) ? wr_beat_i[l] : rd_beat0_i[l]),
      .data_a_i(wr_data_i[l*32 +: 32]), .data_a_o(rd_data0_o[l*32 +: 32]),
      .en_b_i(next == StoreEdge || next == SecondEdge || (next == 2'd0 && load_en_i[l])),
      .we_b_i(next == 2'd0),
      .beat_b_i((next == 2'd0) ? load_beat_i : (next == StoreEdge) ? store_beat_i : rd_beat1_i[l]),
      .data_b_i(load_data_i[l*32 +: 32]), .data_b_o(read_b[l*32 +: 32])
    );
    // The sequencer keeps loops and vector loads of the same registers apart.
    `ACIS_ASSERT(NoTwoWrites_A, !(wr_en_i[l] && load_en_i[l] && wr_beat_i[l] == load_beat_i))
  end
  always_ff @(posedge clk_ram_i)
    if (next == 2'd2)
      held_q <= read_b;
  assign store_data_o = ReadsFirst ? read_b : held_q;
  assign rd_data1_o = ReadsFirst ? held_q : read_b;
endmodule
