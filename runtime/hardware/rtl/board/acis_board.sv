// A switch on a board with one network port: the shell with memory in the device, set up from that memory after
// reset, between the beats of a MAC in the array's clock. Answers go back to where their packet came from.
`include "acis_assert.svh"

module acis_board
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_bus_pkg::*;
  import acis_shell_pkg::*;
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

  lite_request_t lite_request;
  lite_response_t lite_response;
  assign lite_request = '{
    awvalid: awvalid, awaddr: awaddr, wvalid: wvalid, wdata: wdata, wstrb: '1, bready: 1'b1,
    arvalid: 1'b0, araddr: '0, rready: 1'b1
  };
  assign {awready, wready, bvalid} = {lite_response.awready, lite_response.wready, lite_response.bvalid};

  card_request_t request[Ports];
  card_response_t response[Ports];
  logic [Ports-1:0] arvalid, arready, rvalid, rready, aw, aw_ready, w, w_ready, b, b_ready;
  logic [Ports-1:0][63:0] araddr, aw_addr;
  logic [Ports-1:0][7:0] arlen, aw_len;
  logic [Ports-1:0][BeatBits-1:0] w_data;
  logic [Ports-1:0][BeatBytes-1:0] w_strb;
  beat_t rdata;
  logic rlast, unused;
  logic [Ports-1:0] w_last;
  // What the setup does not look at: answers of registers, the rest of an entry, ends of bursts
  assign unused = ^{lite_response, w_last, read_data};
  for (genvar p = 0; p < int'(Ports); ++p) begin : g_port
    assign {arvalid[p], araddr[p], arlen[p], rready[p]} =
        {request[p].axi.arvalid, request[p].axi.araddr, request[p].axi.arlen, request[p].axi.rready};
    assign {aw[p], aw_addr[p], aw_len[p], b_ready[p]} =
        {request[p].axi.awvalid, request[p].axi.awaddr, request[p].axi.awlen, request[p].axi.bready};
    assign {w[p], w_last[p], w_strb[p], w_data[p]} =
        {request[p].axi.wvalid, request[p].axi.wlast, request[p].strobe, request[p].data};
    assign response[p] = '{
      axi: '{arready: arready[p], rvalid: rvalid[p], rresp: '0, rlast: rlast, awready: aw_ready[p],
             wready: w_ready[p], bvalid: b[p], bresp: '0},
      data: rdata
    };
  end
  acis_board_memory #(.Bytes(BeatBytes), .Ports(Ports), .Beats(MemoryBeats), .Image(Image)) u_memory (
    .clk_i, .rst_ni, .read_i(read), .read_at_i(read_at), .read_o(read_done), .read_data_o(read_data),
    .arvalid_i(arvalid), .arready_o(arready), .araddr_i(araddr), .arlen_i(arlen), .rvalid_o(rvalid),
    .rready_i(rready), .rdata_o(rdata), .rlast_o(rlast), .awvalid_i(aw), .awready_o(aw_ready),
    .awaddr_i(aw_addr), .awlen_i(aw_len), .wvalid_i(w), .wready_o(w_ready), .wdata_i(w_data),
    .wstrb_i(w_strb), .bvalid_o(b), .bready_i(b_ready)
  );

  acis_shell #(.Beats(FrameBeats), .Packets(8), .PumpedVrf(PumpedVrf)) u_shell (
    .clk_i, .clk_ram_i(clk_i), .rst_ni, .interrupt_o(ended), .s_i(lite_request), .s_o(lite_response),
    .in_tvalid_i(in_valid), .in_tready_o(in_ready), .in_tdata_i(in_data), .in_tkeep_i(in_keep),
    .in_tlast_i(in_last), .out_tvalid_o(tx_valid_o), .out_tready_i(tx_ready_i), .out_tdata_o(tx_data_o),
    .out_tkeep_o(out_keep), .out_tlast_o(tx_last_o), .m_o(request), .m_i(response)
  );

  // The table writes where a run starts last.
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni)
      running_o <= 1'b0;
    else
      running_o <= !ended && (running_o || (wvalid && wready && awaddr == acis_isa_pkg::RegControl && wdata[0]));

  `ACIS_ASSERT_INIT(OneClock_A, VrfCopies != 0 || !PumpedVrf)
endmodule
