// The whole kernel but for the names of its ports: core, network side, memory ports, loader,
// registers. The generated top level (package/generate.py) gives the ports the names that
// Vitis expects.
//
// Memory port 0 reads the program, then serves the scalar unit; port k the k-th PE with a
// memory port. The last base address is that of the scalar unit's memory, which is that of the
// PEs: memory is one.
`include "acis_assert.svh"

module acis_shell
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_bus_pkg::*;
  import acis_isa_pkg::*;
  import acis_shell_pkg::*;
#(
  parameter int unsigned Ports   = 1 + $countones(PeMemory),
  parameter int unsigned Chain   = 1,
  parameter int unsigned Beats   = 16384 / BeatBytes,   // of a store of frames
  parameter int unsigned Packets = 32,                  // that wait for the core
  parameter bit          PumpedVrf = 1'b1               // register files in memory blocks
) (
  input  logic                            clk_i,
  input  logic                            clk_ram_i,    // four times clk_i, edges aligned
  input  logic                            rst_ni,
  output logic                            interrupt_o,

  // Registers: AXI4-Lite
  input  lite_request_t                   s_i,
  output lite_response_t                  s_o,

  // Frames: AXI4-Stream
  input  logic                            in_tvalid_i,
  output logic                            in_tready_o,
  input  beat_t                           in_tdata_i,
  input  logic [BeatBytes-1:0]            in_tkeep_i,
  input  logic                            in_tlast_i,
  output logic                            out_tvalid_o,
  input  logic                            out_tready_i,
  output beat_t                           out_tdata_o,
  output logic [BeatBytes-1:0]            out_tkeep_o,
  output logic                            out_tlast_o,

  // Memory: AXI4, by port
  output card_request_t                   m_o[Ports],
  input  card_response_t                  m_i[Ports]
);
  localparam int unsigned HeadBits = HeaderBytes * 8;

  // Registers and the run
  cycle_t cycle;
  trap_t trap;
  logic start, done, idle, stop, abort;
  code_e run_code;
  logic [31:0] run_detail, count_admitted, count_answered, count_handled, count_forwarded;
  logic [31:0] count_dropped, count_too_long;
  logic [63:0] count_cycles, count_hardware;
  logic [Ports:0][63:0] base;
  settings_t settings;
  acis_registers #(.Bases(Ports + 1), .Chain(Chain)) u_registers (
    .clk_i, .rst_ni, .awvalid_i(s_i.awvalid), .awready_o(s_o.awready), .awaddr_i(s_i.awaddr),
    .wvalid_i(s_i.wvalid), .wready_o(s_o.wready), .wdata_i(s_i.wdata), .wstrb_i(s_i.wstrb),
    .bvalid_o(s_o.bvalid), .bready_i(s_i.bready), .bresp_o(s_o.bresp), .arvalid_i(s_i.arvalid),
    .arready_o(s_o.arready), .araddr_i(s_i.araddr), .rvalid_o(s_o.rvalid), .rready_i(s_i.rready),
    .rdata_o(s_o.rdata), .rresp_o(s_o.rresp), .interrupt_o,
    .start_o(start), .ready_i(done), .done_i(done), .idle_i(idle), .stop_o(stop),
    .abort_o(abort), .base_o(base), .settings_o(settings), .status_i('{
      code: run_code, detail: run_detail, admitted: count_admitted, answered: count_answered,
      handled: count_handled, forwarded: count_forwarded, dropped: count_dropped,
      too_long: count_too_long, tiles: cycle.tilesTotal, cycles: count_cycles,
      hardware: count_hardware})
  );

  logic core_rst_n, clear, begins, run, discard, stop_memory, load, loaded, loading;
  logic closed, taking, core_idle, answers_busy;
  logic [1:0] leaving;             // by source of the collector
  logic [31:0] clear_index, load_at;
  logic [Ports-1:0] quiet, bus_error;
  code_e load_error;
  acis_run #(.VrfBeats(VrfBeats), .ScratchWords(ScratchBytes / 4)) u_run (
    .clk_i, .rst_ni, .start_i(start), .idle_o(idle), .done_o(done), .abort_i(abort),
    .keep_i(settings.mode.keep), .code_o(run_code), .detail_o(run_detail),
    .cycles_o(count_cycles), .load_o(load), .loaded_i(loaded), .load_error_i(load_error),
    .load_at_i(load_at), .core_rst_no(core_rst_n), .clear_o(clear), .clear_index_o(clear_index),
    .begin_o(begins), .run_o(run), .discard_o(discard), .stop_memory_o(stop_memory),
    .closed_i(closed), .inside_i(taking), .core_idle_i(core_idle),
    .answers_idle_i(!answers_busy && !leaving[0]), .memory_quiet_i(&quiet),
    .memory_error_i(|bus_error), .grid_trap_i(trap.grid), .scalar_trap_i(trap.scalar),
    .grid_pc_i(trap.pc), .scalar_pc_i(cycle.pc)
  );

  // The way in
  logic packet_valid, beat_valid, beat_ready, beat_last, core_valid, core_ready, core_last;
  logic [HeadBits-1:0] header;
  logic [31:0] packet_bytes;
  beat_t beat, core_beat;
  logic forward_valid, forward_ready, forward_last, handled, forwarded, dropped;
  beat_t forward_data;
  logic [BeatBytes-1:0] forward_keep;
  acis_frame_in #(.Bytes(BeatBytes), .HeaderBytes(HeaderBytes), .Beats(Beats), .Packets(Packets))
  u_frame_in (
    .clk_i, .rst_ni, .handle_i(settings.mode.handle), .forward_i(settings.mode.forward),
    .port_i(settings.port), .in_valid_i(in_tvalid_i), .in_ready_o(in_tready_o),
    .in_data_i(in_tdata_i), .in_keep_i(in_tkeep_i), .in_last_i(in_tlast_i),
    .packet_valid_o(packet_valid), .packet_header_o(header), .packet_bytes_o(packet_bytes),
    .beat_valid_o(beat_valid), .beat_ready_i(beat_ready), .beat_data_o(beat),
    .beat_last_o(beat_last), .forward_valid_o(forward_valid), .forward_ready_i(forward_ready),
    .forward_data_o(forward_data), .forward_keep_o(forward_keep), .forward_last_o(forward_last),
    .handled_o(handled), .forwarded_o(forwarded), .dropped_o(dropped)
  );
  acis_admission #(.Bytes(BeatBytes)) u_admission (
    .clk_i, .rst_ni, .start_i(begins), .run_i(run), .stop_i(stop), .discard_i(discard),
    .limit_i(settings.packets), .admitted_o(count_admitted), .closed_o(closed),
    .inside_o(taking), .beat_valid_i(beat_valid), .beat_ready_o(beat_ready), .beat_data_i(beat),
    .beat_last_i(beat_last), .core_valid_o(core_valid), .core_ready_i(core_ready),
    .core_data_o(core_beat), .core_last_o(core_last)
  );

  // The way out
  logic out_valid, out_ready, out_last, out_eop, too_long;
  beat_t out_data;
  logic [CountBits-1:0] out_bytes;
  logic answer_valid, answer_ready, answer_last;
  beat_t answer_data;
  logic [BeatBytes-1:0] answer_keep;
  acis_assembler #(.Bytes(BeatBytes), .HeaderBytes(HeaderBytes), .Beats(Beats),
                   .Waiting(64), .Open(FifoBeats + 48)) u_assembler (
    .clk_i, .rst_ni(core_rst_n), .swap_i(settings.mode.swap), .packet_i(cycle.packet && run),
    .header_i(header), .owns_i(cycle.owns && run), .begins_i(cycle.begins && run),
    .core_valid_i(out_valid && run), .core_ready_o(out_ready), .core_data_i(out_data),
    .core_bytes_i(out_bytes), .core_last_i(out_last), .core_eop_i(out_eop && run),
    .out_valid_o(answer_valid), .out_ready_i(answer_ready), .out_data_o(answer_data),
    .out_keep_o(answer_keep), .out_last_o(answer_last), .busy_o(answers_busy),
    .too_long_o(too_long)
  );
  acis_collector #(.Bytes(BeatBytes), .Sources(2)) u_collector (
    .clk_i, .rst_ni, .in_valid_i({forward_valid, answer_valid}),
    .in_ready_o({forward_ready, answer_ready}), .in_data_i({forward_data, answer_data}),
    .in_keep_i({forward_keep, answer_keep}), .in_last_i({forward_last, answer_last}),
    .out_valid_o(out_tvalid_o), .out_ready_i(out_tready_i), .out_data_o(out_tdata_o),
    .out_keep_o(out_tkeep_o), .out_last_o(out_tlast_o), .busy_o(leaving)
  );

  // The program
  logic load_arvalid, load_rready, cfg_we;
  logic [63:0] load_araddr;
  logic [7:0] load_arlen;
  logic [31:0] cfg_address, code_words, entry;
  logic [511:0] cfg_data;
  logic [6:0] first_context;
  logic [7:0] context_count;
  acis_loader u_loader (
    .clk_i, .rst_ni, .start_i(load), .base_i(base[0]), .memory_bytes_i(settings.memory_bytes),
    .busy_o(loading), .done_o(loaded), .error_o(load_error), .at_o(load_at),
    .arvalid_o(load_arvalid), .arready_i(m_i[0].axi.arready), .araddr_o(load_araddr),
    .arlen_o(load_arlen), .rvalid_i(m_i[0].axi.rvalid && loading), .rready_o(load_rready),
    .rdata_i(m_i[0].data), .rresp_i(m_i[0].axi.rresp), .cfg_we_o(cfg_we),
    .cfg_address_o(cfg_address), .cfg_data_o(cfg_data), .code_words_o(code_words),
    .entry_o(entry), .first_context_o(first_context), .context_count_o(context_count)
  );

  // The core
  memory_request_t pe_request[NumPes], scalar_request;
  memory_response_t pe_response[NumPes], scalar_response;
  acis_core #(.PumpedVrf(PumpedVrf)) u_core (
    .clk_i, .clk_ram_i, .rst_ni(core_rst_n), .cfg_we_i(cfg_we || clear),
    .cfg_address_i(clear ? {acis_isa_pkg::TableClear, 8'd0, clear_index[19:0]} : cfg_address),
    .cfg_data_i(cfg_data), .code_words_i(code_words), .entry_i(entry),
    .first_context_i(first_context), .context_count_i(context_count),
    .memory_bytes_i(settings.memory_bytes),
    .deadline_i(settings.deadline == '0 ? '1 : settings.deadline), .run_i(run),
    .in_valid_i(core_valid), .in_ready_o(core_ready), .in_data_i(core_beat),
    .in_last_i(core_last), .in_bytes_i(packet_bytes), .out_valid_o(out_valid),
    .out_ready_i(out_ready && run), .out_data_o(out_data), .out_bytes_o(out_bytes),
    .out_last_o(out_last), .out_eop_o(out_eop),
    .memory_o(pe_request), .memory_i(pe_response), .scalar_memory_o(scalar_request),
    .scalar_memory_i(scalar_response), .idle_o(core_idle), .hardware_o(count_hardware),
    .cycle_o(cycle), .trap_o(trap)
  );

  // Memory port 0: the scalar unit's address and data go together; the loader's requests go
  // past the translation, while nothing of the scalar unit's is on its way.
  memory_request_t request0;
  memory_response_t response0;
  card_request_t card_request0;
  card_response_t card_response0;
  acis_memory_port #(.Banks(MemBanks), .Interleave(MemInterleaveBytes)) u_port0 (
    .clk_i, .rst_ni, .base_i(base[Ports]), .shift_i(settings.bank_shift), .stop_i(stop_memory),
    .quiet_o(quiet[0]), .error_o(bus_error[0]), .core_i(request0), .core_o(response0),
    .card_o(card_request0), .card_i(card_response0)
  );
  always_comb begin
    request0 = scalar_request;
    request0.axi.awvalid = scalar_request.axi.awvalid && response0.axi.wready;
    request0.axi.wvalid = scalar_request.axi.wvalid && response0.axi.awready;
    scalar_response = response0;
    scalar_response.axi.awready = response0.axi.awready && response0.axi.wready;
    card_response0 = m_i[0];
    card_response0.axi.arready = m_i[0].axi.arready && !loading;
    card_response0.axi.rvalid = m_i[0].axi.rvalid && !loading;
    m_o[0] = card_request0;
    if (loading) begin
      m_o[0].axi.arvalid = load_arvalid;
      m_o[0].axi.araddr = load_araddr;
      m_o[0].axi.arlen = load_arlen;
      m_o[0].axi.rready = load_rready;
    end
  end

  // What parts offer and the shell does not need.
  logic unused;
  assign unused = ^{leaving[1], clear_index[31:20]};

  // The PEs' ports
  for (genvar p = 0; p < int'(NumPes); ++p) begin : g_pe
    if (PeMemory[p]) begin : g_port
      localparam int unsigned P = 1 + $countones(PeMemory & ((NumPes'(1) << p) - NumPes'(1)));
      acis_memory_port #(.Banks(MemBanks), .Interleave(MemInterleaveBytes)) u_port (
        .clk_i, .rst_ni, .base_i(base[P]), .shift_i(settings.bank_shift), .stop_i(stop_memory),
        .quiet_o(quiet[P]), .error_o(bus_error[P]), .core_i(pe_request[p]), .core_o(pe_response[p]),
        .card_o(m_o[P]), .card_i(m_i[P])
      );
    end else begin : g_none
      assign pe_response[p] = '0;
    end
  end

  // What a run counts
  logic answered;
  assign answered = answer_valid && answer_ready && answer_last;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      {count_handled, count_forwarded, count_dropped} <= '0;
      {count_answered, count_too_long} <= '0;
    end else begin
      count_handled <= count_handled + 32'(handled);
      count_forwarded <= count_forwarded + 32'(forwarded);
      count_dropped <= count_dropped + 32'(dropped);
      count_answered <= (begins ? '0 : count_answered) + 32'(answered);
      count_too_long <= (begins ? '0 : count_too_long) + 32'(too_long && run);
    end

  `ACIS_ASSERT_INIT(Ports_A, Ports == 1 + $countones(PeMemory) && Ports <= 32)
  `ACIS_ASSERT(HeaderOfPacket_A, !cycle.packet || packet_valid)
  `ACIS_ASSERT(LoaderAlone_A, !loading || quiet[0])
endmodule
