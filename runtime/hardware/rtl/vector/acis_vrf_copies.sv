`include "acis_assert.svh"

// The vector register file of a PE as two copies at the array's clock, one for each read of the loop;
// a bank per lane, so that each lane has its own address. What is read comes in the next cycle and
// stays until the next read of the port. Writes go to both copies.
//
// Vector stores read over the second port, vector loads write over the only one, in cycles in which
// the loop does not: who asks (acis_pe) knows which these are.
module acis_vrf_copies #(
  parameter int unsigned Lanes = 16,
  parameter int unsigned Beats = 4096,
  parameter string       Ram   = "ultra",
  localparam int unsigned Bits = $clog2(Beats)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [1:0]                 rd_en_i,      // reads of the loop
  input  logic [Lanes-1:0][Bits-1:0] rd_beat0_i,   // by bank
  output logic [Lanes*32-1:0]        rd_data0_o,
  input  logic [Lanes-1:0][Bits-1:0] rd_beat1_i,
  output logic [Lanes*32-1:0]        rd_data1_o,   // or of the vector store
  input  logic                       store_en_i,
  input  logic [Bits-1:0]            store_beat_i,
  input  logic [Lanes-1:0]           wr_en_i,
  input  logic [Lanes-1:0][Bits-1:0] wr_beat_i,
  input  logic [Lanes*32-1:0]        wr_data_i,
  input  logic [Lanes-1:0]           load_en_i,
  input  logic [Bits-1:0]            load_beat_i,
  input  logic [Lanes*32-1:0]        load_data_i
);
  logic loads;
  assign loads = load_en_i != '0;
  for (genvar l = 0; l < int'(Lanes); ++l) begin : g_bank
    logic write;
    logic [Bits-1:0] write_beat;
    logic [31:0] data;
    assign write = loads ? load_en_i[l] : wr_en_i[l];
    assign write_beat = loads ? load_beat_i : wr_beat_i[l];
    assign data = loads ? load_data_i[l*32 +: 32] : wr_data_i[l*32 +: 32];
    acis_ram #(.Rows(Beats), .Ram(Ram)) u_first (
      .clk_i, .read_i(rd_en_i[0]), .read_at_i(rd_beat0_i[l]), .data_o(rd_data0_o[l*32 +: 32]),
      .write_i(write), .write_at_i(write_beat), .data_i(data)
    );
    acis_ram #(.Rows(Beats), .Ram(Ram)) u_second (
      .clk_i, .read_i(rd_en_i[1] || store_en_i),
      .read_at_i(store_en_i ? store_beat_i : rd_beat1_i[l]), .data_o(rd_data1_o[l*32 +: 32]),
      .write_i(write), .write_at_i(write_beat), .data_i(data)
    );
  end

  `ACIS_ASSERT(OneRead_A, !(rd_en_i[1] && store_en_i))
  `ACIS_ASSERT(OneWrite_A, wr_en_i == '0 || load_en_i == '0)
endmodule
