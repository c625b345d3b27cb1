// A vector processing element: its context words, operands, units, register file, memory
// port and routing. What it does in a cycle of array time is in one context word; when that
// cycle is, the sequencer says.
//
// It is cut in two: the front decides (acis_pe_front), and the back does it StallLatency clock cycles
// later (acis_pe_back). Between them are registers, or wires if that is 0. The memory port has both sides
// (acis_pe_memory).
`include "acis_assert.svh"

module acis_pe
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_bus_pkg::*;
  import acis_isa_pkg::*;
#(
  parameter logic [3:0] Units  = '1,    // by class: integer, convert, float, divide
  parameter int unsigned EveryConvert = 1, // slots between operations of these
  parameter int unsigned EveryDivide = 1,
  parameter bit         Memory = 1'b1,  // has a memory port
  parameter bit         Wide   = 1'b1,  // what they can do: elements of 64 bits,
  parameter bit         Fused  = 1'b1,  // fma,
  parameter bit         Gather = 1'b1,  // an index for each lane,
  parameter bit         Moves  = 1'b1,  // moves between lanes
  parameter bit         PumpedVrf = 1'b0
) (
  input  logic                  clk_i,
  input  logic                  clk_ram_i,
  input  logic                  rst_ni,

  // Tables (acis_slots), and beats of the register file: one with data, or of all PEs with zeros
  input  config_t               cfg_i,

  input  logic [7:0]            pe_i,         // number of the PE, constant

  // Array time: what is decided, and what is done
  input  array_t                array_i,
  input  move_t                 move_i,
  input  next_slot_t            next_slot_i,
  input  head_t                 head_i,
  input  args_write_t           args_i,
  input  array_t                done_array_i,
  input  move_t                 done_move_i,
  input  fold_t                 done_fold_i,

  output due_t                  due_o,
  output push_t                 push_o,
  output result_t               result_o,

  // Streams and links
  input  beat_t                 stream_i,
  input  beat_t                 link_i[MaxLinks],
  output beat_t                 link_o[MaxLinks],

  // Memory reads that begin, and the vector load or store at hand
  input  fetch_t                fetch_i,
  input  vector_access_t        vector_i,
  output logic                  vector_done_o,

  // Memory limit, and traps
  input  logic [31:0]           memory_bytes_i,
  output pe_trap_t              trap_o,

  output logic                  reads_idle_o,      // with what this cycle does
  output logic                  reads_quiet_o,     // both at the start of the cycle
  output logic                  writes_idle_o,
  output logic                  writes_o,          // in this cycle

  output memory_request_t       memory_o,
  input  memory_response_t      memory_i
);
  // The slot in the front, and in the back
  slot_work_t work, done_work;
  vrf_read_t first, second, done_first, done_second;
  vrf_address_t write, done_write;
  early_t early, done_early;
  pe_trap_t trap, done_trap;
  acis_pipe #(.Width($bits(slot_work_t)), .Depth(StallLatency)) i_work
    (.clk_i, .en_i(1'b1), .d_i(work), .q_o(done_work));
  acis_pipe #(.Width($bits(vrf_read_t)), .Depth(StallLatency)) i_first
    (.clk_i, .en_i(1'b1), .d_i(first), .q_o(done_first));
  acis_pipe #(.Width($bits(vrf_read_t)), .Depth(StallLatency)) i_second
    (.clk_i, .en_i(1'b1), .d_i(second), .q_o(done_second));
  acis_pipe #(.Width($bits(vrf_address_t)), .Depth(StallLatency)) i_write
    (.clk_i, .en_i(1'b1), .d_i(write), .q_o(done_write));
  acis_follow #(.Width($bits(early_t))) i_early (.clk_i, .rst_ni, .d_i(early), .q_o(done_early));
  acis_follow #(.Width($bits(pe_trap_t))) i_trap (.clk_i, .rst_ni, .d_i(trap), .q_o(done_trap));

  index_ask_t ask;
  beat_t index_0, index_1, index_write, first_found, read_data, load_data, store_data;
  memory_slot_t memory;
  memory_look_t memory_look;
  memory_fetch_t memory_fetch;
  memory_data_t memory_data;
  hold_t hold;
  pe_trap_t read_outside, write_outside;
  outside_t beyond, vector_beyond;
  logic [3:0] read_set;
  logic due_read, due_write, push;
  logic [LaneBits-1:0] push_active;
  acis_pe_front #(.Memory(Memory), .Gather(Gather)) i_front (
    .clk_i, .rst_ni, .cfg_i, .pe_i, .array_i, .move_i, .next_slot_i, .head_i, .args_i,
    .fetch_context_i(CtxBits'(fetch_i.launch.context_)), .fetch_set_i(fetch_i.launch.argSet),
    .work_o(work), .first_o(first), .second_o(second), .write_o(write), .early_o(early), .ask_o(ask),
    .index_0_i(index_0), .index_1_i(index_1), .index_write_i(index_write), .first_found_i(first_found),
    .memory_o(memory), .memory_look_o(memory_look), .memory_fetch_o(memory_fetch), .hold_o(hold),
    .outside_o(read_outside), .read_set_o(read_set), .push_o(push), .push_active_o(push_active)
  );
  assign due_o = '{
    mem_read: due_read, mem_write: due_write, waits: hold.waits, longer: hold.longer,
    longest: hold.longest, wait_: hold.wait_, push: push, push_active: push_active
  };

  logic write_free, read_free, store_en;
  logic [VrfBits-1:0] vector_beat, store_beat;
  logic [Lanes-1:0] load_en;
  acis_pe_back #(
    .Units(Units), .EveryConvert(EveryConvert), .EveryDivide(EveryDivide), .Wide(Wide), .Fused(Fused),
    .Gather(Gather), .Moves(Moves), .PumpedVrf(PumpedVrf)
  ) i_back (
    .clk_i, .clk_ram_i, .rst_ni, .cfg_i, .pe_i, .array_i(done_array_i), .move_i(done_move_i),
    .fold_i(done_fold_i), .work_i(done_work), .first_i(done_first), .second_i(done_second),
    .write_i(done_write), .early_i(done_early), .push_o, .memory_o(memory_data), .result_o,
    .outside_o(write_outside), .ask_i(ask), .index_0_o(index_0), .index_1_o(index_1),
    .index_write_o(index_write), .first_found_o(first_found), .stream_i, .memory_i(read_data), .link_i,
    .link_o, .write_free_o(write_free), .read_free_o(read_free), .vector_beat_i(vector_beat),
    .store_en_i(store_en), .store_beat_i(store_beat), .store_data_o(store_data), .load_en_i(load_en),
    .load_data_i(load_data)
  );

  acis_pe_memory #(.Memory(Memory)) i_memory (
    .clk_i, .rst_ni, .pe_i, .memory_bytes_i, .fetch_i, .fetch_port_i(memory_fetch), .array_i, .move_i,
    .next_slot_i, .slot_i(memory), .look_i(memory_look), .read_due_o(due_read), .write_due_o(due_write),
    .read_o(read_data), .data_i(memory_data), .vector_i, .vector_done_o, .write_free_i(write_free),
    .read_free_i(read_free), .vector_beat_o(vector_beat), .store_en_o(store_en),
    .store_beat_o(store_beat), .load_en_o(load_en), .load_data_o(load_data), .store_data_i(store_data),
    .outside_o(beyond), .vector_outside_o(vector_beyond), .reads_idle_o, .reads_quiet_o, .writes_idle_o,
    .writes_o, .memory_o, .memory_i
  );

  logic lives;
  assign lives = work.unit || work.read != '0 || work.write || work.push || memory.read || memory.write;
  `ACIS_ASSERT(ArrayLives_A, array_i.on || !lives)

  // Traps: the first of what is decided, then of what is done
  function automatic pe_trap_t ofMemory(logic [31:0] address, logic [CountBits-1:0] bytes, logic isVector,
                                        logic [3:0] argSet);
    return '{on: 1'b1, memory: 1'b1, isVector: isVector, value: {32'd0, address}, base: '0,
             limit: 16'(bytes), argSet: argSet};
  endfunction
  always_comb begin
    trap = '0;
    if (beyond.read)
      trap = ofMemory(beyond.address, beyond.bytes, 1'b0, read_set);
    else if (read_outside.on)
      trap = read_outside;
    else if (beyond.write)
      trap = ofMemory(beyond.address, beyond.bytes, 1'b0, memory.info.argSet);
  end
  always_comb begin
    trap_o = '0;
    if (done_trap.on)
      trap_o = done_trap;
    else if (write_outside.on)
      trap_o = write_outside;
    else if (vector_beyond.read || vector_beyond.write)
      trap_o = ofMemory(vector_beyond.address, vector_beyond.bytes, 1'b1, '0);
  end
endmodule
