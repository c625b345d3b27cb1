// The front of a VPE: what decides. Its context words, the iterations of the slot, choices of operands,
// addresses of the register file and interlocks, in the clock cycle of the sequencer. What it finds goes to
// the back (acis_pe_back), which does it; only indices come from there.
module acis_pe_front
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_bus_pkg::*;
  import acis_isa_pkg::*;
#(
  parameter bit Memory = 1'b1,  // as of acis_pe
  parameter bit Gather = 1'b1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  config_t               cfg_i,
  input  logic [7:0]            pe_i,         // number of the PE, constant

  // Array time
  input  array_t                array_i,
  input  move_t                 move_i,
  input  next_slot_t            next_slot_i,
  input  head_t                 head_i,
  input  args_write_t           args_i,

  // Memory reads begin, of this context with these arguments
  input  logic [CtxBits-1:0]    fetch_context_i,
  input  logic [3:0]            fetch_set_i,

  // The slot, for the back
  output slot_work_t            work_o,
  output vrf_read_t             first_o,      // reads, in the order in which they are made
  output vrf_read_t             second_o,
  output vrf_address_t          write_o,
  output early_t                early_o,

  // Indices
  output index_ask_t            ask_o,
  input  beat_t                 index_0_i,
  input  beat_t                 index_1_i,
  input  beat_t                 index_write_i,
  input  beat_t                 first_found_i,   // of the first read, which may be the second one's index

  // The memory port
  output memory_slot_t          memory_o,
  output memory_look_t          memory_look_o,
  output memory_fetch_t         memory_fetch_o,

  // Reads that wait, and the first one outside of its array
  output hold_t                 hold_o,
  output pe_trap_t              outside_o,
  output logic [3:0]            read_set_o,      // of arguments: of the slot's memory read
  output logic                  push_o,          // is due,
  output logic [LaneBits-1:0]   push_active_o    // so many elements
);
  localparam bit Ahead = LaunchLatency != 0;

  // What the slot at hand says, and the port of a loop whose reads begin
  slot_record_t word;
  slot_extra_t extra;
  address_record_t record[3];
  pe_record_t port, fetch_port;
  // What is looked up for it, with a launch latency in the cycle before
  slot_record_t look_word, after_word;
  logic [6:0] head_first;
  address_record_t look_record[3];
  pe_record_t look_port;
  logic moves;                     // the next cycle is of what is looked up
  assign moves = move_i.advance || array_i.begin_;
  address_record_t head_address[3];
  for (genvar a = 0; a < 3; ++a) begin : g_head_address
    assign head_address[a] = head_i.address[a];
  end
  acis_slots i_slots (
    .clk_i, .cfg_we_i(ofSlots(cfg_i) && cfg_i.pe == pe_i), .cfg_table_i(2'(cfg_i.table_)),
    .cfg_index_i(cfg_i.index[7:0]), .cfg_data_i(cfg_i.data), .begin_i(array_i.begin_), .next_i(move_i.next),
    .next_row_i(move_i.next_row), .moves_i(move_i.advance), .walks_i(next_slot_i.walks),
    .after_row_i(next_slot_i.after),
    .head_vector_i(head_i.isVector), .head_on_i(pe_i < 8'd32 && head_i.mask[pe_i[4:0]]),
    .head_slot_i(head_i.slot), .head_address_i(head_address), .head_row_i(head_i.row),
    .head_context_i(head_i.context_), .fetch_context_i,
    .fetch_port_o(fetch_port),
    .word_o(word), .extra_o(extra), .address_o(record), .port_o(port), .look_word_o(look_word),
    .look_address_o(look_record), .look_port_o(look_port), .after_word_o(after_word),
    .head_first_o(head_first)
  );

  // The iterations that the elements of the slot work for
  localparam int unsigned Fu = 0, Rd0 = 1, Rd1 = 2, Wr = 3, MIn = 4, MOut = 5, Push = 6;
  function automatic logic [6:0][7:0] stagesOf(slot_record_t of);
    return {of.streamOut_stage, of.memOut_stage, of.memIn_stage, of.write_stage, of.read_1_stage,
            of.read_0_stage, of.stage};
  endfunction
  stage_t info[7], look[7];
  acis_stages i_stages (
    .clk_i, .begin_i(array_i.begin_), .begin_first_i(head_first), .moves_i(moves),
    .turns_i(next_slot_i.turns), .after_turns_i(next_slot_i.afterTurns),
    .enters_i(next_slot_i.stage0), .shift_i(array_i.shift), .head_i(array_i.head),
    .age_i(array_i.age), .stage0_i(array_i.stage0),
    .stage_i(stagesOf(Ahead ? after_word : word)), .look_o(look), .info_o(info)
  );
  logic live_fu, live_rd0, live_rd1, live_wr;
  // With a launch latency no iteration is there while no element is due.
  logic element;
  assign element = Ahead || array_i.on;
  assign live_fu = element && word.op != '0 && info[Fu].valid;
  assign live_rd0 = element && word.read_0_on && info[Rd0].valid;
  assign live_rd1 = TwoReads && element && word.read_1_on && info[Rd1].valid;
  assign live_wr = element && word.write_on && info[Wr].valid;
  assign push_o = element && word.streamOut_on && info[Push].valid;
  assign push_active_o = info[Push].active;
  assign read_set_o = info[MIn].argSet;

  // Operands: a constant, what the source carries now, or what it carried before.
  function automatic operand_t [NumInputs-1:0] operandsOf(slot_record_t of);
    operand_t [NumInputs-1:0] in;
    in[InA] = {of.a_init, of.a_first, of.a_delay, of.a_source};
    in[InB] = {of.b_init, of.b_first, of.b_delay, of.b_source};
    in[InC] = {of.c_init, of.c_first, of.c_delay, of.c_source};
    in[InRead0] = {of.read_0_index_init, of.read_0_index_first, of.read_0_index_delay,
                   of.read_0_index_source};
    in[InRead1] = {of.read_1_index_init, of.read_1_index_first, of.read_1_index_delay,
                   of.read_1_index_source};
    in[InIndex] = {of.write_index_init, of.write_index_first, of.write_index_delay,
                   of.write_index_source};
    in[InData] = {of.write_data_init, of.write_data_first, of.write_data_delay, of.write_data_source};
    in[InPred] = {of.write_predicate_init, of.write_predicate_first, of.write_predicate_delay,
                  of.write_predicate_source};
    in[InMemData] = {of.memOut_data_init, of.memOut_data_first, of.memOut_data_delay,
                     of.memOut_data_source};
    in[InMemPred] = {of.memOut_predicate_init, of.memOut_predicate_first, of.memOut_predicate_delay,
                     of.memOut_predicate_source};
    in[InStream] = {of.streamOut_data_init, of.streamOut_data_first, of.streamOut_data_delay,
                    of.streamOut_data_source};
    in[InSend] = {of.streamOut_predicate_init, of.streamOut_predicate_first,
                  of.streamOut_predicate_delay, of.streamOut_predicate_source};
    return in;
  endfunction
  operand_t [NumInputs-1:0] look_in;
  choice_t [NumInputs-1:0] choices;
  choice_t [2:0] look_choices;
  logic [2:0][63:0] begins;
  logic [1:0][63:0] routing;
  logic [63:0] identity;
  logic [1:0] initial_index;
  logic [31:0] write_arg, fetch_arg;
  assign look_in = operandsOf(look_word);
  acis_choices i_choices (
    .clk_i, .loads_i(moves), .args_we_i(args_i.we), .args_set_i(args_i.argSet), .args_i(args_i.args),
    .word_i(look_word),
    .address_i(look_record), .port_i(look_port), .operand_i(look_in), .info_i(look),
    .wide_i(Ahead ? next_slot_i.wide : array_i.wide),
    .routing_set_i(Ahead ? next_slot_i.routingSet : array_i.routing_set), .look_o(look_choices),
    .begins_o(begins), .write_arg_o(write_arg), .initial_o(initial_index), .choice_o(choices),
    .identity_o(identity),
    .routing_o(routing), .fetch_set_i,
    .fetch_index_i(ArgBits'(fetch_port.memIn_arg)), .fetch_arg_o(fetch_arg)
  );
  // An index is taken for the slot that comes next.
  logic [2:0][7:0] index_delay;
  choice_t [2:0] index_choice;
  assign index_delay = IndexLatency != 0
      ? {look_word.write_index_delay, look_word.read_1_index_delay, look_word.read_0_index_delay}
      : {word.write_index_delay, word.read_1_index_delay, word.read_0_index_delay};
  assign index_choice = IndexLatency != 0 ? look_choices
                      : {choices[InIndex], choices[InRead1], choices[InRead0]};
  acis_index_ask i_ask (
    .clk_i, .rst_ni, .begin_i(array_i.begin_), .advance_i(move_i.advance), .delay_i(index_delay),
    .choice_i(index_choice), .ask_o
  );

  // Affine parts of the addresses, by slot of the loop
  logic [63:0] start[3], look_start[3];
  function automatic logic [63:0] extended(logic [15:0] stride);
    return {{48{stride[15]}}, stride};
  endfunction
  localparam int unsigned StartBits = HasWide ? 64 : 32;
  for (genvar a = 0; a < 3; ++a) begin : g_start
    logic [StartBits-1:0] start_bits, look_bits;
    assign start[a] = 64'(start_bits);
    assign look_start[a] = 64'(look_bits);
    if (a == 1 && !TwoReads) begin : g_none
      assign {look_bits, start_bits} = '0;
    end else begin : g_affine
      acis_affine #(.Bits(StartBits)) i_affine (
        .clk_i, .begin_i(array_i.begin_), .moves_i(move_i.advance),
        .live_i(a == 0 ? live_rd0 : a == 1 ? live_rd1 : live_wr),
        .slot_i(array_i.slot), .row_i(info[Rd0 + a].row), .stride0_i(StartBits'(extended(record[a].stride0))),
        .stride1_i(StartBits'(extended(record[a].stride1))), .look_slot_i(next_slot_i.slot),
        .look_first_i(look[Rd0 + a].first), .look_row_i(look[Rd0 + a].row),
        .look_arg_i(StartBits'(begins[a])),
        .look_o(look_bits), .start_o(start_bits)
      );
    end
  end
  // What addresses are made of
  logic at_wide, at_scalar;
  address_record_t at_record[3];
  logic [63:0] at_start[3];
  logic [LaneBits-1:0] at_active[3];
  assign at_wide = IndexLatency != 0 ? next_slot_i.wide : array_i.wide;
  assign at_scalar = IndexLatency != 0 ? next_slot_i.scalar : array_i.scalar;
  for (genvar a = 0; a < 3; ++a) begin : g_at
    assign at_record[a] = IndexLatency != 0 ? look_record[a] : record[a];
    assign at_start[a] = IndexLatency != 0 ? look_start[a] : start[a];
    assign at_active[a] = IndexLatency != 0 ? look[Rd0 + a].active : info[Rd0 + a].active;
  end

  // Register-file reads. A port may take the other one's value as its index: that other
  // one is read first.
  logic swapped, chained, vrf_outside;
  logic [1:0] rd_uniform;
  logic [1:0][Lanes-1:0] rd_on;
  logic [1:0][Lanes-1:0][VrfBits-1:0] rd_beat;
  logic [63:0] vrf_offset;
  logic [15:0] vrf_base, vrf_limit;
  logic [3:0] vrf_set;
  assign swapped = word.read_0_on && word.read_0_index_source == SourceVrf1
                && word.read_0_index_delay == '0;
  assign chained = swapped || (word.read_1_on && word.read_1_index_source == SourceVrf0
                               && word.read_1_index_delay == '0);
  acis_vrf_reads #(.Gather(Gather)) i_reads (
    .clk_i, .moves_i(moves), .swapped_i(swapped), .chained_i(chained),
    .initial_i(swapped ? initial_index[0] : initial_index[1]),
    .wide_i(array_i.wide), .scalar_i(array_i.scalar), .live_i({live_rd1, live_rd0}), .info_0_i(info[Rd0]),
    .info_1_i(info[Rd1]),
    .record_0_i(record[0]), .record_1_i(record[1]), .at_wide_i(at_wide), .at_scalar_i(at_scalar),
    .at_record_0_i(at_record[0]), .at_record_1_i(at_record[1]), .at_start_0_i(at_start[0]),
    .at_start_1_i(at_start[1]), .at_active_0_i(at_active[0]), .at_active_1_i(at_active[1]),
    .index_0_i, .index_1_i, .first_o, .first_found_i, .second_o,
    .uniform_o(rd_uniform), .on_o(rd_on), .beat_o(rd_beat), .outside_o(vrf_outside),
    .offset_o(vrf_offset), .base_o(vrf_base), .limit_o(vrf_limit), .set_o(vrf_set)
  );
  assign outside_o = '{
    on: move_i.detect && vrf_outside, memory: 1'b0, isVector: 1'b0, value: vrf_offset, base: vrf_base,
    limit: vrf_limit, argSet: vrf_set
  };

  // The write
  acis_addr #(.Gather(Gather)) i_wr_addr (
    .clk_i, .moves_i(moves), .record_i(at_record[2]), .start_i(at_start[2]), .wide_i(at_wide),
    .scalar_i(at_scalar), .index_i(index_write_i), .index_on_i('1), .active_i(at_active[2]),
    .address_o(write_o)
  );
  acis_interlock #(.Gather(Gather)) i_interlock (
    .clk_i, .rst_ni, .begin_i(array_i.begin_), .advance_i(move_i.advance), .detect_i(move_i.detect),
    .step_i(array_i.step),
    .read_i({live_rd1, live_rd0} & extra.interlocked), .distance_i(extra.distance), .uniform_i(rd_uniform),
    .on_i(rd_on), .beat_i(rd_beat), .active_i({info[Rd1].active, info[Rd0].active}),
    .waits_o(hold_o.waits), .longer_o(hold_o.longer), .longest_o(hold_o.longest), .wait_o(hold_o.wait_),
    .early_o(early_o.on), .early_uniform_o(early_o.uniform), .early_on_o(early_o.lanes),
    .early_beat_o(early_o.beat), .early_active_o(early_o.active), .done_o(early_o.done)
  );

  assign work_o = '{
    word: word, extra: extra, unit: live_fu, read: {live_rd1, live_rd0}, write: live_wr, push: push_o,
    swapped: InputLatency == 0 && swapped, unit_info: info[Fu], write_active: info[Wr].active,
    choice: choices, identity: identity, routing: routing, write_base: record[2].base,
    write_limit: record[2].limit, write_set: info[Wr].argSet
  };
  assign memory_o = '{
    port: port, read: Memory && element && word.memIn_on && info[MIn].valid, read_active: info[MIn].active,
    write: Memory && element && word.memOut_on && info[MOut].valid, info: info[MOut],
    predicated: word.memOut_predicate_source != '0
  };
  assign memory_look_o = '{info: look[MOut], port: look_port, arg: write_arg};
  assign memory_fetch_o = '{port: fetch_port, arg: fetch_arg};
endmodule
