// A switch on a board with one network port: the shell with memory in the device, set up from that memory after
// reset, between the beats of a MAC in the array's clock. Answers go back to where their packet came from.
`include "acis_assert.svh"

module acis_board
  import acis_overlay_pkg::*;
  import acis_pkg::*;
#(
  parameter int unsigned MemoryBeats = 65536 / BeatBytes,
  parameter int unsigned FrameBeats  = 2048 / BeatBytes,   // of a store of frames
  parameter string       Image       = "build/ecp5/pattern.hex",   // of memory
  parameter bit          PumpedVrf   = 1'b1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  output logic                 running_o,     // a program is set up and has not ended

  // Frames of the MAC (acis_mac.v): what comes cannot wait, a wrong one has an error in its last beat
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
  localparam int unsigned Ports = 1 + $countones(PeMemory);
  localparam int unsigned AtBits = $clog2(MemoryBeats);

  logic in_valid, in_ready, in_last;
  beat_t in_data;
  logic [BeatBytes-1:0] in_keep, out_keep;
  acis_board_in #(.Bytes(BeatBytes), .Beats(FrameBeats)) u_in (
    .clk_i, .rst_ni, .valid_i(rx_valid_i), .data_i(rx_data_i), .last_i(rx_last_i),
    .last_be_i(rx_last_be_i), .error_i(rx_error_i), .tvalid_o(in_valid), .tready_i(in_ready),
    .tdata_o(in_data), .tkeep_o(in_keep), .tlast_o(in_last)
  );
  assign tx_last_be_o = tx_last_o ? out_keep & ~(out_keep >> 1) : '0;

  logic ended, awvalid, awready, wvalid, wready, bvalid, read, read_done;
  logic [11:0] awaddr;
  logic [31:0] wdata;
  logic [AtBits-1:0] read_at;
  beat_t read_data;
  acis_board_setup #(.AtBits(AtBits)) u_setup (
    .clk_i, .rst_ni, .ended_i(ended), .read_o(read), .read_at_o(read_at), .read_i(read_done),
    .read_data_i(read_data[63:0]), .awvalid_o(awvalid), .awready_i(awready), .awaddr_o(awaddr),
    .wvalid_o(wvalid), .wready_i(wready), .wdata_o(wdata), .bvalid_i(bvalid)
  );

  logic [Ports-1:0] arvalid, arready, rvalid, rready, aw, aw_ready, w, w_ready, b, b_ready;
  logic [Ports-1:0][63:0] araddr, aw_addr;
  logic [Ports-1:0][7:0] arlen, aw_len;
  logic [Ports-1:0][BeatBits-1:0] w_data;
  logic [Ports-1:0][BeatBytes-1:0] w_strb;
  beat_t rdata;
  logic rlast, ar_ready, r_valid, unused;
  logic [1:0] b_resp, r_resp;
  logic [31:0] r_data;
  logic [Ports-1:0] w_last;
  // What the setup does not look at: answers of registers, the rest of an entry, ends of bursts
  assign unused = ^{ar_ready, r_valid, b_resp, r_resp, r_data, w_last, read_data[BeatBits-1:64]};
  acis_board_memory #(.Bytes(BeatBytes), .Ports(Ports), .Beats(MemoryBeats), .Image(Image)) u_memory (
    .clk_i, .rst_ni, .read_i(read), .read_at_i(read_at), .read_o(read_done), .read_data_o(read_data),
    .arvalid_i(arvalid), .arready_o(arready), .araddr_i(araddr), .arlen_i(arlen), .rvalid_o(rvalid),
    .rready_i(rready), .rdata_o(rdata), .rlast_o(rlast), .awvalid_i(aw), .awready_o(aw_ready),
    .awaddr_i(aw_addr), .awlen_i(aw_len), .wvalid_i(w), .wready_o(w_ready), .wdata_i(w_data),
    .wstrb_i(w_strb), .bvalid_o(b), .bready_i(b_ready)
  );

  acis_shell #(.Beats(FrameBeats), .Packets(8), .PumpedVrf(PumpedVrf)) u_shell (
    .clk_i, .clk_ram_i(clk_i), .rst_ni, .interrupt_o(ended), .s_awvalid_i(awvalid),
    .s_awready_o(awready), .s_awaddr_i(awaddr), .s_wvalid_i(wvalid), .s_wready_o(wready),
    .s_wdata_i(wdata), .s_wstrb_i('1), .s_bvalid_o(bvalid), .s_bready_i(1'b1), .s_bresp_o(b_resp),
    .s_arvalid_i(1'b0), .s_arready_o(ar_ready), .s_araddr_i('0), .s_rvalid_o(r_valid), .s_rready_i(1'b1),
    .s_rdata_o(r_data), .s_rresp_o(r_resp), .in_tvalid_i(in_valid), .in_tready_o(in_ready), .in_tdata_i(in_data),
    .in_tkeep_i(in_keep), .in_tlast_i(in_last), .out_tvalid_o(tx_valid_o), .out_tready_i(tx_ready_i),
    .out_tdata_o(tx_data_o), .out_tkeep_o(out_keep), .out_tlast_o(tx_last_o), .m_arvalid_o(arvalid),
    .m_arready_i(arready), .m_araddr_o(araddr), .m_arlen_o(arlen), .m_rvalid_i(rvalid),
    .m_rready_o(rready), .m_rdata_i({Ports{rdata}}), .m_rresp_i('0), .m_rlast_i({Ports{rlast}}),
    .m_awvalid_o(aw), .m_awready_i(aw_ready), .m_awaddr_o(aw_addr), .m_awlen_o(aw_len),
    .m_wvalid_o(w), .m_wready_i(w_ready), .m_wdata_o(w_data), .m_wstrb_o(w_strb), .m_wlast_o(w_last),
    .m_bvalid_i(b), .m_bready_o(b_ready), .m_bresp_i('0)
  );

  // The table writes where a run starts last.
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni)
      running_o <= 1'b0;
    else
      running_o <= !ended && (running_o || (wvalid && wready && awaddr == acis_shell_pkg::RegControl && wdata[0]));

  `ACIS_ASSERT_INIT(OneClock_A, VrfCopies != 0 || !PumpedVrf)
endmodule
