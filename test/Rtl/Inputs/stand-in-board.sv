// In place of acis_board, whose core would be placed and routed for an hour, in a test: a frame goes back, its first beat
// exclusive-or what was read of memory last. Memory is the board's.
module acis_board
  import acis_overlay_pkg::*;
  import acis_pkg::*;
#(
  parameter int unsigned MemoryBeats = 65536 / BeatBytes,
  parameter string       Image       = "build/ecp5/pattern.hex",
  parameter bit          PumpedVrf   = 1'b1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  output logic                 running_o,
  input  logic                 rx_valid_i,
  input  beat_t                rx_data_i,
  input  logic                 rx_last_i,
  input  logic [BeatBytes-1:0] rx_last_be_i,
  input  logic [BeatBytes-1:0] rx_error_i,
  output logic                 tx_valid_o,
  input  logic                 tx_ready_i,
  output beat_t                tx_data_o,
  output logic                 tx_last_o,
  output logic [BeatBytes-1:0] tx_last_be_o
);
  logic valid, last, first_q, read_done, arready, rvalid, rlast, aw_ready, w_ready, bvalid;
  beat_t data, rdata, begins;
  logic [BeatBytes-1:0] keep;
  acis_board_in #(.Bytes(BeatBytes), .Beats(128)) u_in (
    .clk_i, .rst_ni, .valid_i(rx_valid_i), .data_i(rx_data_i), .last_i(rx_last_i), .last_be_i(rx_last_be_i),
    .error_i(rx_error_i), .tvalid_o(valid), .tready_i(tx_ready_i), .tdata_o(data), .tkeep_o(keep), .tlast_o(last)
  );
  // The last beat of a frame is written to where it says, so that synthesis keeps a memory.
  acis_board_memory #(.Bytes(BeatBytes), .Beats(MemoryBeats), .Image(Image)) u_memory (
    .clk_i, .rst_ni, .read_i(!running_o), .read_at_i('0), .read_o(read_done), .read_data_o(begins),
    .arvalid_i(running_o), .arready_o(arready), .araddr_i(data[63:0]), .arlen_i(8'd0), .rvalid_o(rvalid),
    .rready_i(1'b1), .rdata_o(rdata), .rlast_o(rlast), .awvalid_i(valid && last), .awready_o(aw_ready),
    .awaddr_i(data[63:0]), .awlen_i(8'd0), .wvalid_i(1'b1), .wready_o(w_ready), .wdata_i(data),
    .wstrb_i(keep), .bvalid_o(bvalid), .bready_i(1'b1)
  );
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      running_o <= 1'b0;
      first_q <= 1'b1;
    end else begin
      running_o <= running_o || read_done;
      if (valid && tx_ready_i)
        first_q <= last;
    end
  beat_t begins_q;
  always_ff @(posedge clk_i)
    if (read_done || rvalid)
      begins_q <= read_done ? begins : rdata;
  assign {tx_valid_o, tx_last_o} = {valid, last};
  assign tx_data_o = first_q ? data ^ begins_q : data;
  assign tx_last_be_o = last ? keep & ~(keep >> 1) : '0;

  logic unused;
  assign unused = ^{arready, rlast, aw_ready, w_ready, bvalid, PumpedVrf};
endmodule
