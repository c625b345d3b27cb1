// The launch queue: launches wait here until their loop starts, or they become a vector load or store
// that runs beside the grid (acis_transfers). docs/timing.md says when.
//
// What the tables say of a launch is looked up when it is put into the queue. In a cycle, a vector
// load or store may leave the queue; a memory read may begin; a loop may start. Whether one can is
// found for each entry that may then be the first. Outputs named *_post include this cycle's changes.
//
// With a launch latency a loop starts no earlier than in the cycle after the one in which it could, so
// that whether it may is a register. With 2 that is followed by another one: a launch is looked at for
// two cycles, in both of which it is the first of the queue at their start.
`include "acis_assert.svh"

module acis_launches
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_bus_pkg::*;
  import acis_isa_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,

  // Tables: loop records, or what is derived from them
  input  config_t             cfg_i,

  // From the scalar unit
  input  enqueue_t            enqueue_i,
  output logic [SlotBits-1:0] word_o,           // of its first slot,
  input  pop_record_t         pop_i,            // and the pop that the tables have there
  output logic                space_post_o,
  output logic                idle_post_o,      // no launch waits
  output logic                transfers_idle_post_o,
  output logic                space_o,          // these two at the start of the cycle
  output logic                idle_o,
  output logic                quiet_o,          // neither, at the start of the cycle

  // The loop that runs
  input  logic [31:0]         vregs_read_i,
  input  logic [31:0]         vregs_written_i,
  input  logic                reads_memory_i,
  input  logic                writes_memory_i,
  input  logic [3:0]          running_i,        // runs of it, at the start of the cycle
  input  logic                retired_i,        // one of them ends, or its fold

  // The loop that starts, if one may
  input  logic                may_start_i,
  output logic                starts_o,
  output logic                due_o,            // with a launch latency of 2: it starts if it may
  output launch_t             first_o,          // and this is it
  output launch_t             launch_o,         // the next one, whether it starts or not
  output loop_record_t        loop_o,
  output loop_extra_t         extra_o,
  output pop_record_t         pop_o,            // of its first slot
  output stall_e              cause_o,          // why none starts; does not count when one does

  // Memory reads begin
  input  logic                writes_idle_i,
  output fetch_t              fetch_o,

  // Vector loads and stores
  output vector_access_t      vector_o[NumPes],
  input  logic [NumPes-1:0]   vector_done_i,
  output logic [31:0]         finished_o        // iterations of those that end in this cycle
);
  loop_record_t loops_q[MaxContexts];
  loop_extra_t  extras_q[MaxContexts];
  always_ff @(posedge clk_i)
    if (cfg_i.we && cfg_i.table_ == TableLoop)
      loops_q[CtxBits'(cfg_i.index)] <= cfg_i.data[$bits(loop_record_t)-1:0];
  always_ff @(posedge clk_i)
    if (cfg_i.we && cfg_i.table_ == TableLoopExtra)
      extras_q[CtxBits'(cfg_i.index)] <= cfg_i.data[$bits(loop_extra_t)-1:0];

  logic unused;
  logic [2:0] beside;              // vector loads and stores that run, for a simulation
  assign unused = ^beside;

  // A launch in the queue, with what the tables say of it
  typedef struct packed {
    launch_t launch;
    loop_record_t loop;
    loop_extra_t extra;
    pop_record_t pop;              // of the first slot
    logic same;                    // context as the loop before it in the program
  } entry_t;
  typedef struct packed {
    logic valid;
    logic isVector;
    logic [6:0] context_;
    vec_t vec;
  } same_t;
  // State
  entry_t queue_q[QueueDepth], enqueued;
  logic [QueueDepth-1:0] fetching_q;
  logic [2:0] waiting_q;
  same_t newest_q;                 // context of the last loop that was put into the queue

  // 0. A launch comes into the queue.
  loop_record_t vector_loop;
  loop_extra_t vector_extra;
  slot_record_t vector_slot_unused;
  address_record_t vector_address_unused[3];
  acis_vector #(.AsSlot(1'b0)) i_enqueued (
    .vec_i(enqueue_i.launch.vec), .loop_o(vector_loop), .extra_o(vector_extra),
    .slot_o(vector_slot_unused), .address_o(vector_address_unused)
  );
  loop_extra_t context_extra;
  pop_record_t vector_pop;
  assign context_extra = extras_q[CtxBits'(enqueue_i.launch.context_)];
  assign word_o = SlotBits'(context_extra.slotBase);
  always_comb begin
    vector_pop = '0;
    vector_pop.on = vector_loop.streamIn_on;
  end
  assign enqueued = '{
    launch: enqueue_i.launch,
    loop: enqueue_i.launch.isVector ? vector_loop : loops_q[CtxBits'(enqueue_i.launch.context_)],
    extra: enqueue_i.launch.isVector ? vector_extra : context_extra,
    pop: enqueue_i.launch.isVector ? vector_pop : pop_i,
    same: newest_q.valid && newest_q.isVector == enqueue_i.launch.isVector
          && (enqueue_i.launch.isVector ? newest_q.vec == enqueue_i.launch.vec
                                : newest_q.context_ == enqueue_i.launch.context_)
  };

  // 1. The first launch of the queue is a vector load or store that may start.
  logic admit, front_load, oldest_load, no_transfers, no_transfers_post, transfers_store;
  logic [31:0] loaded, stored, front_regs;   // registers of vector loads and stores; of the first
  if (PeMemory != '0) begin : g_transfers
    acis_transfers i_transfers (
      .clk_i, .rst_ni, .waiting_i(waiting_q != '0), .launch_i(queue_q[0].launch),
      .regs_i(front_regs), .writes_idle_i,
      .running_i(running_i != '0), .vregs_read_i, .vregs_written_i, .reads_memory_i,
      .writes_memory_i, .admit_o(admit), .admit_load_o(front_load),
      .oldest_load_o(oldest_load), .loaded_o(loaded), .stored_o(stored), .count_o(beside),
      .empty_o(no_transfers), .empty_post_o(no_transfers_post), .stores_o(transfers_store),
      .finished_o, .access_o(vector_o), .done_i(vector_done_i)
    );
  end else begin : g_no_transfers  // acis_vector_decode refuses them
    assign {beside, admit, front_load, oldest_load, loaded, stored, transfers_store} = '0;
    assign {no_transfers, no_transfers_post} = '1;
    assign finished_o = '0;
    for (genvar p = 0; p < int'(NumPes); ++p) begin : g_access
      assign vector_o[p] = '0;
    end
    logic unused_done;
    assign unused_done = ^{vector_done_i, vregs_read_i, vregs_written_i, reads_memory_i};
  end
  assign front_regs = queue_q[0].loop.vregsRead | queue_q[0].loop.vregsWritten;

  // 2. Memory reads of a queued loop begin when nothing before them writes. None does when a vector
  // load or store leaves the queue: a load begins to read itself, a store writes.
  logic [1:0] fetch_at;
  logic fetch_loop;
  always_comb begin
    logic ahead, stop;
    ahead = (running_i != '0 && writes_memory_i) || transfers_store;
    stop = 1'b0;
    fetch_loop = 1'b0;
    fetch_at = '0;
    for (int i = 0; i < int'(QueueDepth); ++i) begin
      if (3'(i) >= waiting_q || queue_q[i].launch.kind != LaunchLoop)
        stop = 1'b1;
      if (!stop && queue_q[i].extra.readsMemory && !fetching_q[i]) begin
        stop = 1'b1;
        fetch_loop = !ahead && writes_idle_i;
        fetch_at = 2'(i);
      end
      ahead |= queue_q[i].extra.writesMemory;
    end
  end
  logic [QueueDepth-1:0] fetching;
  assign fetching = fetching_q | (QueueDepth'(fetch_loop) << fetch_at);
  loop_record_t fetch_record;
  launch_t fetch_launch;
  assign fetch_launch = fetch_loop ? queue_q[fetch_at].launch : queue_q[0].launch;
  assign fetch_record = fetch_loop ? queue_q[fetch_at].loop : queue_q[0].loop;
  assign fetch_o = '{
    on: fetch_loop || (admit && front_load),
    launch: fetch_launch,
    vf: fetch_launch.isVector
        ? vfOf(HasWide && fetch_launch.vec.sew == 2'd3)
        : elementsOf(fetch_record.scalar, HasWide && fetch_record.laneBits == 8'd64),
    inner: fetch_record.innerCount
  };

  // 3. Why a launch that would be the first of the queue has to wait
  function automatic stall_e waits(entry_t next, logic reads, logic drained, logic [31:0] written,
                                   logic [31:0] read, logic transfers, logic load);
    if (next.launch.kind != LaunchLoop)
      return StallVreg;
    if (!drained)
      return StallDrain;
    if (((next.loop.vregsRead | next.loop.vregsWritten) & written) != '0
        || (next.loop.vregsWritten & read) != '0)
      return StallVreg;
    if (next.extra.readsMemory && !reads)
      return StallMemWrite;
    if (next.extra.writesMemory && transfers)
      return load ? StallMemRead : StallMemWrite;
    return StallNone;
  endfunction
  function automatic logic drained(logic overlaps, logic [3:0] running);   // as far as it needs
    return running == '0 || (overlaps && 32'(running) < MaxRuns);
  endfunction
  // With the vector load or store that leaves the queue, if one does
  logic [31:0] loaded_a, stored_a;
  assign loaded_a = loaded | (front_load ? front_regs : '0);
  assign stored_a = stored | (front_load ? '0 : front_regs);
  // The queue's first entries, each for when it is the first: because none has left, or a vector load
  // or store has
  stall_e first_waits, second_waits;
  always_comb begin
    logic first, second;             // drained as far as the entry needs
    logic [1:0] overlaps;
    logic [3:0] one_less;
    one_less = running_i - 4'd1;
    for (int i = 0; i < 2; ++i)
      overlaps[i] = queue_q[i].extra.overlaps && queue_q[i].same;
    first = retired_i ? drained(overlaps[0], one_less) : drained(overlaps[0], running_i);
    second = retired_i ? drained(overlaps[1], one_less) : drained(overlaps[1], running_i);
    first_waits = waits(queue_q[0], fetching[0], first, loaded, stored, !no_transfers, oldest_load);
    second_waits = waits(queue_q[1], fetching_q[1], second, loaded_a, stored_a, 1'b1, oldest_load);
  end

  logic ready_q, ready_d;          // the first entry may start
  logic due_q, due_d;              // and may have in the cycle before
  logic second;                    // the next one is the second entry
  assign due_o = due_q;
  if (LaunchLatency > 1) begin : g_looked_at
    // The array is cleared for a loop in a cycle in which none runs.
    assign due_d = ready_q && !starts_o && !(retired_i && running_i == 4'd1);
    assign starts_o = may_start_i && due_q;
    assign second = 1'b0;
    assign first_o = queue_q[0].launch;
  end else if (LaunchLatency != 0) begin : g_ahead
    assign due_d = 1'b0;
    assign starts_o = may_start_i && ready_q;
    assign second = admit;
    assign first_o = queue_q[0].launch;
    logic unused_due;
    assign unused_due = due_q;
  end else begin : g_at_once
    assign due_d = 1'b0;
    assign starts_o = may_start_i && (admit ? waiting_q > 3'd1 && second_waits == StallNone
                                            : waiting_q != '0 && first_waits == StallNone);
    assign second = admit;
    assign first_o = launch_o;
    logic unused_ready;
    assign unused_ready = ready_q;
  end
  assign launch_o = second ? queue_q[1].launch : queue_q[0].launch;
  assign loop_o = second ? queue_q[1].loop : queue_q[0].loop;
  assign extra_o = second ? queue_q[1].extra : queue_q[0].extra;
  assign pop_o = second ? queue_q[1].pop : queue_q[0].pop;

  // What leaves the queue
  logic [1:0] gone;
  entry_t queue_b[QueueDepth];
  logic [QueueDepth-1:0] fetching_b;
  logic [2:0] waiting_b;
  // With a launch latency no vector load or store leaves while a loop starts.
  assign gone = LaunchLatency != 0 ? {1'b0, admit || starts_o} : 2'(admit) + 2'(starts_o);
  always_comb
    for (int i = 0; i < int'(QueueDepth); ++i) begin
      queue_b[i] = queue_q[i];     // where nothing follows, what stands there does not matter
      for (int g = 1; g < 3 && i + g < int'(QueueDepth); ++g)
        if (gone == 2'(g))
          queue_b[i] = queue_q[i + g];
    end
  assign fetching_b = fetching >> gone;
  assign waiting_b = waiting_q - 3'(gone);
  always_comb begin
    cause_o = admit ? second_waits : first_waits;
    if (LaunchLatency > 1)
      ready_d = !starts_o && waiting_q != '0 && first_waits == StallNone;
    else
      ready_d = !starts_o && waiting_b != '0 && cause_o == StallNone;
    if (waiting_b == '0)
      cause_o = StallLaunch;
    else if (cause_o == StallNone)
      cause_o = StallDrain;
  end
  assign space_post_o = 32'(waiting_b) < QueueDepth;
  assign idle_post_o = waiting_b == '0;
  assign transfers_idle_post_o = no_transfers_post;
  assign space_o = 32'(waiting_q) < QueueDepth;
  assign idle_o = waiting_q == '0;
  assign quiet_o = waiting_q == '0 && no_transfers;

  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      {waiting_q, fetching_q, newest_q, ready_q, due_q} <= '0;
      for (int i = 0; i < int'(QueueDepth); ++i)
        queue_q[i] <= '0;
    end else begin
      for (int i = 0; i < int'(QueueDepth); ++i)
        queue_q[i] <= (enqueue_i.on && 3'(i) == waiting_b) ? enqueued : queue_b[i];
      if (enqueue_i.on && enqueue_i.launch.kind == LaunchLoop)
        newest_q <= '{valid: 1'b1, isVector: enqueue_i.launch.isVector, context_: enqueue_i.launch.context_,
                      vec: enqueue_i.launch.vec};
      ready_q <= ready_d;
      due_q <= due_d;
      fetching_q <= fetching_b & ~(QueueDepth'(enqueue_i.on) << waiting_b);
      waiting_q <= waiting_b + 3'(enqueue_i.on);
    end

  `ACIS_ASSERT(QueueHasRoom_A, !enqueue_i.on || space_post_o)
  `ACIS_ASSERT(ReadyWaits_A, !ready_q || (waiting_q != '0 && !admit))
  `ACIS_ASSERT(DueIsReady_A, !due_q || ready_q)
  `ACIS_ASSERT(OneAtATime_A, !(fetch_loop && admit))
endmodule
