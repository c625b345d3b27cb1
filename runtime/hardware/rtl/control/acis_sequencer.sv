// The sequencer starts iterations and counts array time. docs/timing.md says when.
//
// The combinational blocks follow the order in which a cycle is defined: the iterations shift, one may
// start, of the youngest run or of a loop that leaves the queue (acis_launches); the slot is executed
// or stands still. Outputs named *_post include this cycle's changes.
//
// All of this is one cycle, so what a step asks of the one before it is found for each of its
// outcomes beside it, and what the next cycle begins with is registered.
//
// It decides; the array does what it has decided StallLatency cycles later (docs/timing.md, The array
// follows). So a pop, a push, array time are those of what is decided, and results come later.
//
// With a launch latency a loop begins from registers: while no loop runs, the next one of the queue is
// taken into them in every cycle (takes); with one of 2, in every cycle that begins without one.
`include "acis_assert.svh"

module acis_sequencer
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_bus_pkg::*;
  import acis_isa_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,

  // Tables: loop records, what is derived from them, pops by slot word
  input  config_t             cfg_i,

  // From the scalar unit
  input  enqueue_t            enqueue_i,
  output queue_t              queue_post_o,
  output queue_t              queue_o,        // at the start of the cycle
  output logic [15:0][31:0]   results_post_o,

  // To the PEs
  output array_t              array_o,
  output move_t               move_o,
  output next_slot_t          next_slot_o,    // with a launch latency: what may come next
  output head_t               head_o,
  output fold_t               fold_o,
  output fetch_t              fetch_o,
  output vector_access_t      vector_o[NumPes],
  input  logic [NumPes-1:0]   vector_done_i,

  // From the PEs
  input  due_t                due_i,
  input  result_t             result_i[NumPes],
  input  logic                writes_idle_i,

  // Streams
  output logic                pop_o,
  output pop_t                pop_access_o,
  input  logic                pop_ready_i,
  output logic                push_o,
  output logic [CountBits-1:0] push_bytes_o,
  output format_t             push_format_o,
  input  logic                push_ready_i,

  // For counters and traces
  output stall_e              cause_o,
  output logic [31:0]         iterations_o,   // counted in this cycle
  output logic [6:0]          trace_context_o,
  output logic [15:0]         trace_slot_o
);
  pop_record_t pops_q[ContextSlots];
  always_ff @(posedge clk_i)
    if (cfg_i.we && cfg_i.table_ == TablePop)
      pops_q[SlotBits'(cfg_i.index)] <= cfg_i.data[31:0];

  typedef logic [StageBits:0] live_t;   // iterations that are in stages
  // State
  live_t runs_q[MaxRuns];          // of each run, the oldest first
  logic [3:0] running_q;
  typedef struct packed {
    logic [31:0] iterations;
    logic [LaneBits-1:0] tail;
    logic [3:0] argSet;
  } back_t;
  back_t back_q;                   // the youngest run,
  logic [31:0] issued_q;           // how many iterations it has started,
  logic more_q;                    // and that some are left
  logic vector_q, vector;          // what the runs are: of a vector instruction,
  logic [6:0] context_q;           // or of this context
  loop_record_t loop_q;
  loop_extra_t extra_q;
  logic [15:0] slot_q, spacing_q, left_q, step_q, inner_q;
  logic [31:0] outer_q;
  live_t live_q;
  logic shifted_q, mid_q, shift_q, leave_q;
  logic [15:0] folding_q;
  logic [7:0] head_q, head_less_q; // the second is the first - 1
  logic [8:0] age_q;
  logic [Stages-1:0] valid_q;      // iterations by place in the ring
  logic [7:0] leave_from_q;        // from head_q to the place before the loop's last stage
  stage_t stage0_q;
  // What the first levels of a cycle ask of these: spacing_q, left_q, folding_q are not 0, folding_q is 1,
  // live_q is not 0 and more than 1, the oldest run has one live iteration; running_q is 0, and 1.
  logic spaced_q, left_more_q, folding_more_q, fold_last_q, live_some_q, live_more_q, oldest_one_q;
  logic none_q, one_q;
  logic detected_q, left_one_q;    // the cycle before was a detect; left_q is 1
  logic [9:0] time_q;
  logic [3:0] routing_q, routing_set;
  logic [15:0][31:0] results_q;

  // 1. Iterations move to their next stage.
  logic shift, leaves, retires, folds, folding, fold_ends;
  logic [7:0] head_s;
  logic [8:0] age_s;
  logic [3:0] running_r;           // after retirement
  logic [15:0] folding_s;
  assign shift = shift_q;
  assign head_s = shift && !none_q ? head_less_q : head_q;
  assign age_s = shift && !none_q && age_q != 9'd256 ? age_q + 9'd1 : age_q;
  assign leaves = shift && !none_q && leave_q;
  assign retires = leaves && oldest_one_q && (!one_q || !more_q);
  assign folding = extra_q.foldCycles != '0;
  assign folds = retires && folding;
  assign folding_s = folds ? extra_q.foldCycles : folding_q;
  assign running_r = running_q - 4'(retires && !folding);

  // 2. The next iteration: of the youngest run, or of the loop that is first in the queue
  logic starts_loop, starts, may_start;
  logic due;                       // with a launch latency of 2: a loop starts if it may
  launch_t first_launch;           // that starts
  launch_t head_launch;            // the next one, whether it starts or not
  logic head_vector;               // which is a vector instruction
  vec_t head_vec;                  // and this one
  assign head_vector = HasVector && head_launch.isVector;
  assign vector = HasVector && vector_q;
  assign head_vec = HasVector ? head_launch.vec : '0;
  loop_record_t head_loop;
  loop_extra_t head_extra;
  pop_record_t head_pop;           // of its first slot
  logic [SlotBits-1:0] enqueued_word;
  stall_e idle_cause;              // why nothing starts
  logic [31:0] finished;           // iterations of vector loads and stores that end in this cycle
  logic launches_idle, launches_quiet, launches_idle_post, transfers_idle_post;
  assign may_start = shift;        // none does with a fold: accumulating loops do not overlap
  acis_launches i_launches (
    .clk_i, .rst_ni, .cfg_i, .enqueue_i,
    .word_o(enqueued_word), .pop_i(pops_q[enqueued_word]), .space_post_o(queue_post_o.space),
    .idle_post_o(launches_idle_post), .transfers_idle_post_o(transfers_idle_post),
    .space_o(queue_o.space), .idle_o(launches_idle), .quiet_o(launches_quiet),
    .vregs_read_i(loop_q.vregsRead),
    .vregs_written_i(loop_q.vregsWritten), .reads_memory_i(extra_q.readsMemory),
    .writes_memory_i(extra_q.writesMemory), .running_i(running_q),
    .retired_i((retires && !folding) || fold_ends), .may_start_i(may_start && !more_q),
    .starts_o(starts_loop), .due_o(due),
    .first_o(first_launch), .launch_o(head_launch), .loop_o(head_loop), .extra_o(head_extra),
    .pop_o(head_pop), .cause_o(idle_cause),
    .writes_idle_i, .fetch_o, .vector_o, .vector_done_i, .finished_o(finished)
  );
  assign starts = starts_loop || (may_start && more_q && !spaced_q);
  localparam bit Ahead = LaunchLatency != 0;
  logic begins, takes, turns, clears;
  logic detect, advance;           // of array time, below
  logic [3:0] running_d;
  assign begins = !Ahead && starts_loop && running_r == '0;
  if (LaunchLatency > 1) begin : g_takes_then
    assign takes = none_q && !due; // a loop that is due starts if none runs
  end else begin : g_takes_at_once
    // running_d is 0. A loop that is folded runs alone, and a fold takes two cycles or more.
    assign takes = Ahead && !starts_loop
                && (none_q || (one_q && ((retires && !folding) || fold_ends)));
    logic unused_due;
    assign unused_due = due;
  end
  assign clears = begins || takes;

  loop_record_t loop;
  loop_extra_t extra;
  assign loop = begins ? head_loop : loop_q;
  assign extra = begins ? head_extra : extra_q;
  logic wide;
  assign wide = HasWide && loop.laneBits == 8'd64;

  logic [31:0] issued;             // by the run whose iteration starts, before it
  logic last;
  assign issued = starts_loop ? '0 : issued_q;
  logic [15:0] inner;
  logic [31:0] outer;
  assign inner = starts_loop ? '0 : inner_q;
  assign outer = starts_loop ? '0 : outer_q;
  stage_t stage0, entered;         // entered: the iteration that starts, if one does
  always_comb begin
    stage0 = stage0_q;
    if (shift) begin
      stage0 = entered;
      stage0.valid = starts;
    end
  end
  assign last = entered.last;
  logic more_after;                // iterations of the last run are left
  assign more_after = starts ? !last : more_q;
  live_t live;
  assign live = live_q - live_t'(leaves) + live_t'(starts);
  assign iterations_o = 32'(starts) + finished;

  // 3. The slot
  logic [15:0] slot;
  logic in_fold, any_live, array_on;
  logic [8:0] age;
  assign age = begins ? '0 : age_s;
  assign in_fold = folds || folding_more_q;
  assign any_live = starts || (leaves ? live_more_q : live_some_q);
  assign slot = begins ? '0 : slot_q;
  assign array_on = !in_fold && any_live;
  // The words of a slot stand at its base and the slot's number: of the loop that runs, and of the one
  // that begins.
  logic [SlotBits-1:0] base, head_base, word_q, slot_word;
  assign head_base = SlotBits'(head_extra.slotBase);
  assign base = begins ? head_base : SlotBits'(extra_q.slotBase);
  assign routing_set = starts_loop ? first_launch.argSet : routing_q;
  assign slot_word = begins ? head_base : word_q;

  // The pop of the slot, and the iteration that it is of. Of a loop that begins there is one alone, in
  // stage 0.
  pop_record_t pop_running, pop_next, pop_after;
  stage_t running_info[1], look_unused[1], pop_info;
  logic pop_on, loads;
  always_comb begin
    pop_running = vector ? '0 : Ahead ? pop_next : pops_q[word_q];
    if (vector)
      pop_running.on = loop_q.streamIn_on;
    if (takes)
      pop_running = head_pop;
    pop_after = pops_q[next_slot_o.after];
    if (takes ? head_vector : vector)
      pop_after.stage = '0;
  end
  assign loads = advance || takes;
  acis_stages #(.Ports(1)) i_stages (
    .clk_i, .begin_i(takes), .begin_first_i(head_pop.stage == '0), .moves_i(loads), .turns_i(turns),
    .after_turns_i(next_slot_o.afterTurns), .enters_i(next_slot_o.stage0),
    .shift_i(shift), .head_i(head_s), .age_i(age_s), .stage0_i(stage0),
    .stage_i(Ahead ? pop_after.stage : pop_running.stage), .look_o(look_unused),
    .info_o(running_info)
  );
  if (Ahead) begin : g_pop_ahead
    logic pop_on_q;
    pop_record_t pop_next_q;
    always_ff @(posedge clk_i)
      if (loads) begin
        pop_on_q <= pop_running.on;
        pop_next_q <= pop_after;
      end
    assign pop_on = pop_on_q;
    assign pop_next = pop_next_q;
  end else begin : g_pop
    assign pop_next = '0;
    assign pop_on = begins ? head_pop.on && head_pop.stage == '0 : pop_running.on;
  end
  assign pop_info = begins ? stage0 : running_info[0];
  logic pop_live;
  format_t pop_format;
  assign pop_live = array_on && pop_on && pop_info.valid;
  assign pop_format = '{bytes: loop.streamIn_format_bytes,
                        isSigned: loop.streamIn_format_isSigned,
                        splat: loop.streamIn_format_splat};
  assign pop_access_o = '{live: pop_live, format: pop_format, active: pop_info.active,
                          bytes: accessBytes(pop_format, pop_info.active)};
  assign push_format_o = '{bytes: loop.streamOut_format_bytes, isSigned: 1'b0,
                           splat: loop.streamOut_format_splat};
  assign push_bytes_o = accessBytes(push_format_o, due_i.push_active);

  stall_e blocked;
  logic [15:0] step;
  always_comb begin
    blocked = StallNone;
    if (pop_live && !pop_ready_i)
      blocked = StallStreamIn;
    else if (due_i.mem_read)
      blocked = StallMemRead;
    else if (due_i.mem_write)
      blocked = StallMemWrite;
    else if (due_i.push && !push_ready_i)
      blocked = StallStreamOut;
  end
  assign detect = array_on && !mid_q && blocked == StallNone;
  assign advance = array_on && (mid_q ? !left_more_q : blocked == StallNone && !due_i.waits);
  assign step = mid_q && left_more_q ? step_q : '0;
  assign pop_o = advance && pop_live;
  assign push_o = advance && due_i.push;

  // The row of the PEs' tables in the next cycle: of the next slot, or in a wait of the slot `step`
  // cycles later, until it ends. With a launch latency the next slot's is there already.
  logic [15:0] ahead_q;
  logic [SlotBits-1:0] ahead_row_q, ahead_row;
  logic at_slot, next;
  logic [SlotBits-1:0] next_row;
  assign at_slot = !mid_q || !left_more_q;
  assign next_row = takes && LaunchLatency < 2 ? head_base : mid_q && left_one_q ? word_q : ahead_row;
  assign next = takes ? !head_vector
              : array_on && !(begins ? head_vector : vector)
                && (mid_q || (blocked == StallNone && (!due_i.waits || due_i.longer)));
  assign move_o = '{detect: detect, advance: advance, next: next, next_row: next_row};

  logic stands;                    // for a read that waits for a write
  assign stands = mid_q ? left_more_q : due_i.waits;
  always_comb begin
    if (in_fold)
      cause_o = StallDrain;
    else if (!array_on)
      cause_o = idle_cause;
    else if (!mid_q && blocked != StallNone)
      cause_o = blocked;
    else if (stands)
      cause_o = StallInterlock;
    else if (stage0.valid)
      cause_o = StallNone;
    else if (more_after)
      cause_o = StallInterlock;
    else
      cause_o = idle_cause;
  end

  // The end of the cycle
  assign fold_ends = fold_last_q;
  assign running_d = running_r + 4'(starts_loop) - 4'(fold_ends);
  logic loops_idle_post, done_post, done;
  assign loops_idle_post = launches_idle_post && running_d == '0;
  assign queue_post_o.loops_idle = loops_idle_post;
  assign queue_post_o.idle = loops_idle_post && transfers_idle_post && done_post;
  assign queue_o.loops_idle = launches_idle && running_q == '0;
  assign queue_o.idle = launches_quiet && running_q == '0 && done;

  // Whether the array has done what was decided, in this cycle or before it
  if (StallLatency != 0) begin : g_following
    logic [1:0] behind_q, behind;  // cycles until it has
    assign behind = array_on ? 2'(StallLatency) : behind_q == '0 ? '0 : behind_q - 2'd1;
    always_ff @(posedge clk_i or negedge rst_ni)
      if (!rst_ni)
        behind_q <= '0;
      else
        behind_q <= behind;
    assign done_post = behind == '0;
    assign done = behind_q == '0;
  end else begin : g_with
    assign {done_post, done} = '1;
  end
  assign results_post_o = results_q;

  assign array_o = '{
    begin_: clears, on: array_on, step: step, time_: time_q, slot: SlotBits'(slot), slot_base: base,
    wide: wide, scalar: loop.scalar, routing_set: routing_set, shift: shift, head: head_s, age: age,
    stage0: stage0
  };
  // A vector instruction that begins, as a slot
  loop_record_t head_loop_unused;
  loop_extra_t head_extra_unused;
  slot_record_t head_slot;
  address_record_t head_address[3];
  acis_vector #(.AsLoop(1'b0)) i_head (
    .vec_i(head_vec), .loop_o(head_loop_unused), .extra_o(head_extra_unused),
    .slot_o(head_slot), .address_o(head_address)
  );
  assign head_o = '{
    row: head_base, context_: CtxBits'(head_launch.context_), isVector: head_vector,
    mask: head_vec.mask, slot: head_slot,
    address: {head_address[2], head_address[1], head_address[0]}
  };
  assign fold_o = '{on: in_fold, begun: folding_more_q, drain: extra.foldDrain};
  assign trace_context_o = begins ? head_launch.context_ : context_q;
  assign trace_slot_o = slot;

  live_t runs_d[MaxRuns];
  always_comb begin
    logic pops;
    pops = (retires && !folds) || fold_ends;
    for (int r = 0; r < int'(MaxRuns); ++r)
      runs_d[r] = runs_q[r];
    if (leaves)
      runs_d[0] = runs_d[0] - live_t'(1);
    if (starts && !starts_loop)
      runs_d[3'(running_q - 4'd1)] = runs_d[3'(running_q - 4'd1)] + live_t'(1);
    if (pops)
      for (int r = 0; r < int'(MaxRuns); ++r)
        runs_d[r] = runs_d[(r + 1) % int'(MaxRuns)];
    if (starts_loop)
      runs_d[3'(running_r)] = live_t'(1);
  end

  // The next slot and its word, if array time goes on
  logic [15:0] slot_next;
  logic [SlotBits-1:0] word_next;
  logic empties;                   // no iteration: look again in the next cycle
  assign empties = !in_fold && !any_live;
  logic [15:0] ahead_next, ahead_from;
  logic ahead_wraps;
  assign ahead_from = at_slot ? slot : ahead_q;
  assign ahead_wraps = ahead_from + 16'd1 == loop.ii;
  assign ahead_next = ahead_wraps ? '0 : ahead_from + 16'd1;
  assign ahead_row = ahead_wraps ? base : (at_slot ? slot_word : ahead_row_q) + SlotBits'(1);

  acis_ahead i_ahead (
    .clk_i, .advance_i(advance), .takes_i(takes), .starts_i(starts), .starts_loop_i(starts_loop),
    .more_i(more_after), .at_slot_i(at_slot), .slot_i(slot), .row_i(slot_word), .loop_i(loop),
    .wide_i(wide), .base_i(base), .arg_set_i(back_q.argSet), .iterations_i(back_q.iterations),
    .issued_i(issued_q), .tail_i(back_q.tail), .inner_i(inner_q), .routing_set_i(routing_set),
    .first_i(first_launch), .head_i(head_launch), .head_loop_i(head_loop),
    .head_base_i(head_base), .slot_o(slot_next), .row_o(word_next), .turns_o(turns),
    .next_slot_o, .entered_o(entered)
  );

  // Whether iterations move in the next cycle, and whether one leaves then. There is none before
  // they move.
  logic shifted_d, shift_d, leave_d, first_slot;
  always_comb begin
    first_slot = advance ? slot_next == '0 : slot == '0;
    shifted_d = shift || shifted_q;
    if (fold_ends || empties || (advance && slot_next == '0))
      shifted_d = 1'b0;
    shift_d = first_slot && !shifted_d && !folds && (fold_last_q || !folding_more_q);
    leave_d = leave_q;
    if (begins)
      leave_d = head_loop.stages == 16'd1;
    else if (shift)
      leave_d = loop_q.stages[8:0] <= age_s + 9'(age_s != 9'd256)
             && (loop_q.stages[7:0] == 8'd1 ? starts
                                            : valid_q[StageBits'(head_q + leave_from_q)]);
  end

  logic [15:0] spacing_d, left_d, folding_d;
  always_comb begin
    spacing_d = spacing_q;
    if (starts)
      spacing_d = extra.interval - 16'd1;
    else if (shift && more_q && spaced_q && !in_fold)
      spacing_d = spacing_q - 16'd1;
    left_d = left_q;
    if (detected_q)
      left_d = due_i.wait_ - 16'd2;
    else if (left_more_q)
      left_d = left_q - 16'd1;
    folding_d = in_fold ? folding_s - 16'd1 : '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {running_q, slot_q, spacing_q, left_q, step_q} <= '0;
      {back_q, issued_q, more_q, word_q, ahead_row_q, leave_q} <= '0;
      shift_q <= 1'b1;
      {inner_q, outer_q, live_q, shifted_q, mid_q, folding_q, head_q, age_q, time_q} <= '0;
      head_less_q <= '1;
      leave_from_q <= '0;
      {routing_q, ahead_q} <= '0;
      {spaced_q, left_more_q, left_one_q, detected_q, folding_more_q, fold_last_q} <= '0;
      {live_some_q, live_more_q, oldest_one_q, one_q} <= '0;
      none_q <= 1'b1;
      valid_q <= '0;
      stage0_q <= '0;
      {vector_q, context_q} <= '0;
      loop_q <= '0;
      extra_q <= '0;
      results_q <= '0;
      for (int r = 0; r < int'(MaxRuns); ++r)
        runs_q[r] <= '0;
    end else begin
      runs_q <= runs_d;
      running_q <= running_d;
      none_q <= running_d == '0;
      one_q <= running_d == 4'd1;
      if (clears) begin
        vector_q <= head_vector;
        context_q <= head_launch.context_;
        loop_q <= head_loop;
        extra_q <= head_extra;
      end
      if (starts_loop)
        routing_q <= first_launch.argSet;
      live_q <= live;
      live_some_q <= live != '0;
      live_more_q <= live > live_t'(1);
      oldest_one_q <= runs_d[0] == live_t'(1);
      head_q <= head_s;
      head_less_q <= head_s - 8'd1;
      leave_from_q <= loop.stages[7:0] - 8'd2;
      age_q <= takes ? '0 : age;
      if (shift) begin
        valid_q[StageBits'(head_s)] <= starts;
        stage0_q <= stage0;
      end
      if (starts_loop)
        back_q <= '{iterations: first_launch.iterations, tail: first_launch.tail,
                    argSet: first_launch.argSet};
      if (starts) begin
        issued_q <= issued + 32'd1;
        more_q <= !last;
        inner_q <= inner + 16'd1 == loop.innerCount ? '0 : inner + 16'd1;
        outer_q <= inner + 16'd1 == loop.innerCount ? outer + 32'd1 : outer;
      end
      spacing_q <= spacing_d;
      spaced_q <= spacing_d != '0;
      folding_q <= folding_d;
      folding_more_q <= folding_d != '0;
      fold_last_q <= folding_d == 16'd1;
      shifted_q <= shifted_d;
      shift_q <= shift_d;
      leave_q <= leave_d;
      slot_q <= advance ? slot_next : slot;
      word_q <= takes ? head_base : advance ? word_next : slot_word;
      mid_q <= array_on && !advance && (mid_q || blocked == StallNone);
      left_q <= left_d;
      left_more_q <= detect ? due_i.longer : left_d != '0;
      left_one_q <= detect ? due_i.longer && !due_i.longest : left_d == 16'd1;
      detected_q <= detect;
      step_q <= step + 16'd1;
      ahead_q <= ahead_next;
      ahead_row_q <= ahead_row;
      if (advance)
        time_q <= time_q + 10'd1;
      for (int p = 0; p < int'(NumPes); ++p)
        if (result_i[p].on) begin
          results_q[{result_i[p].number, 1'b0}] <= result_i[p].value[31:0];
          results_q[{result_i[p].number, 1'b1}] <= result_i[p].value[63:32];
        end
    end
  end

  `ACIS_ASSERT(Shift_A, shift_q == (folding_q == '0 && slot_q == '0 && !shifted_q))
  `ACIS_ASSERT(Takes_A, !Ahead || takes == (LaunchLatency > 1 ? none_q && !starts_loop
                                                              : running_d == '0))
  `ACIS_ASSERT(Begins_A, LaunchLatency < 2 || !(starts_loop && !none_q && running_r == '0)
                         || extra_q.overlaps)
  `ACIS_ASSERT(FoldIsLong_A, !(folds && extra_q.foldCycles == 16'd1))
  `ACIS_ASSERT(FoldStartsNothing_A, !(folds && starts))
  `ACIS_ASSERT(Word_A, begins || running_q == '0
                       || word_q == SlotBits'(SlotBits'(extra_q.slotBase) + SlotBits'(slot_q)))
endmodule
