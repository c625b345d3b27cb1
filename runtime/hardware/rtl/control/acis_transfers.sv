// Vector loads and stores that run beside the grid: when the first launch of the queue may
// become one of them, the list of those that run, and which one each PE works on. docs/timing.md
// says when.
module acis_transfers
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_bus_pkg::*;
  import acis_isa_pkg::*;
(
  input  logic              clk_i,
  input  logic              rst_ni,

  // The first launch of the queue, and the loop that runs
  input  logic              waiting_i,
  input  launch_t           launch_i,
  input  logic [31:0]       regs_i,           // of a vector load or store
  input  logic              writes_idle_i,
  input  logic              running_i,
  input  logic [31:0]       vregs_read_i,
  input  logic [31:0]       vregs_written_i,
  input  logic              reads_memory_i,
  input  logic              writes_memory_i,
  output logic              admit_o,          // it leaves the queue
  output logic              admit_load_o,     // and is, or would be, a load

  output logic              oldest_load_o,    // of all with the first of the queue; else a store
  // Of those that run at the start of the cycle
  output logic [31:0]       loaded_o,         // registers that are being written
  output logic [31:0]       stored_o,         // and read

  output logic [2:0]        count_o,          // at the start of the cycle
  output logic              empty_o,
  output logic              empty_post_o,     // at its end
  output logic              stores_o,         // the oldest at the start is a store
  output logic [31:0]       finished_o,       // iterations of those that end in this cycle

  // PEs
  output vector_access_t    access_o[NumPes],
  input  logic [NumPes-1:0] done_i
);
  typedef struct packed {
    launch_t launch;
    logic [NumPes-1:0] remain;
    logic [1:0] later;             // cycles until the array has done what was before it
    logic [31:0] regs;             // written by a load, read by a store
    logic [NumPes-1:0][31:0] starts;   // where the PEs' accesses begin
  } transfer_t;
  transfer_t ops_q[MaxVectorOps], ops_next[MaxVectorOps];
  logic [2:0] ops_count_q, ops_next_count;

  assign admit_load_o = launch_i.kind == LaunchLoad;
  always_comb begin
    admit_o = waiting_i && launch_i.kind != LaunchLoop && 32'(ops_count_q) < MaxVectorOps
           && (!admit_load_o || writes_idle_i);
    if (running_i && ((vregs_written_i & regs_i) != '0
                      || (admit_load_o && (vregs_read_i & regs_i) != '0)
                      || writes_memory_i || (!admit_load_o && reads_memory_i)))
      admit_o = 1'b0;
    for (int k = 0; k < int'(MaxVectorOps); ++k)
      if (k < int'(ops_count_q) && (ops_q[k].launch.kind != launch_i.kind
                                    || (admit_load_o && (ops_q[k].regs & regs_i) != '0)))
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
  end
  assign oldest_load_o = empty_o ? admit_load_o : ops_q[0].launch.kind == LaunchLoad;
  assign count_o = ops_count_q;
  assign empty_o = ops_count_q == '0;
  assign empty_post_o = ops_next_count == '0;
  assign stores_o = !empty_o && ops_q[0].launch.kind == LaunchStore;

  // Each PE works on the oldest that it has not finished.
  always_comb begin
    for (int p = 0; p < int'(NumPes); ++p)
      access_o[p] = '{load: 1'b0, store: 1'b0, op: ops_q[0].launch};
    for (int k = 0; k < int'(MaxVectorOps); ++k)
      if (k < int'(ops_count_q))
        for (int p = 0; p < int'(NumPes); ++p)
          if (ops_q[k].remain[p] && ops_q[k].later == '0 && !access_o[p].load && !access_o[p].store) begin
            access_o[p].load = ops_q[k].launch.kind == LaunchLoad;
            access_o[p].store = ops_q[k].launch.kind == LaunchStore;
            access_o[p].op = ops_q[k].launch;
            access_o[p].op.base = ops_q[k].starts[p];
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
        taken = op.later == '0 ? op.remain & ~used : '0;
        used |= op.remain;
        op.later = op.later == '0 ? '0 : op.later - 2'd1;
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
      ops_next[ops_next_count[1:0]].later = 2'(StallLatency);
      ops_next[ops_next_count[1:0]].regs = regs_i;
      for (int p = 0; p < int'(NumPes); ++p)
        ops_next[ops_next_count[1:0]].starts[p] = startOf(launch_i.base, launch_i.vec.stride, 8'(p));
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
