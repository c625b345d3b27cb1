// A run of the kernel, from start to done: core out of reset, register files cleared, program
// loaded, packets; and its end, when the packets are through and everything has left, or when
// a trap, an error on the bus or the host ends it.
//
// After a trap nothing new is asked of memory; when nothing is on its way any more, and the
// packet that was being taken is gone, the core is reset. Answers that were complete still leave.
`include "acis_assert.svh"

module acis_run
  import acis_isa_pkg::*;
  import acis_shell_pkg::*;
#(
  parameter int unsigned VrfBeats     = 256,
  parameter int unsigned ScratchWords = 1024
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // Registers
  input  logic        start_i,
  output logic        idle_o,
  output logic        done_o,          // in this cycle
  input  logic        abort_i,
  input  logic        keep_i,
  output code_e       code_o,
  output logic [31:0] detail_o,
  output logic [63:0] cycles_o,

  // Loader
  output logic        load_o,
  input  logic        loaded_i,
  input  code_e       load_error_i,
  input  logic [31:0] load_at_i,

  // Core and what is around it
  output logic        core_rst_no,
  output logic        clear_o,         // clear_index_o of the register files and of the scratch memory
  output logic [31:0] clear_index_o,
  output logic        begin_o,         // packets are counted from here
  output logic        run_o,
  output logic        discard_o,       // the rest of the packet that has begun is thrown away
  output logic        stop_memory_o,
  input  logic        closed_i,        // no packet will come, none is being taken
  input  logic        inside_i,        // one is being taken
  input  logic        core_idle_i,
  input  logic        answers_idle_i,  // every answer has left
  input  logic        memory_quiet_i,
  input  logic        memory_error_i,
  input  logic        grid_trap_i,
  input  logic        scalar_trap_i,
  input  logic [31:0] grid_pc_i,
  input  logic [31:0] scalar_pc_i
);
  localparam logic [31:0] ClearTo = VrfBeats > ScratchWords ? VrfBeats : ScratchWords;
  typedef enum logic [2:0] {Idle, Reset, Clear, Load, Start, Run, Stop, Done} state_e;
  state_e state_q, state;
  logic [31:0] count_q, detail_q;      // cycles in this state
  logic [63:0] cycles_q;
  logic loaded_q, fails, settled;
  code_e code_q, failure;

  always_comb begin
    fails = 1'b1;
    failure = CodeFine;
    if (memory_error_i)
      failure = CodeDataBus;
    else if (grid_trap_i)
      failure = CodeGridTrap;
    else if (scalar_trap_i)
      failure = CodeScalarTrap;
    else if (abort_i)
      failure = CodeAbort;
    else
      fails = 1'b0;
  end

  assign settled = closed_i && core_idle_i && answers_idle_i && memory_quiet_i;
  always_comb begin
    state = state_q;
    case (state_q)
      Idle:    if (start_i) state = keep_i && loaded_q ? Start : Reset;
      Reset:   if (count_q == 32'd15) state = Clear;
      Clear:   if (count_q == ClearTo - 32'd1) state = Load;   // which fills register files
      Load:    if (loaded_i) state = load_error_i == CodeFine ? Start : Done;
      Start:   if (count_q == 32'd3) state = Run;      // the first instruction is read
      // Idle for a few cycles: what leaves one block has not come to the next at once.
      Run:     if (fails) state = Stop;
               else if (count_q == 32'd15) state = Done;
      Stop:    if (memory_quiet_i && answers_idle_i && !inside_i && count_q >= 32'd15) state = Done;
      default: state = Idle;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      state_q <= Idle;
      code_q <= CodeFine;
      {count_q, detail_q, cycles_q, loaded_q, core_rst_no} <= '0;
    end else begin
      state_q <= state;
      count_q <= state != state_q ? '0
               : state_q == Run ? (settled ? count_q + 32'd1 : '0) : count_q + 32'd1;
      if (state_q == Idle && start_i)
        {code_q, detail_q, cycles_q} <= {CodeFine, 96'd0};
      if (state_q == Run)
        cycles_q <= cycles_q + 64'd1;
      if (state_q == Load && loaded_i) begin
        code_q <= load_error_i;
        detail_q <= load_error_i == CodeFine ? '0 : load_at_i;
      end
      if (state_q == Run && fails) begin
        code_q <= failure;
        detail_q <= grid_trap_i ? grid_pc_i : scalar_pc_i;
      end
      // What has no reset keeps its content; a program that ended badly is not there any more.
      if (state == Reset || state_q == Stop || (state_q == Load && state == Done))
        loaded_q <= 1'b0;
      else if (state == Run)
        loaded_q <= 1'b1;
      core_rst_no <= !(state == Reset || (state == Done && (state_q == Stop || state_q == Load))
                       || (state == Idle && !loaded_q));
    end

  assign load_o = state_q == Clear && state == Load;
  assign clear_o = state_q == Clear;
  assign clear_index_o = count_q;
  assign begin_o = state_q == Start && state == Run;
  assign run_o = state_q == Run;
  assign discard_o = state_q == Stop;
  assign stop_memory_o = state_q == Stop;
  assign idle_o = state_q == Idle;
  assign done_o = state_q == Done;
  assign code_o = code_q;
  assign detail_o = detail_q;
  assign cycles_o = cycles_q;
endmodule
