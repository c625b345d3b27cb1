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
  input  logic                            s_awvalid_i,
  output logic                            s_awready_o,
  input  logic [11:0]                     s_awaddr_i,
  input  logic                            s_wvalid_i,
  output logic                            s_wready_o,
  input  logic [31:0]                     s_wdata_i,
  input  logic [3:0]                      s_wstrb_i,
  output logic                            s_bvalid_o,
  input  logic                            s_bready_i,
  output logic [1:0]                      s_bresp_o,
  input  logic                            s_arvalid_i,
  output logic                            s_arready_o,
  input  logic [11:0]                     s_araddr_i,
  output logic                            s_rvalid_o,
  input  logic                            s_rready_i,
  output logic [31:0]                     s_rdata_o,
  output logic [1:0]                      s_rresp_o,

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
  output logic [Ports-1:0]                m_arvalid_o,
  input  logic [Ports-1:0]                m_arready_i,
  output logic [Ports-1:0][63:0]          m_araddr_o,
  output logic [Ports-1:0][7:0]           m_arlen_o,
  input  logic [Ports-1:0]                m_rvalid_i,
  output logic [Ports-1:0]                m_rready_o,
  input  logic [Ports-1:0][BeatBits-1:0]  m_rdata_i,
  input  logic [Ports-1:0][1:0]           m_rresp_i,
  input  logic [Ports-1:0]                m_rlast_i,
  output logic [Ports-1:0]                m_awvalid_o,
  input  logic [Ports-1:0]                m_awready_i,
  output logic [Ports-1:0][63:0]          m_awaddr_o,
  output logic [Ports-1:0][7:0]           m_awlen_o,
  output logic [Ports-1:0]                m_wvalid_o,
  input  logic [Ports-1:0]                m_wready_i,
  output logic [Ports-1:0][BeatBits-1:0]  m_wdata_o,
  output logic [Ports-1:0][BeatBytes-1:0] m_wstrb_o,
  output logic [Ports-1:0]                m_wlast_o,
  input  logic [Ports-1:0]                m_bvalid_i,
  output logic [Ports-1:0]                m_bready_o,
  input  logic [Ports-1:0][1:0]           m_bresp_i
);
  localparam int unsigned HeadBits = HeaderBytes * 8;

  // Registers and the run
  logic start, done, idle, stop, abort;
  code_e run_code;
  logic [31:0] run_detail, count_admitted, count_answered, count_handled, count_forwarded;
  logic [31:0] count_dropped, count_too_long, count_tiles;
  logic [63:0] count_cycles, count_hardware;
  logic [Ports:0][63:0] base;
  settings_t settings;
  acis_registers #(.Bases(Ports + 1), .Chain(Chain)) u_registers (
    .clk_i, .rst_ni, .awvalid_i(s_awvalid_i), .awready_o(s_awready_o), .awaddr_i(s_awaddr_i),
    .wvalid_i(s_wvalid_i), .wready_o(s_wready_o), .wdata_i(s_wdata_i), .wstrb_i(s_wstrb_i),
    .bvalid_o(s_bvalid_o), .bready_i(s_bready_i), .bresp_o(s_bresp_o), .arvalid_i(s_arvalid_i),
    .arready_o(s_arready_o), .araddr_i(s_araddr_i), .rvalid_o(s_rvalid_o),
    .rready_i(s_rready_i), .rdata_o(s_rdata_o), .rresp_o(s_rresp_o), .interrupt_o,
    .start_o(start), .ready_i(done), .done_i(done), .idle_i(idle), .stop_o(stop),
    .abort_o(abort), .base_o(base), .settings_o(settings), .status_i('{
      code: run_code, detail: run_detail, admitted: count_admitted, answered: count_answered,
      handled: count_handled, forwarded: count_forwarded, dropped: count_dropped,
      too_long: count_too_long, tiles: count_tiles, cycles: count_cycles,
      hardware: count_hardware})
  );

  logic core_rst_n, clear, begins, run, discard, stop_memory, load, loaded, loading;
  logic closed, taking, core_idle, answers_busy, grid_trap, scalar_trap;
  logic [1:0] leaving;             // by source of the collector
  logic [31:0] clear_index, grid_pc, scalar_pc, load_at;
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
    .memory_error_i(|bus_error), .grid_trap_i(grid_trap), .scalar_trap_i(scalar_trap),
    .grid_pc_i(grid_pc), .scalar_pc_i(scalar_pc)
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
  logic packet, owns, invocation, out_valid, out_ready, out_last, out_eop, too_long;
  beat_t out_data;
  logic [CountBits-1:0] out_bytes;
  logic answer_valid, answer_ready, answer_last;
  beat_t answer_data;
  logic [BeatBytes-1:0] answer_keep;
  acis_assembler #(.Bytes(BeatBytes), .HeaderBytes(HeaderBytes), .Beats(Beats),
                   .Waiting(64), .Open(FifoBeats + 48)) u_assembler (
    .clk_i, .rst_ni(core_rst_n), .swap_i(settings.mode.swap), .packet_i(packet && run),
    .header_i(header), .owns_i(owns && run), .begins_i(invocation && run),
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
    .arvalid_o(load_arvalid), .arready_i(m_arready_i[0]), .araddr_o(load_araddr),
    .arlen_o(load_arlen), .rvalid_i(m_rvalid_i[0] && loading), .rready_o(load_rready),
    .rdata_i(m_rdata_i[0]), .rresp_i(m_rresp_i[0]), .cfg_we_o(cfg_we),
    .cfg_address_o(cfg_address), .cfg_data_o(cfg_data), .code_words_o(code_words),
    .entry_o(entry), .first_context_o(first_context), .context_count_o(context_count)
  );

  // The core
  logic [NumPes-1:0] pe_arvalid, pe_arready, pe_rvalid, pe_rlast, pe_awvalid, pe_awready;
  logic [NumPes-1:0] pe_wvalid, pe_wready, pe_wlast, pe_bvalid;
  logic [NumPes-1:0][31:0] pe_araddr, pe_awaddr;
  logic [NumPes-1:0][7:0] pe_arlen, pe_awlen;
  beat_t pe_rdata[NumPes], pe_wdata[NumPes];
  logic [BeatBytes-1:0] pe_wstrb[NumPes];
  logic u_arvalid, u_arready, u_rvalid, u_awvalid, u_awready, u_bvalid;
  logic [31:0] u_araddr, u_awaddr;
  beat_t u_rdata, u_wdata;
  logic [BeatBytes-1:0] u_wstrb;
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
    .arvalid_o(pe_arvalid), .arready_i(pe_arready), .araddr_o(pe_araddr), .arlen_o(pe_arlen),
    .rvalid_i(pe_rvalid), .rlast_i(pe_rlast), .rdata_i(pe_rdata), .awvalid_o(pe_awvalid),
    .awready_i(pe_awready), .awaddr_o(pe_awaddr), .awlen_o(pe_awlen), .wvalid_o(pe_wvalid),
    .wready_i(pe_wready), .wdata_o(pe_wdata), .wstrb_o(pe_wstrb), .wlast_o(pe_wlast),
    .bvalid_i(pe_bvalid), .scalar_arvalid_o(u_arvalid), .scalar_arready_i(u_arready),
    .scalar_araddr_o(u_araddr), .scalar_rvalid_i(u_rvalid), .scalar_rdata_i(u_rdata),
    .scalar_awvalid_o(u_awvalid), .scalar_awready_i(u_awready), .scalar_awaddr_o(u_awaddr),
    .scalar_wdata_o(u_wdata), .scalar_wstrb_o(u_wstrb), .scalar_bvalid_i(u_bvalid),
    .idle_o(core_idle), .hardware_o(count_hardware), .packet_o(packet), .owns_o(owns),
    .begins_o(invocation), .grid_trap_o(grid_trap), .trap_pc_o(grid_pc),
    .scalar_trap_o(scalar_trap), .pc_o(scalar_pc), .tiles_total_o(count_tiles)
  );

  // Memory port 0: the scalar unit's address and data go together; the loader's requests go
  // past the translation, while nothing of the scalar unit's is on its way.
  logic arvalid0;
  logic [63:0] araddr0;
  logic [7:0] arlen0;
  logic aw_ready, w_ready, rlast0;
  acis_memory_port #(.Bytes(BeatBytes), .Banks(MemBanks), .Interleave(MemInterleaveBytes))
  u_port0 (
    .clk_i, .rst_ni, .base_i(base[Ports]), .shift_i(settings.bank_shift), .stop_i(stop_memory),
    .quiet_o(quiet[0]), .error_o(bus_error[0]), .arvalid_i(u_arvalid), .arready_o(u_arready),
    .araddr_i(u_araddr), .arlen_i(8'd0), .rvalid_o(u_rvalid), .rlast_o(rlast0),
    .rdata_o(u_rdata), .awvalid_i(u_awvalid && w_ready), .awready_o(aw_ready),
    .awaddr_i(u_awaddr), .awlen_i(8'd0), .wvalid_i(u_awvalid && aw_ready), .wready_o(w_ready),
    .wdata_i(u_wdata), .wstrb_i(u_wstrb), .wlast_i(1'b1), .bvalid_o(u_bvalid),
    .m_arvalid_o(arvalid0), .m_arready_i(m_arready_i[0] && !loading), .m_araddr_o(araddr0),
    .m_arlen_o(arlen0), .m_rvalid_i(m_rvalid_i[0] && !loading), .m_rdata_i(m_rdata_i[0]),
    .m_rresp_i(m_rresp_i[0]), .m_rlast_i(m_rlast_i[0]), .m_awvalid_o(m_awvalid_o[0]),
    .m_awready_i(m_awready_i[0]), .m_awaddr_o(m_awaddr_o[0]), .m_awlen_o(m_awlen_o[0]),
    .m_wvalid_o(m_wvalid_o[0]), .m_wready_i(m_wready_i[0]), .m_wdata_o(m_wdata_o[0]),
    .m_wstrb_o(m_wstrb_o[0]), .m_wlast_o(m_wlast_o[0]), .m_bvalid_i(m_bvalid_i[0]),
    .m_bresp_i(m_bresp_i[0])
  );
  assign u_awready = aw_ready && w_ready;
  assign m_arvalid_o[0] = loading ? load_arvalid : arvalid0;
  assign m_araddr_o[0] = loading ? load_araddr : araddr0;
  assign m_arlen_o[0] = loading ? load_arlen : arlen0;
  assign m_rready_o[0] = loading ? load_rready : 1'b1;
  assign m_bready_o = '1;

  // What parts offer and the shell does not need.
  logic unused;
  assign unused = ^{leaving[1], clear_index[31:20], rlast0};

  // The PEs' ports
  for (genvar p = 0; p < int'(NumPes); ++p) begin : g_pe
    if (PeMemory[p]) begin : g_port
      localparam int unsigned P = 1 + $countones(PeMemory & ((NumPes'(1) << p) - NumPes'(1)));
      acis_memory_port #(.Bytes(BeatBytes), .Banks(MemBanks), .Interleave(MemInterleaveBytes))
      u_port (
        .clk_i, .rst_ni, .base_i(base[P]), .shift_i(settings.bank_shift), .stop_i(stop_memory),
        .quiet_o(quiet[P]), .error_o(bus_error[P]), .arvalid_i(pe_arvalid[p]),
        .arready_o(pe_arready[p]), .araddr_i(pe_araddr[p]), .arlen_i(pe_arlen[p]),
        .rvalid_o(pe_rvalid[p]), .rlast_o(pe_rlast[p]), .rdata_o(pe_rdata[p]),
        .awvalid_i(pe_awvalid[p]), .awready_o(pe_awready[p]), .awaddr_i(pe_awaddr[p]),
        .awlen_i(pe_awlen[p]), .wvalid_i(pe_wvalid[p]), .wready_o(pe_wready[p]),
        .wdata_i(pe_wdata[p]), .wstrb_i(pe_wstrb[p]), .wlast_i(pe_wlast[p]),
        .bvalid_o(pe_bvalid[p]), .m_arvalid_o(m_arvalid_o[P]), .m_arready_i(m_arready_i[P]),
        .m_araddr_o(m_araddr_o[P]), .m_arlen_o(m_arlen_o[P]), .m_rvalid_i(m_rvalid_i[P]),
        .m_rdata_i(m_rdata_i[P]), .m_rresp_i(m_rresp_i[P]), .m_rlast_i(m_rlast_i[P]),
        .m_awvalid_o(m_awvalid_o[P]), .m_awready_i(m_awready_i[P]),
        .m_awaddr_o(m_awaddr_o[P]), .m_awlen_o(m_awlen_o[P]), .m_wvalid_o(m_wvalid_o[P]),
        .m_wready_i(m_wready_i[P]), .m_wdata_o(m_wdata_o[P]), .m_wstrb_o(m_wstrb_o[P]),
        .m_wlast_o(m_wlast_o[P]), .m_bvalid_i(m_bvalid_i[P]), .m_bresp_i(m_bresp_i[P])
      );
      assign m_rready_o[P] = 1'b1;
    end else begin : g_none
      assign {pe_arready[p], pe_rvalid[p], pe_rlast[p], pe_awready[p], pe_wready[p]} = '0;
      assign {pe_bvalid[p], pe_rdata[p]} = '0;
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
  `ACIS_ASSERT(HeaderOfPacket_A, !packet || packet_valid)
  `ACIS_ASSERT(LoaderAlone_A, !loading || quiet[0])
endmodule
