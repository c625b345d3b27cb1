// Vector loads and stores that run beside the grid: when the first launch of the queue may
// become one of them, the list of those that run, and which one each PE works on. docs/timing.md
// says when.
module acis_transfers
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::loop_record_t;
(
  input  logic              clk_i,
  input  logic              rst_ni,

  // The first launch of the queue, and the loop that runs
  input  logic              waiting_i,
  input  launch_t           launch_i,
  input  logic              writes_idle_i,
  input  logic              running_i,
  input  logic [31:0]       vregs_read_i,
  input  logic [31:0]       vregs_written_i,
  input  logic              reads_memory_i,
  input  logic              writes_memory_i,
  output logic              admit_o,          // it leaves the queue
  output logic              admit_load_o,     // and is, or would be, a load

  // With the one that starts in this cycle
  output logic              any_o,
  output logic              oldest_load_o,    // of all; else a store
  output logic [31:0]       loaded_o,         // registers that are being written
  output logic [31:0]       stored_o,         // and read

  output logic              empty_o,          // at the start of the cycle
  output logic              empty_post_o,     // at its end
  output logic              stores_o,         // the oldest at the start is a store
  output logic [31:0]       finished_o,       // iterations of those that end in this cycle

  // PEs
  output logic [NumPes-1:0] load_o,
  output logic [NumPes-1:0] store_o,
  output launch_t           op_o[NumPes],
  input  logic [NumPes-1:0] done_i
);
  typedef struct packed {
    launch_t launch;
    logic [NumPes-1:0] remain;
    logic [31:0] regs;             // written by a load, read by a store
  } transfer_t;
  transfer_t ops_q[MaxVectorOps], ops_next[MaxVectorOps];
  logic [2:0] ops_count_q, ops_next_count;

  loop_record_t front_loop;
  loop_extra_t front_extra_unused;
  acis_isa_pkg::slot_record_t front_slot_unused;
  acis_isa_pkg::address_record_t front_address_unused[3];
  acis_vector i_front (
    .vec_i(launch_i.vec), .loop_o(front_loop), .extra_o(front_extra_unused),
    .slot_o(front_slot_unused), .address_o(front_address_unused)
  );
  logic [31:0] front_regs;
  assign admit_load_o = launch_i.kind == LaunchLoad;
  assign front_regs = front_loop.vregsRead | front_loop.vregsWritten;
  always_comb begin
    admit_o = waiting_i && launch_i.kind != LaunchLoop && 32'(ops_count_q) < MaxVectorOps
           && (!admit_load_o || writes_idle_i);
    if (running_i && ((vregs_written_i & front_regs) != '0
                      || (admit_load_o && (vregs_read_i & front_regs) != '0)
                      || writes_memory_i || (!admit_load_o && reads_memory_i)))
      admit_o = 1'b0;
    for (int k = 0; k < int'(MaxVectorOps); ++k)
      if (k < int'(ops_count_q) && (ops_q[k].launch.kind != launch_i.kind
                                    || (admit_load_o && (ops_q[k].regs & front_regs) != '0)))
        admit_o = 1'b0;
  end

  always_comb begin
    loaded_o = '0;
    stored_o = '0;
    for (int k = 0; k < int'(MaxVectorOps); ++k)
      if (k < int'(ops_count_q)) begin
        if (ops_q[k].launch.kind == LaunchLoad)
          loaded_o |= ops_q[k].regs;
        else
          stored_o |= ops_q[k].regs;
      end
    if (admit_o && admit_load_o)
      loaded_o |= front_regs;
    if (admit_o && !admit_load_o)
      stored_o |= front_regs;
  end
  assign any_o = !empty_o || admit_o;
  assign oldest_load_o = empty_o ? admit_load_o : ops_q[0].launch.kind == LaunchLoad;
  assign empty_o = ops_count_q == '0;
  assign empty_post_o = ops_next_count == '0;
  assign stores_o = !empty_o && ops_q[0].launch.kind == LaunchStore;

  // Each PE works on the oldest that it has not finished.
  always_comb begin
    load_o = '0;
    store_o = '0;
    for (int p = 0; p < int'(NumPes); ++p)
      op_o[p] = ops_q[0].launch;
    for (int k = 0; k < int'(MaxVectorOps); ++k)
      if (k < int'(ops_count_q))
        for (int p = 0; p < int'(NumPes); ++p)
          if (ops_q[k].remain[p] && !load_o[p] && !store_o[p]) begin
            load_o[p] = ops_q[k].launch.kind == LaunchLoad;
            store_o[p] = ops_q[k].launch.kind == LaunchStore;
            op_o[p] = ops_q[k].launch;
          end
  end
  always_comb begin
    logic [NumPes-1:0] used, taken;
    transfer_t op;
    op = '0;
    used = '0;
    taken = '0;
    finished_o = '0;
    ops_next_count = '0;
    for (int k = 0; k < int'(MaxVectorOps); ++k)
      ops_next[k] = '0;
    for (int k = 0; k < int'(MaxVectorOps); ++k)
      if (k < int'(ops_count_q)) begin
        op = ops_q[k];
        taken = op.remain & ~used;
        used |= op.remain;
        op.remain &= ~(taken & done_i);
        if (op.remain == '0) begin
          finished_o += op.launch.iterations;
        end else begin
          ops_next[ops_next_count[1:0]] = op;
          ops_next_count = ops_next_count + 3'd1;
        end
      end
    if (admit_o) begin
      ops_next[ops_next_count[1:0]].launch = launch_i;
      ops_next[ops_next_count[1:0]].remain = NumPes'(launch_i.vec.mask);
      ops_next[ops_next_count[1:0]].regs = front_regs;
      ops_next_count = ops_next_count + 3'd1;
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      ops_count_q <= '0;
      for (int k = 0; k < int'(MaxVectorOps); ++k)
        ops_q[k] <= '0;
    end else begin
      ops_q <= ops_next;
      ops_count_q <= ops_next_count;
    end
endmodule
