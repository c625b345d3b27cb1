// One AXI4 port to memory: turns the core's addresses into the card's, keeps what is offered
// until it is taken, and knows what is still on its way, so that a run can be ended cleanly.
//
// The core's memory begins at MemoryBase and is interleaved over Banks banks, Interleave bytes
// each in turn (the description's banks). With shift_i 0 it is one piece from base_i on; else
// bank b's part begins at base_i + (b << shift_i).
//
// stop_i refuses new requests; data of those before still moves. quiet_o: nothing is on its way.
`include "acis_assert.svh"

module acis_memory_port
  import acis_pkg::*;
  import acis_bus_pkg::*;
#(
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

  input  memory_request_t    core_i,
  output memory_response_t   core_o,
  output card_request_t      card_o,
  input  card_response_t     card_i
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

  logic ar_ready, aw_ready, w_ready, asks, writes, moves, ends, answers;
  acis_slice #(.Width(72)) u_ar (
    .clk_i, .rst_ni, .in_valid_i(core_i.axi.arvalid && !stop_i), .in_ready_o(ar_ready),
    .in_data_i({placed(core_i.axi.araddr[30:0]), core_i.axi.arlen}), .out_valid_o(card_o.axi.arvalid),
    .out_ready_i(card_i.axi.arready), .out_data_o({card_o.axi.araddr, card_o.axi.arlen})
  );
  acis_slice #(.Width(72)) u_aw (
    .clk_i, .rst_ni, .in_valid_i(core_i.axi.awvalid && !stop_i), .in_ready_o(aw_ready),
    .in_data_i({placed(core_i.axi.awaddr[30:0]), core_i.axi.awlen}), .out_valid_o(card_o.axi.awvalid),
    .out_ready_i(card_i.axi.awready), .out_data_o({card_o.axi.awaddr, card_o.axi.awlen})
  );
  acis_slice #(.Width(BeatBytes * 9 + 1)) u_w (
    .clk_i, .rst_ni, .in_valid_i(core_i.axi.wvalid), .in_ready_o(w_ready),
    .in_data_i({core_i.axi.wlast, core_i.strobe, core_i.data}), .out_valid_o(card_o.axi.wvalid),
    .out_ready_i(card_i.axi.wready), .out_data_o({card_o.axi.wlast, card_o.strobe, card_o.data})
  );
  assign {card_o.axi.rready, card_o.axi.bready} = '1;
  assign core_o = '{
    axi: '{arready: ar_ready && !stop_i, rvalid: card_i.axi.rvalid, rlast: card_i.axi.rlast,
           awready: aw_ready && !stop_i, wready: w_ready, bvalid: card_i.axi.bvalid},
    data: card_i.data
  };
  assign error_o = (card_i.axi.rvalid && card_i.axi.rresp[1])
                || (card_i.axi.bvalid && card_i.axi.bresp[1]);

  logic unused;
  assign unused = ^{card_i.axi.rresp[0], card_i.axi.bresp[0], core_i.axi.araddr[31],
                    core_i.axi.awaddr[31]};   // MemoryBase is bit 31

  // What is on its way: reads without their last beat, writes without an answer or without data
  logic [15:0] reads_q, writes_q, beats_q;
  assign asks = core_i.axi.arvalid && core_o.axi.arready;
  assign ends = card_i.axi.rvalid && card_i.axi.rlast;
  assign writes = core_i.axi.awvalid && core_o.axi.awready;
  assign moves = core_i.axi.wvalid && w_ready;
  assign answers = card_i.axi.bvalid;
  assign quiet_o = reads_q == '0 && writes_q == '0;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      {reads_q, writes_q, beats_q} <= '0;
    end else begin
      reads_q <= reads_q + 16'(asks) - 16'(ends);
      writes_q <= writes_q + 16'(writes) - 16'(answers);
      beats_q <= beats_q + (writes ? 16'(core_i.axi.awlen) + 16'd1 : 16'd0) - 16'(moves);
    end

  `ACIS_ASSERT_INIT(Banks_A, Banks == 1 << BankBits && Interleave == 1 << Within)
  `ACIS_ASSERT_INIT(Boundary_A, Interleave <= 4096)   // AXI: no burst crosses 4096 bytes
  `ACIS_ASSERT(ReadWasAsked_A, !card_i.axi.rvalid || reads_q != '0)
  `ACIS_ASSERT(WriteWasAsked_A, !card_i.axi.bvalid || writes_q != '0)
  `ACIS_ASSERT(DataWasAsked_A, !moves || writes || beats_q != '0)
endmodule
