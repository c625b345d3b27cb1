// One AXI4 port to memory: turns the core's addresses into the card's, keeps what is offered
// until it is taken, and knows what is still on its way, so that a run can be ended cleanly.
//
// The core's memory begins at MemoryBase and is interleaved over Banks banks, Interleave bytes
// each in turn (the description's banks). With shift_i 0 it is one piece from base_i on; else
// bank b's part begins at base_i + (b << shift_i).
//
// stop_i refuses new requests; data of those before still moves. quiet_o: nothing is on its way.
`include "acis_assert.svh"

module acis_memory_port #(
  parameter int unsigned Bytes      = 64,      // of a beat
  parameter int unsigned Banks      = 32,
  parameter int unsigned Interleave = 4096     // a power of two
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic [63:0]        base_i,           // a multiple of 4096
  input  logic [5:0]         shift_i,
  input  logic               stop_i,
  output logic               quiet_o,
  output logic               error_o,          // a response says so, in this cycle

  // The core
  input  logic               arvalid_i,
  output logic               arready_o,
  input  logic [31:0]        araddr_i,
  input  logic [7:0]         arlen_i,
  output logic               rvalid_o,
  output logic               rlast_o,
  output logic [Bytes*8-1:0] rdata_o,
  input  logic               awvalid_i,
  output logic               awready_o,
  input  logic [31:0]        awaddr_i,
  input  logic [7:0]         awlen_i,
  input  logic               wvalid_i,
  output logic               wready_o,
  input  logic [Bytes*8-1:0] wdata_i,
  input  logic [Bytes-1:0]   wstrb_i,
  input  logic               wlast_i,
  output logic               bvalid_o,

  // Memory
  output logic               m_arvalid_o,
  input  logic               m_arready_i,
  output logic [63:0]        m_araddr_o,
  output logic [7:0]         m_arlen_o,
  input  logic               m_rvalid_i,
  input  logic [Bytes*8-1:0] m_rdata_i,
  input  logic [1:0]         m_rresp_i,
  input  logic               m_rlast_i,
  output logic               m_awvalid_o,
  input  logic               m_awready_i,
  output logic [63:0]        m_awaddr_o,
  output logic [7:0]         m_awlen_o,
  output logic               m_wvalid_o,
  input  logic               m_wready_i,
  output logic [Bytes*8-1:0] m_wdata_o,
  output logic [Bytes-1:0]   m_wstrb_o,
  output logic               m_wlast_o,
  input  logic               m_bvalid_i,
  input  logic [1:0]         m_bresp_i
);
  localparam int unsigned Within = $clog2(Interleave);
  localparam int unsigned BankBits = $clog2(Banks);

  function automatic logic [63:0] placed(logic [30:0] address);
    logic [63:0] offset, bank, place;
    offset = 64'(address);
    if (shift_i == '0 || Banks == 1)
      return base_i + offset;
    bank = (offset >> Within) & (64'(Banks) - 64'd1);
    place = ((offset >> (Within + BankBits)) << Within) | (offset & (64'(Interleave) - 64'd1));
    return base_i + place + (bank << shift_i);
  endfunction

  logic ar_ready, aw_ready, asks, writes, moves, ends, answers;
  acis_slice #(.Width(72)) u_ar (
    .clk_i, .rst_ni, .in_valid_i(arvalid_i && !stop_i), .in_ready_o(ar_ready),
    .in_data_i({placed(araddr_i[30:0]), arlen_i}), .out_valid_o(m_arvalid_o), .out_ready_i(m_arready_i),
    .out_data_o({m_araddr_o, m_arlen_o})
  );
  acis_slice #(.Width(72)) u_aw (
    .clk_i, .rst_ni, .in_valid_i(awvalid_i && !stop_i), .in_ready_o(aw_ready),
    .in_data_i({placed(awaddr_i[30:0]), awlen_i}), .out_valid_o(m_awvalid_o), .out_ready_i(m_awready_i),
    .out_data_o({m_awaddr_o, m_awlen_o})
  );
  acis_slice #(.Width(Bytes * 9 + 1)) u_w (
    .clk_i, .rst_ni, .in_valid_i(wvalid_i), .in_ready_o(wready_o),
    .in_data_i({wlast_i, wstrb_i, wdata_i}), .out_valid_o(m_wvalid_o), .out_ready_i(m_wready_i),
    .out_data_o({m_wlast_o, m_wstrb_o, m_wdata_o})
  );
  assign arready_o = ar_ready && !stop_i;
  assign awready_o = aw_ready && !stop_i;
  assign {rvalid_o, rlast_o, rdata_o, bvalid_o} = {m_rvalid_i, m_rlast_i, m_rdata_i, m_bvalid_i};
  assign error_o = (m_rvalid_i && m_rresp_i[1]) || (m_bvalid_i && m_bresp_i[1]);

  logic unused;
  assign unused = ^{m_rresp_i[0], m_bresp_i[0], araddr_i[31], awaddr_i[31]};   // MemoryBase is bit 31

  // What is on its way: reads without their last beat, writes without an answer or without data
  logic [15:0] reads_q, writes_q, beats_q;
  assign asks = arvalid_i && arready_o;
  assign ends = m_rvalid_i && m_rlast_i;
  assign writes = awvalid_i && awready_o;
  assign moves = wvalid_i && wready_o;
  assign answers = m_bvalid_i;
  assign quiet_o = reads_q == '0 && writes_q == '0;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      {reads_q, writes_q, beats_q} <= '0;
    end else begin
      reads_q <= reads_q + 16'(asks) - 16'(ends);
      writes_q <= writes_q + 16'(writes) - 16'(answers);
      beats_q <= beats_q + (writes ? 16'(awlen_i) + 16'd1 : 16'd0) - 16'(moves);
    end

  `ACIS_ASSERT_INIT(Banks_A, Banks == 1 << BankBits && Interleave == 1 << Within)
  `ACIS_ASSERT_INIT(Boundary_A, Interleave <= 4096)   // AXI: no burst crosses 4096 bytes
  `ACIS_ASSERT(ReadWasAsked_A, !m_rvalid_i || reads_q != '0)
  `ACIS_ASSERT(WriteWasAsked_A, !m_bvalid_i || writes_q != '0)
  `ACIS_ASSERT(DataWasAsked_A, !moves || writes || beats_q != '0)
endmodule
