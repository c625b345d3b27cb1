// The launch queue and the sequencer that starts iterations and counts array time.
// docs/timing.md says when.
//
// The combinational blocks follow the order in which a cycle is defined: a vector load or
// store leaves the queue; a memory read begins; the iterations shift, one may start; the
// slot is executed or stands still. Outputs named *_post include this cycle's changes.
`include "acis_assert.svh"

module acis_sequencer
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::loop_record_t;
  import acis_isa_pkg::pop_record_t;
  import acis_isa_pkg::slot_record_t;
  import acis_isa_pkg::address_record_t;
(
  input  logic                clk_i,
  input  logic                rst_ni,

  // Tables: 0 loop records, 1 what is derived from them, 2 pops by slot word
  input  logic                cfg_we_i,
  input  logic [1:0]          cfg_table_i,
  input  logic [7:0]          cfg_index_i,
  input  logic [159:0]        cfg_data_i,

  // From the scalar unit
  input  logic                enqueue_i,
  input  launch_t             launch_i,
  output logic                space_post_o,
  output logic                loops_idle_post_o,
  output logic                idle_post_o,
  output logic                quiet_o,        // idle at the start of the cycle
  output logic [15:0][31:0]   results_post_o,

  // To the PEs
  output logic                begin_o,
  output logic                array_o,
  output logic                detect_o,
  output logic                advance_o,
  output logic [15:0]         step_o,
  output logic [9:0]          time_o,
  output logic [SlotBits-1:0] word_o,
  output logic [SlotBits-1:0] slot_base_o,
  output logic [CtxBits-1:0]  context_o,
  output logic                wide_o,
  output logic                scalar_o,
  output logic                vector_o,
  output logic [31:0]         vector_mask_o,
  output slot_record_t        vector_slot_o,
  output address_record_t     vector_address_o[3],
  output logic                shift_o,
  output logic [7:0]          head_o,
  output logic [8:0]          age_o,
  output stage_t              stage0_o,
  output logic [3:0]          routing_set_o,
  output logic                folding_o,
  output logic [7:0]          drain_o,
  output logic                fetch_o,
  output launch_t             fetch_launch_o,
  output logic [LaneBits-1:0] fetch_vf_o,
  output logic [15:0]         fetch_inner_o,
  output logic [NumPes-1:0]   vector_load_o,
  output logic [NumPes-1:0]   vector_store_o,
  output launch_t             vector_op_o[NumPes],
  input  logic [NumPes-1:0]   vector_done_i,

  // From the PEs
  input  logic                mem_read_due_i,
  input  logic                mem_write_due_i,
  input  logic                waits_i,        // array time stands still,
  input  logic [15:0]         wait_i,         // for so many cycles
  input  logic                push_due_i,
  input  logic [LaneBits-1:0] push_active_i,
  input  logic [NumPes-1:0]      result_on_i,
  input  logic [NumPes-1:0][2:0] result_i,
  input  logic [NumPes-1:0][63:0] value_i,
  input  logic                writes_idle_i,

  // Streams
  output logic                pop_o,
  output logic                pop_live_o,     // a pop is due
  output logic [CountBits-1:0] pop_bytes_o,
  output format_t             pop_format_o,
  output logic [LaneBits-1:0] pop_active_o,
  input  logic                pop_ready_i,
  output logic                push_o,
  output logic [CountBits-1:0] push_bytes_o,
  output format_t             push_format_o,
  input  logic                push_ready_i,

  // For counters and traces
  output stall_e              cause_o,
  output logic [31:0]         iterations_o,   // counted in this cycle
  output logic [31:0]         pc_o[MaxRuns],  // of the running launches, by set of arguments
  output logic [3:0]          pc_set_o[MaxRuns],
  output logic [6:0]          trace_context_o,
  output logic [15:0]         trace_slot_o
);
  loop_record_t loops_q[MaxContexts];
  loop_extra_t  extras_q[MaxContexts];
  pop_record_t  pops_q[ContextSlots];
  always_ff @(posedge clk_i)
    if (cfg_we_i)
      case (cfg_table_i)
        2'd0: loops_q[CtxBits'(cfg_index_i)] <= cfg_data_i;
        2'd1: extras_q[CtxBits'(cfg_index_i)] <= cfg_data_i[$bits(loop_extra_t)-1:0];
        default: pops_q[SlotBits'(cfg_index_i)] <= cfg_data_i[31:0];
      endcase

  // Rows of the tables are addressed with as many bits as the largest overlay needs.
  logic unused;
  assign unused = ^cfg_index_i;

  typedef struct packed {
    logic [31:0] iterations, issued, live;
    logic [LaneBits-1:0] tail;
    logic [3:0]  argSet;
    logic [31:0] pc;
  } run_t;
  // State
  launch_t queue_q[QueueDepth];
  logic [QueueDepth-1:0] fetching_q;
  logic [2:0] waiting_q;
  run_t runs_q[MaxRuns];           // oldest first
  logic [3:0] running_q;
  launch_t plan_q;                 // what the runs are
  logic planned_q;
  loop_record_t loop_q;
  loop_extra_t extra_q;
  logic [15:0] slot_q, spacing_q, left_q, step_q, inner_q;
  logic [31:0] outer_q, live_q;
  logic shifted_q, mid_q;
  logic [15:0] folding_q;
  logic [7:0] head_q;
  logic [8:0] age_q;
  logic [255:0] valid_q;           // iterations by place in the ring
  stage_t stage0_q;
  logic [9:0] time_q;
  logic [3:0] routing_q;
  logic [15:0][31:0] results_q;

  // 1. The first launch of the queue is a vector load or store that may start.
  logic admit, front_load, any_op, oldest_load, no_transfers, no_transfers_post, transfers_store;
  logic [31:0] loaded, stored;
  logic [31:0] finished;           // iterations of vector loads and stores that end in this cycle
  acis_transfers i_transfers (
    .clk_i, .rst_ni, .waiting_i(waiting_q != '0), .launch_i(queue_q[0]), .writes_idle_i,
    .running_i(running_q != '0), .vregs_read_i(loop_q.vregsRead),
    .vregs_written_i(loop_q.vregsWritten), .reads_memory_i(extra_q.readsMemory),
    .writes_memory_i(extra_q.writesMemory), .admit_o(admit), .admit_load_o(front_load),
    .any_o(any_op), .oldest_load_o(oldest_load), .loaded_o(loaded), .stored_o(stored),
    .empty_o(no_transfers), .empty_post_o(no_transfers_post), .stores_o(transfers_store),
    .finished_o(finished), .load_o(vector_load_o), .store_o(vector_store_o), .op_o(vector_op_o),
    .done_i(vector_done_i)
  );
  launch_t queue_a[QueueDepth];
  logic [QueueDepth-1:0] fetching_a;
  logic [2:0] waiting_a;
  always_comb begin
    for (int i = 0; i < int'(QueueDepth); ++i)
      queue_a[i] = admit ? queue_q[(i + 1) % int'(QueueDepth)] : queue_q[i];
    fetching_a = admit ? fetching_q >> 1 : fetching_q;
    waiting_a = waiting_q - 3'(admit);
  end

  // 2. Memory reads of a queued loop begin when nothing before them writes.
  loop_extra_t queue_extra[QueueDepth];
  logic [QueueDepth-1:0] fetching_b;
  logic [1:0] fetch_at;
  logic fetch_loop;
  for (genvar i = 0; i < int'(QueueDepth); ++i) begin : g_extra
    assign queue_extra[i] = queue_a[i].isVector ? '0 : extras_q[CtxBits'(queue_a[i].context_)];
  end
  always_comb begin
    logic ahead, stop;
    ahead = (running_q != '0 && extra_q.writesMemory) || (admit && !front_load)
         || transfers_store;
    stop = admit && front_load;
    fetch_loop = 1'b0;
    fetch_at = '0;
    for (int i = 0; i < int'(QueueDepth); ++i) begin
      if (3'(i) >= waiting_a || queue_a[i].kind != LaunchLoop)
        stop = 1'b1;
      if (!stop) begin
        if (queue_extra[i].readsMemory && !fetching_a[i]) begin
          stop = 1'b1;
          if (!ahead && writes_idle_i) begin
            fetch_loop = 1'b1;
            fetch_at = 2'(i);
          end
        end
        ahead |= queue_extra[i].writesMemory;
      end
    end
    fetching_b = fetching_a;
    if (fetch_loop)
      fetching_b[fetch_at] = 1'b1;
  end
  assign fetch_o = fetch_loop || (admit && front_load);
  assign fetch_launch_o = fetch_loop ? queue_a[fetch_at] : queue_q[0];
  loop_record_t fetch_record;
  assign fetch_record = loops_q[CtxBits'(fetch_launch_o.context_)];
  assign fetch_vf_o = fetch_launch_o.isVector
      ? vfOf(fetch_launch_o.vec.sew == 2'd3)
      : elementsOf(fetch_record.scalar, fetch_record.laneBits == 8'd64);
  assign fetch_inner_o = fetch_record.innerCount;

  // 3. Iterations move to their next stage.
  logic shift, leaves, retires, folds;
  logic [7:0] head_s;
  logic [8:0] age_s;
  logic [3:0] running_r;           // after retirement
  logic [15:0] folding_s;
  assign shift = folding_q == '0 && slot_q == '0 && !shifted_q;
  assign head_s = shift && running_q != '0 ? head_q - 8'd1 : head_q;
  assign age_s = shift && running_q != '0 && age_q != 9'd256 ? age_q + 9'd1 : age_q;
  assign leaves = shift && running_q != '0 && loop_q.stages[8:0] <= age_s
               && valid_q[8'(head_s + loop_q.stages[7:0])];
  assign retires = leaves && runs_q[0].live == 32'd1 && runs_q[0].issued == runs_q[0].iterations;
  assign folds = retires && extra_q.foldCycles != '0;
  assign folding_s = folds ? extra_q.foldCycles : folding_q;
  assign running_r = running_q - 4'(retires && !folds);

  // Why the first launch of the queue has to wait
  launch_t head_launch;
  loop_record_t head_loop, head_table, head_vector;
  loop_extra_t head_extra, head_vector_extra;
  slot_record_t head_slot_unused;
  address_record_t head_address_unused[3];
  acis_vector i_head (
    .vec_i(queue_a[0].vec), .loop_o(head_vector), .extra_o(head_vector_extra),
    .slot_o(head_slot_unused), .address_o(head_address_unused)
  );
  assign head_launch = queue_a[0];
  assign head_table = loops_q[CtxBits'(head_launch.context_)];
  assign head_loop = head_launch.isVector ? head_vector : head_table;
  assign head_extra = head_launch.isVector ? head_vector_extra : queue_extra[0];
  logic same;
  assign same = planned_q && plan_q.isVector == head_launch.isVector
             && (head_launch.isVector ? plan_q.vec == head_launch.vec
                                      : plan_q.context_ == head_launch.context_);
  function automatic stall_e waits(launch_t launch, loop_record_t next, loop_extra_t more,
                                   logic fetched, logic [3:0] running, logic overlap);
    if (launch.kind != LaunchLoop)
      return StallVreg;
    if (running != '0 && (!overlap || 32'(running) >= MaxRuns))
      return StallDrain;
    if (((next.vregsRead | next.vregsWritten) & loaded) != '0
        || (next.vregsWritten & stored) != '0)
      return StallVreg;
    if (more.readsMemory && !fetched)
      return StallMemWrite;
    if (more.writesMemory && any_op)
      return oldest_load ? StallMemRead : StallMemWrite;
    return StallNone;
  endfunction
  stall_e head_waits;
  assign head_waits = waits(head_launch, head_loop, head_extra, fetching_b[0], running_r,
                            head_extra.overlaps && same);

  // The next iteration
  logic starts_loop, starts;
  run_t back;
  logic more;                      // the last run has iterations to start
  assign back = runs_q[3'(running_q - 4'd1)];
  assign more = running_r != '0 && back.issued != back.iterations;
  assign starts_loop = shift && folding_s == '0 && !more && waiting_a != '0
                    && head_waits == StallNone;
  assign starts = starts_loop || (shift && folding_s == '0 && more && spacing_q == '0);
  assign begin_o = starts_loop && running_r == '0;

  launch_t queue_b[QueueDepth];
  logic [QueueDepth-1:0] fetching_c;
  logic [2:0] waiting_b;
  always_comb begin
    for (int i = 0; i < int'(QueueDepth); ++i)
      queue_b[i] = starts_loop ? queue_a[(i + 1) % int'(QueueDepth)] : queue_a[i];
    fetching_c = starts_loop ? fetching_b >> 1 : fetching_b;
    waiting_b = waiting_a - 3'(starts_loop);
  end

  launch_t plan;
  loop_record_t loop;
  loop_extra_t extra;
  assign plan = begin_o ? head_launch : plan_q;
  assign loop = begin_o ? head_loop : loop_q;
  assign extra = begin_o ? head_extra : extra_q;
  logic wide;
  assign wide = loop.laneBits == 8'd64;

  run_t run_now;                   // whose iteration starts
  always_comb begin
    run_now = back;
    if (starts_loop)
      run_now = '{iterations: head_launch.iterations, issued: '0, live: '0,
                  tail: head_launch.tail, argSet: head_launch.argSet, pc: head_launch.pc};
  end
  logic [15:0] inner;
  logic [31:0] outer;
  assign inner = starts_loop ? '0 : inner_q;
  assign outer = starts_loop ? '0 : outer_q;
  stage_t stage0;
  always_comb begin
    stage0 = stage0_q;
    if (shift) begin
      stage0 = '0;
      stage0.valid = starts;
      stage0.argSet = run_now.argSet;
      stage0.iteration = run_now.issued;
      stage0.first = run_now.issued == '0;
      stage0.row = inner == '0;
      stage0.early = run_now.issued[31:4] == '0 ? run_now.issued[3:0] : 4'd15;
      stage0.last = run_now.issued + 32'd1 == run_now.iterations;
      stage0.active = stage0.last && run_now.tail != '0 ? run_now.tail
                    : elementsOf(loop.scalar, wide);
    end
  end
  logic [31:0] live;
  assign live = live_q - 32'(leaves) + 32'(starts);
  assign iterations_o = 32'(starts) + finished;

  // 4. The slot
  logic [15:0] slot;
  logic in_fold;
  stage_t pop_info[1];
  pop_record_t pop;
  logic [8:0] age;
  assign age = begin_o ? '0 : age_s;
  assign in_fold = folding_s != '0;
  assign slot = begin_o ? '0 : slot_q;
  assign array_o = !in_fold && live != '0;
  acis_stages #(.Ports(1)) i_stages (
    .clk_i, .shift_i(shift), .head_i(head_s), .age_i(age), .stage0_i(stage0),
    .stage_i(pop.stage), .info_o(pop_info)
  );
  logic [SlotBits-1:0] base;
  assign base = SlotBits'(extra.slotBase);
  always_comb begin
    pop = plan.isVector ? '0 : pops_q[SlotBits'(base + SlotBits'(slot))];
    if (plan.isVector)
      pop.on = loop.streamIn_on;
  end
  assign pop_live_o = array_o && pop.on && pop_info[0].valid;
  assign pop_format_o = '{bytes: loop.streamIn_format_bytes,
                          isSigned: loop.streamIn_format_isSigned,
                          splat: loop.streamIn_format_splat};
  assign pop_active_o = pop_info[0].active;
  assign pop_bytes_o = accessBytes(pop_format_o, pop_active_o);
  assign push_format_o = '{bytes: loop.streamOut_format_bytes, isSigned: 1'b0,
                           splat: loop.streamOut_format_splat};
  assign push_bytes_o = accessBytes(push_format_o, push_active_i);

  stall_e blocked, idle_cause;
  always_comb begin
    blocked = StallNone;
    if (pop_live_o && !pop_ready_i)
      blocked = StallStreamIn;
    else if (mem_read_due_i)
      blocked = StallMemRead;
    else if (mem_write_due_i)
      blocked = StallMemWrite;
    else if (push_due_i && !push_ready_i)
      blocked = StallStreamOut;
  end
  assign detect_o = array_o && !mid_q && blocked == StallNone;
  assign advance_o = (detect_o && !waits_i) || (array_o && mid_q && left_q == '0);
  assign step_o = mid_q && left_q != '0 ? step_q : '0;
  assign pop_o = advance_o && pop_live_o;
  assign push_o = advance_o && push_due_i;

  // The word at hand: of the slot, or in a wait of the slot `step` cycles later
  logic [15:0] ahead_q;
  always_comb begin
    word_o = SlotBits'(base + SlotBits'(step_o == '0 ? slot : ahead_q));
    slot_base_o = base;
  end

  loop_record_t next_b_loop, next_b_vector;
  loop_extra_t next_b_extra, next_b_vector_extra;
  logic next_same;
  always_comb begin
    logic overlap;
    launch_t next;
    loop_record_t next_loop;
    loop_extra_t next_extra;
    next = queue_b[0];
    next_extra = starts_loop ? next_b_extra : head_extra;
    next_loop = starts_loop ? next_b_loop : head_loop;
    overlap = next_extra.overlaps && next_same;
    idle_cause = waiting_b == '0 ? StallLaunch
               : waits(next, next_loop, next_extra, fetching_c[0],
                       running_r + 4'(starts_loop), overlap);
    if (waiting_b != '0 && idle_cause == StallNone)
      idle_cause = StallDrain;
  end
  // The launch after the one that starts in this cycle
  slot_record_t next_slot_unused;
  address_record_t next_address_unused[3];
  acis_vector i_next (
    .vec_i(queue_a[1].vec), .loop_o(next_b_vector), .extra_o(next_b_vector_extra),
    .slot_o(next_slot_unused), .address_o(next_address_unused)
  );
  assign next_b_loop = queue_a[1].isVector ? next_b_vector : loops_q[CtxBits'(queue_a[1].context_)];
  assign next_b_extra = queue_a[1].isVector ? next_b_vector_extra : queue_extra[1];
  always_comb begin
    launch_t next;
    next = queue_b[0];
    next_same = (planned_q || begin_o) && plan.isVector == next.isVector
             && (next.isVector ? plan.vec == next.vec : plan.context_ == next.context_);
  end

  logic more_after;                // iterations of the last run are left
  assign more_after = starts ? run_now.issued + 32'd1 != run_now.iterations : more;
  always_comb begin
    if (in_fold)
      cause_o = StallDrain;
    else if (!array_o)
      cause_o = idle_cause;
    else if (!mid_q && blocked != StallNone)
      cause_o = blocked;
    else if (!advance_o)
      cause_o = StallInterlock;
    else if (stage0.valid)
      cause_o = StallNone;
    else if (more_after)
      cause_o = StallInterlock;
    else
      cause_o = idle_cause;
  end

  // The end of the cycle
  logic fold_ends;
  logic [3:0] running_d;
  assign fold_ends = in_fold && folding_s == 16'd1;
  assign running_d = running_r + 4'(starts_loop) - 4'(fold_ends);
  assign space_post_o = 32'(waiting_b) < QueueDepth;
  assign loops_idle_post_o = waiting_b == '0 && running_d == '0;
  assign idle_post_o = loops_idle_post_o && no_transfers_post;
  assign quiet_o = waiting_q == '0 && running_q == '0 && no_transfers;
  assign results_post_o = results_q;

  assign time_o = time_q;
  assign context_o = CtxBits'(plan.context_);
  assign wide_o = wide;
  assign scalar_o = loop.scalar;
  assign vector_o = plan.isVector;
  assign vector_mask_o = plan.vec.mask;
  loop_record_t plan_loop_unused;
  loop_extra_t plan_extra_unused;
  acis_vector i_plan (
    .vec_i(plan.vec), .loop_o(plan_loop_unused), .extra_o(plan_extra_unused),
    .slot_o(vector_slot_o), .address_o(vector_address_o)
  );
  assign shift_o = shift;
  assign head_o = head_s;
  assign age_o = age;
  assign stage0_o = stage0;
  assign routing_set_o = starts_loop ? head_launch.argSet : routing_q;
  assign folding_o = in_fold;
  assign drain_o = extra.foldDrain;
  assign trace_context_o = plan.context_;
  assign trace_slot_o = slot;
  for (genvar r = 0; r < int'(MaxRuns); ++r) begin : g_pc
    assign pc_o[r] = r < int'(running_q) ? runs_q[r].pc : head_launch.pc;
    assign pc_set_o[r] = r < int'(running_q) ? runs_q[r].argSet : head_launch.argSet;
  end

  run_t runs_d[MaxRuns];
  always_comb begin
    logic pops;
    pops = (retires && !folds) || fold_ends;
    for (int r = 0; r < int'(MaxRuns); ++r)
      runs_d[r] = runs_q[r];
    if (leaves)
      runs_d[0].live = runs_d[0].live - 32'd1;
    if (starts && !starts_loop) begin
      runs_d[3'(running_q - 4'd1)].issued = run_now.issued + 32'd1;
      runs_d[3'(running_q - 4'd1)].live = runs_d[3'(running_q - 4'd1)].live + 32'd1;
    end
    if (pops)
      for (int r = 0; r < int'(MaxRuns); ++r)
        runs_d[r] = runs_d[(r + 1) % int'(MaxRuns)];
    if (starts_loop) begin
      runs_d[3'(running_r)] = run_now;
      runs_d[3'(running_r)].issued = 32'd1;
      runs_d[3'(running_r)].live = 32'd1;
    end
  end

  logic [15:0] slot_next;
  assign slot_next = slot + 16'd1 == loop.ii ? '0 : slot + 16'd1;
  logic empties;                   // no iteration: look again in the next cycle
  assign empties = !in_fold && live == '0;
  logic [15:0] ahead_next, ahead_from;
  assign ahead_from = step_o == '0 ? slot : ahead_q;
  assign ahead_next = ahead_from + 16'd1 == loop.ii ? '0 : ahead_from + 16'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {waiting_q, fetching_q, running_q, planned_q, slot_q, spacing_q, left_q, step_q} <= '0;
      {inner_q, outer_q, live_q, shifted_q, mid_q, folding_q, head_q, age_q, time_q} <= '0;
      {routing_q, ahead_q} <= '0;
      valid_q <= '0;
      stage0_q <= '0;
      plan_q <= '0;
      loop_q <= '0;
      extra_q <= '0;
      results_q <= '0;
      for (int i = 0; i < int'(QueueDepth); ++i)
        queue_q[i] <= '0;
      for (int r = 0; r < int'(MaxRuns); ++r)
        runs_q[r] <= '0;
    end else begin
      for (int i = 0; i < int'(QueueDepth); ++i)
        queue_q[i] <= (enqueue_i && 3'(i) == waiting_b) ? launch_i : queue_b[i];
      fetching_q <= fetching_c & ~(QueueDepth'(enqueue_i) << waiting_b);
      waiting_q <= waiting_b + 3'(enqueue_i);
      runs_q <= runs_d;
      running_q <= running_d;
      if (begin_o) begin
        plan_q <= plan;
        planned_q <= 1'b1;
        loop_q <= loop;
        extra_q <= extra;
      end
      if (starts_loop)
        routing_q <= head_launch.argSet;
      live_q <= live;
      head_q <= head_s;
      age_q <= age;
      if (shift) begin
        valid_q[head_s] <= starts;
        stage0_q <= stage0;
      end
      if (starts) begin
        inner_q <= inner + 16'd1 == loop.innerCount ? '0 : inner + 16'd1;
        outer_q <= inner + 16'd1 == loop.innerCount ? outer + 32'd1 : outer;
        spacing_q <= extra.interval - 16'd1;
      end else if (shift && more && spacing_q != '0 && !in_fold) begin
        spacing_q <= spacing_q - 16'd1;
      end
      folding_q <= in_fold ? folding_s - 16'd1 : '0;
      if (fold_ends || empties || (advance_o && slot_next == '0))
        shifted_q <= 1'b0;
      else if (shift)
        shifted_q <= 1'b1;
      slot_q <= advance_o ? slot_next : slot;
      mid_q <= array_o && !advance_o && (mid_q || blocked == StallNone);
      if (detect_o)
        left_q <= wait_i - 16'd1;
      else if (left_q != '0)
        left_q <= left_q - 16'd1;
      step_q <= step_o + 16'd1;
      ahead_q <= ahead_next;
      time_q <= time_q + 10'(advance_o);
      for (int p = 0; p < int'(NumPes); ++p)
        if (result_on_i[p]) begin
          results_q[{result_i[p], 1'b0}] <= value_i[p][31:0];
          results_q[{result_i[p], 1'b1}] <= value_i[p][63:32];
        end
    end
  end

  `ACIS_ASSERT(QueueHasRoom_A, !enqueue_i || space_post_o)
endmodule
