// The overlay without its shell: tables that the loader writes, packets in and out, memory
// ports, and signals from which a simulation counts and traces.
//
// Configuration word address: table (table_e) in bits 31:28, PE in 27:20, index in 19:0. A write
// to TableClear clears a beat of every register file and a word of the scratch memory, one to
// TableRegisters fills a beat of the PE's register file.
`include "acis_assert.svh"

module acis_core
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_bus_pkg::*;
  import acis_isa_pkg::*;
#(
  parameter bit PumpedVrf = 1'b0   // register files in memory blocks
) (
  input  logic                  clk_i,
  input  logic                  clk_ram_i,     // four times clk_i, edges aligned, if PumpedVrf
  input  logic                  rst_ni,

  // Loading, before run_i
  input  logic                  cfg_we_i,
  input  logic [31:0]           cfg_address_i,
  input  logic [511:0]          cfg_data_i,
  input  logic [31:0]           code_words_i,
  input  logic [31:0]           entry_i,
  input  logic [6:0]            first_context_i,
  input  logic [7:0]            context_count_i,
  input  logic [31:0]           memory_bytes_i,
  input  logic [63:0]           deadline_i,
  input  logic                  run_i,         // 0: invocations do not start

  // Packets in
  input  logic                  in_valid_i,
  output logic                  in_ready_o,
  input  beat_t                 in_data_i,
  input  logic                  in_last_i,
  input  logic [31:0]           in_bytes_i,

  // Packets out, without header
  output logic                  out_valid_o,
  input  logic                  out_ready_i,
  output beat_t                 out_data_o,
  output logic [CountBits-1:0]  out_bytes_o,
  output logic                  out_last_o,
  output logic                  out_eop_o,

  // Memory: a port per PE, and the scalar unit's
  output memory_request_t       memory_o[NumPes],
  input  memory_response_t      memory_i[NumPes],
  output memory_request_t       scalar_memory_o,
  input  memory_response_t      scalar_memory_i,

  // At the start of the cycle: nothing runs and everything has left. Stores of the scalar
  // unit may still wait for their acknowledgement.
  output logic                  idle_o,
  output logic [63:0]           hardware_o,     // hash of all sizes

  output cycle_t                cycle_o,
  output trap_t                 trap_o
);
  assign hardware_o = Hardware;
  config_t cfg;
  assign cfg = '{we: cfg_we_i, table_: table_e'(cfg_address_i[31:28]), pe: cfg_address_i[27:20],
                 index: cfg_address_i[19:0], data: cfg_data_i};
  logic [63:0] cycle_q;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni)
      cycle_q <= '0;
    else if (run_i)
      cycle_q <= cycle_q + 64'd1;

  // Sequencer and grid
  array_t array;
  move_t move;
  head_t head;
  fold_t fold;
  due_t due;
  push_t push_data;
  result_t result[NumPes];
  enqueue_t enqueue;
  args_write_t args_write;
  queue_t queue, queue_post;
  fetch_t fetch;
  vector_access_t vector[NumPes];
  pop_t pop_access;
  next_slot_t next_slot;
  args_t args;
  logic [NumPes-1:0] vector_done;
  logic reads_idle, reads_quiet, scalar_active, writes_idle, writes, store_idle;
  logic [15:0][31:0] results;
  logic pop, pop_ready, push, push_ready;
  logic [CountBits-1:0] push_bytes;
  format_t push_format;
  beat_t pop_data;
  stall_e cause;
  logic [31:0] iterations, pcs_q[ArgSets], vector_pc, grid_pc;   // by set of arguments, of the launch
  logic [6:0] context_at;
  logic [15:0] slot_at;
  pe_trap_t grid_trap;
  logic [7:0] grid_trap_pe;

  acis_sequencer i_sequencer (
    .clk_i, .rst_ni, .cfg_i(cfg), .enqueue_i(enqueue), .queue_post_o(queue_post), .queue_o(queue),
    .results_post_o(results),
    .array_o(array), .move_o(move), .next_slot_o(next_slot), .head_o(head), .fold_o(fold),
    .fetch_o(fetch), .vector_o(vector), .vector_done_i(vector_done),
    .due_i(due), .result_i(result), .writes_idle_i(writes_idle && store_idle),
    .pop_o(pop), .pop_access_o(pop_access), .pop_ready_i(pop_ready), .push_o(push),
    .push_bytes_o(push_bytes),
    .push_format_o(push_format), .push_ready_i(push_ready), .cause_o(cause), .iterations_o(iterations),
    .trace_context_o(context_at), .trace_slot_o(slot_at)
  );

  assign args_write = '{we: enqueue.on && enqueue.launch.kind == LaunchLoop,
                        argSet: enqueue.launch.argSet, args: args};
  acis_grid #(.PumpedVrf(PumpedVrf)) i_grid (
    .clk_i, .clk_ram_i, .rst_ni, .cfg_i(cfg), .array_i(array), .move_i(move),
    .next_slot_i(next_slot), .head_i(head), .fold_i(fold),
    .args_i(args_write), .fetch_i(fetch), .vector_i(vector), .vector_done_o(vector_done),
    .memory_bytes_i, .due_o(due), .push_o(push_data), .result_o(result),
    .reads_idle_o(reads_idle), .reads_quiet_o(reads_quiet),
    .writes_idle_o(writes_idle), .writes_o(writes), .pop_i(pop_access), .pop_data_i(pop_data),
    .push_format_i(push_format), .trap_o(grid_trap), .trap_pe_o(grid_trap_pe),
    .trap_pc_o(vector_pc), .memory_o, .memory_i
  );
  // A trap is of what the array does, and of the launches that were there when that was decided.
  typedef struct packed {
    logic        we;
    logic [3:0]  argSet;
    logic [31:0] pc;
  } launched_t;
  launched_t launched, done_launched;
  assign launched = '{we: args_write.we, argSet: args_write.argSet, pc: enqueue.launch.pc};
  acis_follow #(.Width($bits(launched_t))) i_launched
    (.clk_i, .rst_ni, .d_i(launched), .q_o(done_launched));
  always_ff @(posedge clk_i)
    if (done_launched.we)
      pcs_q[done_launched.argSet] <= done_launched.pc;
  assign grid_pc = grid_trap.isVector ? vector_pc : pcs_q[grid_trap.argSet];

  instruction_t ask;
  answer_t answer;
  scalar_trap_t ctl_trap;
  vector_state_t vectors;
  in_command_t in_command;
  scalar_read_t in_read;
  out_command_t out_command;
  scalar_write_t out_write;
  logic running, begins, retires, owns, unit_trap, late, stopped_q;
  logic [31:0] next_pc, unit_value;
  packet_t packet;
  tiles_t tiles;
  logic [4:0] unit_code;

  // Streams
  logic packet_room, packet_waiting, in_space, in_space_before, in_idle;
  logic in_scalar_ready, in_busy;
  logic [31:0] in_pc;
  logic exhausted;
  logic [CountBits-1:0] taken;
  acis_stream_in i_stream_in (
    .clk_i, .rst_ni, .wire_valid_i(in_valid_i && run_i), .wire_ready_o(in_ready_o),
    .wire_data_i(in_data_i), .wire_last_i(in_last_i), .wire_bytes_i(in_bytes_i),
    .packet_o(packet.on), .packet_bytes_o(packet.bytes), .packet_room_i(packet_room),
    .ready_o(pop_ready), .pop_bytes_i(pop_access.bytes), .pop_i(pop), .data_o(pop_data),
    .space_post_o(in_space), .space_o(in_space_before), .idle_o(in_idle), .read_i(in_command.read),
    .end_i(in_command.end_),
    .position_i(in_command.position), .bytes_i(in_command.bytes), .pc_i(ask.pc), .scalar_i(in_read.on),
    .scalar_bytes_i(in_read.bytes), .scalar_at_i(in_read.at), .scalar_first_i(in_read.first),
    .scalar_ready_o(in_scalar_ready), .busy_o(in_busy), .exhausted_o(exhausted),
    .waiting_pc_o(in_pc), .taken_o(taken)
  );
  logic out_space, out_space_before, out_idle, out_room, out_scalar;
  logic out_busy, out_beat, out_flush;
  logic [15:0] pushed;
  logic [CountBits-1:0] kept, left_out;   // bytes of a loop's push
  acis_stream_out i_stream_out (
    .clk_i, .rst_ni, .ready_o(push_ready), .push_bytes_i(push_bytes), .push_i(push),
    .sends_i(push_data.sends), .push_data_i(push_data.data), .kept_o(kept), .left_out_o(left_out),
    .space_post_o(out_space),
    .space_o(out_space_before), .idle_o(out_idle), .room_o(out_room),
    .write_i(out_command.write), .end_i(out_command.end_), .bytes_i(out_command.bytes),
    .scalar_i(out_scalar),
    .scalar_bytes_i(out_write.bytes), .scalar_data_i(out_write.data), .valid_o(out_valid_o),
    .ready_i(out_ready_i), .data_o(out_data_o), .bytes_o(out_bytes_o), .last_o(out_last_o),
    .eop_o(out_eop_o), .busy_o(out_busy), .full_beat_o(out_beat), .partial_beat_o(out_flush)
  );
  assign pushed = 16'(kept) + (out_scalar ? 16'(out_write.bytes) : 16'd0);

  // Scalar unit. With a pipeline it sees the array as it was at the end of the cycle before.
  localparam bit Before = ScalarPipeline != 0;
  queue_t seen;
  assign seen = '{space: Before ? queue.space : queue_post.space,
                  loops_idle: Before ? queue.loops_idle : queue_post.loops_idle,
                  idle: Before ? queue.idle : queue_post.idle};
  acis_scalar i_scalar (
    .clk_i, .rst_ni, .code_we_i(cfg.we && cfg.table_ == TableCode), .code_index_i(32'(cfg.index)),
    .code_data_i(cfg.data[31:0]), .code_words_i,
    .entry_i, .start_i(packet_waiting && run_i), .running_o(running),
    .begins_o(begins), .active_o(scalar_active), .stop_i(stopped_q),
    .ask_o(ask.on), .word_o(ask.word), .pc_o(ask.pc), .a_o(ask.a), .b_o(ask.b), .rd_o(ask.rd),
    .rs1_o(ask.rs1),
    .done_i(answer.done), .trap_i(ctl_trap.on), .end_i(answer.end_), .value_i(answer.value),
    .retire_o(retires), .next_pc_o(next_pc),
    .trap_o(unit_trap),
    .trap_code_o(unit_code), .trap_value_o(unit_value)
  );
  acis_control i_control (
    .clk_i, .rst_ni, .cfg_i(cfg), .handler_i('{
      first_context: first_context_i, context_count: context_count_i, memory_bytes: memory_bytes_i,
      deadline: deadline_i}),
    .cycle_i(cycle_q), .packet_i(packet), .packet_room_o(packet_room),
    .packet_waiting_o(packet_waiting), .owns_o(owns), .begins_i(begins), .running_i(running),
    .retire_i(retires), .ask_i(ask), .answer_o(answer), .trap_o(ctl_trap), .late_o(late),
    .vector_o(vectors), .enqueue_o(enqueue), .args_o(args), .queue_i(seen), .results_i(results),
    .in_space_i(Before ? in_space_before : in_space), .in_idle_i(in_idle), .in_command_o(in_command),
    .in_read_o(in_read), .in_ready_i(in_scalar_ready), .in_data_i(pop_data[31:0]),
    .out_space_i(Before ? out_space_before : out_space), .out_idle_i(out_idle), .out_room_i(out_room),
    .out_left_i(left_out), .out_command_o(out_command),
    .out_scalar_o(out_scalar), .out_write_o(out_write),
    .ports_idle_i(writes_idle && (Before ? reads_quiet : reads_idle && !writes)),
    .store_idle_o(store_idle), .memory_o(scalar_memory_o), .memory_i(scalar_memory_i),
    .tiles_o(tiles)
  );
  assign cycle_o = '{
    cause: cause, iterations: iterations, retires: retires, word: ask.word, pc: ask.pc, nextPc: next_pc,
    tiles: tiles.now, tilesTotal: tiles.total, running: running, begins: begins,
    ends: answer.end_,             // between invocations there is nothing else to wait for
    waiting: answer.waiting, launches: enqueue.on, launchContext: enqueue.launch.context_,
    launchVector: enqueue.launch.isVector, sequencerIdle: queue_post.idle, packet: packet.on,
    owns: owns, taken: 16'(taken), exhausted: exhausted, inPc: in_pc, pushed: pushed,
    outBeat: out_beat, outFlush: out_flush, outBusy: out_busy, context_: context_at, slot: slot_at,
    advance: move.advance
  };
  assign trap_o = '{
    grid: grid_trap.on, pe: grid_trap_pe, memory: grid_trap.memory, isVector: grid_trap.isVector,
    value: grid_trap.value, base: grid_trap.base, limit: grid_trap.limit, pc: grid_pc,
    scalar: (unit_trap || ctl_trap.on || late) && !stopped_q,
    code: unit_trap ? unit_code : ctl_trap.on ? ctl_trap.code : TrapDeadline,
    scalarValue: unit_trap ? {32'd0, unit_value} : ctl_trap.value, other: ctl_trap.other, a: ask.a,
    vl: vectors.vl, vtype: vectors.vtype, vpemask: vectors.vpemask, vpestride: vectors.vpestride
  };
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni)
      stopped_q <= 1'b0;
    else
      stopped_q <= stopped_q || unit_trap || ctl_trap.on || late;

  assign idle_o = queue.idle && reads_quiet && writes_idle && !in_busy && !out_busy
               && !scalar_active && !packet_waiting;

  // A run is over when everything has left: nothing is on a port any more.
  logic asks_memory;
  always_comb begin
    asks_memory = scalar_memory_o.axi.awvalid;
    for (int p = 0; p < int'(NumPes); ++p)
      asks_memory |= memory_o[p].axi.arvalid || memory_o[p].axi.awvalid || memory_o[p].axi.wvalid;
  end
  logic push_on;
  assign push_on = push_data.on;
  `ACIS_ASSERT(PushIsMade_A, (kept == '0 && left_out == '0) || push_on)
  `ACIS_ASSERT(IdleIsQuiet_A, !idle_o || (!out_valid_o && !asks_memory))
endmodule
