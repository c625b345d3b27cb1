// A vector processing element: its context words, operands, units, register file, memory
// port and routing. What it does in a cycle of array time is in one context word; when that
// cycle is, the sequencer says.
//
// A cycle of array time may take several clock cycles. In the first (move_i.detect) ports and
// interlocks are looked at; in the last (move_i.advance) everything changes; between them an
// interlock may make writes early (array_i.step counts, and the word is that of the write's slot).
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

  // Array time
  input  array_t                array_i,
  input  move_t                 move_i,
  input  next_slot_t            next_slot_i,
  input  head_t                 head_i,
  input  fold_t                 fold_i,
  input  args_write_t           args_i,

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
  localparam bit Ahead = LaunchLatency != 0;

  // What the slot at hand says
  logic [SlotBits-1:0] fold_slot;
  slot_record_t word, fold_word;
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
    .head_context_i(head_i.context_), .fold_row_i(SlotBits'(array_i.slot_base + fold_slot)),
    .fold_word_o(fold_word),
    .fetch_context_i(CtxBits'(fetch_i.launch.context_)), .fetch_port_o(fetch_port),
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
  logic live_fu, live_rd0, live_rd1, live_wr, live_min, live_mout, live_push;
  // With a launch latency no iteration is there while no element is due.
  logic element;
  assign element = Ahead || array_i.on;
  assign live_fu = element && word.op != '0 && info[Fu].valid;
  assign live_rd0 = element && word.read_0_on && info[Rd0].valid;
  assign live_rd1 = element && word.read_1_on && info[Rd1].valid;
  assign live_wr = element && word.write_on && info[Wr].valid;
  assign live_min = Memory && element && word.memIn_on && info[MIn].valid;
  assign live_mout = Memory && element && word.memOut_on && info[MOut].valid;
  assign live_push = element && word.streamOut_on && info[Push].valid;

  // What the slot reads, and the sources that it is: with an input latency in the next cycle of array
  // time.
  typedef struct packed {
    beat_t vrf0, vrf1, memory;
  } reads_t;
  reads_t found, source;
  if (InputLatency != 0) begin : g_held
    reads_t held_q, held;
    assign held = array_i.begin_ ? '0 : held_q;
    // Copies of the register file are such a register themselves.
    assign source = VrfCopies != 0 ? '{vrf0: found.vrf0, vrf1: found.vrf1, memory: held.memory} : held;
    always_ff @(posedge clk_i)
      if (move_i.advance)
        held_q <= found;
      else if (array_i.begin_)
        held_q <= '0;
  end else begin : g_direct
    assign source = found;
  end

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
  operand_t [NumInputs-1:0] slot_in, look_in;
  logic [NumInputs-1:0][7:0] line_delay;
  logic [NumInputs-1:0] sample_on, delayed_on;
  choice_t [NumInputs-1:0] choices, look_choices, takes;
  beat_t res, early_res, sample[NumInputs], delayed[NumInputs], operand[NumInputs];
  assign slot_in = operandsOf(word);
  assign look_in = operandsOf(look_word);
  always_comb
    for (int i = 0; i < int'(NumInputs); ++i) begin
      line_delay[i] = slot_in[i].delay;
      if (i == int'(InData) || i == int'(InPred))
        line_delay[i] = slot_in[i].delay - 8'(array_i.step);
      takes[i] = choices[i];
      // An index is taken for the slot that comes next.
      if (IndexLatency != 0 && (i == int'(InRead0) || i == int'(InRead1) || i == int'(InIndex))) begin
        line_delay[i] = look_in[i].delay;
        takes[i] = look_choices[i];
      end
      sample_on[i] = extra.sample[i] != '0;
    end
  acis_lines #(.Gather(Gather)) i_lines (
    .clk_i, .rst_ni, .begin_i(array_i.begin_), .advance_i(move_i.advance), .sample_i(sample),
    .sample_on_i(sample_on),
    .delay_i(line_delay), .delayed_o(delayed), .delayed_on_o(delayed_on)
  );
  logic [2:0][63:0] begins;
  logic [1:0][63:0] routing;
  logic [63:0] identity;
  logic [31:0] write_arg, fetch_arg;
  logic [1:0] initial_index;
  acis_choices i_choices (
    .clk_i, .loads_i(moves), .args_we_i(args_i.we), .args_set_i(args_i.argSet), .args_i(args_i.args),
    .word_i(look_word),
    .address_i(look_record), .port_i(look_port), .operand_i(look_in), .info_i(look),
    .wide_i(Ahead ? next_slot_i.wide : array_i.wide),
    .routing_set_i(Ahead ? next_slot_i.routingSet : array_i.routing_set), .look_o(look_choices),
    .begins_o(begins), .write_arg_o(write_arg), .initial_o(initial_index), .choice_o(choices),
    .identity_o(identity),
    .routing_o(routing), .fetch_set_i(fetch_i.launch.argSet),
    .fetch_index_i(ArgBits'(fetch_port.memIn_arg)),
    .fetch_arg_o(fetch_arg)
  );

  // Links and routing registers
  logic [4:0] link_source[MaxLinks];
  logic [7:0][4:0] link_sources;   // a context word has eight, whatever links there are
  assign link_sources = {word.link_7, word.link_6, word.link_5, word.link_4, word.link_3, word.link_2,
                         word.link_1, word.link_0};
  for (genvar k = 0; k < int'(MaxLinks); ++k) begin : g_link_source
    assign link_source[k] = link_sources[k];
  end

  beat_t index_0, index_1;
  for (genvar p = 0; p < int'(Lanes) / 2; ++p) begin : g_pair
    localparam int unsigned At = p * 64;
    logic [63:0] link_in[MaxLinks], link_out[MaxLinks];
    logic [63:0] past[NumInputs], now[NumInputs], taken[NumInputs];
    for (genvar k = 0; k < int'(MaxLinks); ++k) begin : g_link
      assign link_in[k] = link_i[k][At +: 64];
      assign link_o[k][At +: 64] = link_out[k];
    end
    for (genvar i = 0; i < int'(NumInputs); ++i) begin : g_input
      assign past[i] = delayed[i][At +: 64];
      assign sample[i][At +: 64] = now[i];
      assign operand[i][At +: 64] = taken[i];
    end
    acis_operands #(.Indexed(Gather || p == 0)) i_operands (
      .clk_i, .begin_i(array_i.begin_), .advance_i(move_i.advance), .result_i(res[At +: 64]),
      .stream_i(stream_i[At +: 64]),
      .read_0_i(source.vrf0[At +: 64]), .read_1_i(source.vrf1[At +: 64]),
      .memory_i(source.memory[At +: 64]),
      .link_i(link_in), .sample_i(extra.sample), .choice_i(takes),
      .index_0_i(slot_in[InRead0].source), .index_1_i(slot_in[InRead1].source),
      .delayed_i(past), .delayed_on_i(delayed_on), .sample_o(now), .operand_o(taken), .index_0_o(index_0[At +: 64]),
      .index_1_o(index_1[At +: 64]), .link_source_i(link_source), .reg_we_i(word.regWrite),
      .reg_i(word.reg_), .reg_source_i(word.regData), .constant_i(routing),
      .link_o(link_out)
    );
  end

  // Register-file reads. A port may take the other one's value as its index: that other
  // one is read first.
  logic swapped, chained, vrf_outside;
  logic [1:0] rd_uniform;
  logic [1:0][Lanes-1:0] rd_on;
  logic [1:0][Lanes-1:0][VrfBits-1:0] rd_beat;
  logic [Lanes-1:0][VrfBits-1:0] first_bank, second_bank;
  beat_t first_raw, second_raw;
  logic [63:0] vrf_offset;
  logic [15:0] vrf_base, vrf_limit;
  logic [3:0] vrf_set;
  assign swapped = word.read_0_on && word.read_0_index_source == SourceVrf1
                && word.read_0_index_delay == '0;
  assign chained = swapped || (word.read_1_on && word.read_1_index_source == SourceVrf0
                               && word.read_1_index_delay == '0);
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
  acis_vrf_reads #(.Gather(Gather)) i_reads (
    .clk_i, .moves_i(moves), .begin_i(array_i.begin_), .advance_i(move_i.advance), .swapped_i(swapped),
    .chained_i(chained),
    .initial_i(swapped ? initial_index[0] : initial_index[1]),
    .wide_i(array_i.wide), .scalar_i(array_i.scalar), .live_i({live_rd1, live_rd0}), .info_0_i(info[Rd0]),
    .info_1_i(info[Rd1]),
    .record_0_i(record[0]), .record_1_i(record[1]), .at_wide_i(at_wide), .at_scalar_i(at_scalar),
    .at_record_0_i(at_record[0]), .at_record_1_i(at_record[1]), .at_start_0_i(at_start[0]),
    .at_start_1_i(at_start[1]), .at_active_0_i(at_active[0]), .at_active_1_i(at_active[1]),
    .index_0_i(index_0), .index_1_i(index_1), .first_bank_o(first_bank), .first_raw_i(first_raw),
    .second_bank_o(second_bank), .second_raw_i(second_raw), .data_0_o(found.vrf0), .data_1_o(found.vrf1),
    .uniform_o(rd_uniform), .on_o(rd_on), .beat_o(rd_beat), .outside_o(vrf_outside),
    .offset_o(vrf_offset), .base_o(vrf_base), .limit_o(vrf_limit), .set_o(vrf_set)
  );

  // Units
  acis_units #(
    .Units(Units), .EveryConvert(EveryConvert), .EveryDivide(EveryDivide), .Wide(Wide),
    .Fused(Fused), .Moves(Moves)
  ) i_units (
    .clk_i, .rst_ni, .begin_i(array_i.begin_), .detect_i(move_i.detect), .advance_i(move_i.advance),
    .step_i(array_i.step), .time_i(array_i.time_),
    .slot_i(array_i.slot), .wide_i(array_i.wide), .scalar_i(array_i.scalar), .live_i(live_fu),
    .word_i(word),
    .accumulation_i(extra.accumulation),
    .info_i(info[Fu]), .a_i(operand[InA]),
    .b_i(operand[InB]),
    .c_i(operand[InC]),
    .identity_i(identity), .bus_o(res), .early_o(early_res),
    .folding_i(fold_i.on), .fold_i(fold_i.begun), .fold_word_i(fold_word), .drain_i(fold_i.drain),
    .fold_slot_o(fold_slot), .result_on_o(result_o.on), .result_o(result_o.number), .value_o(result_o.value)
  );

  // Register-file writes: of the slot, or early ones.
  beat_t wr_index, wr_data, wr_pred, early_data, wr_lanes, vector_data, store_data;
  logic [Lanes-1:0] load_en;
  logic [VrfBits-1:0] vector_beat, store_beat;
  logic store_en;
  logic wr_uniform, wr_outside, wr_skip, early, early_uniform, wr_predicated;
  logic [Lanes-1:0] wr_on, early_on, wr_en;
  logic [Lanes-1:0][VrfBits-1:0] wr_beat, early_beat, wr_bank;
  logic [63:0] wr_offset;
  logic [LaneBits-1:0] early_active;
  logic [LaneBits-1:0] wr_place;
  assign wr_index = operand[InIndex];
  assign wr_data = operand[InData];
  assign wr_predicated = word.write_predicate_source != '0;
  assign wr_pred = operand[InPred];
  // The result is still to come to the bus, or already in the delay line.
  assign early_data = array_i.step >= 16'(word.write_data_delay) ? early_res
                    : delayed_on[InData] ? delayed[InData] : '0;
  acis_addr #(.Gather(Gather)) i_wr_addr (
    .clk_i, .moves_i(moves), .record_i(at_record[2]), .start_i(at_start[2]), .wide_i(at_wide),
    .scalar_i(at_scalar), .index_i(wr_index), .index_on_i('1), .active_i(at_active[2]),
    .predicated_i(wr_predicated), .predicate_i(wr_pred),
    .uniform_o(wr_uniform), .on_o(wr_on), .beat_o(wr_beat), .place_o(wr_place),
    .outside_o(wr_outside), .outside_offset_o(wr_offset)
  );
  always_comb begin
    wr_lanes = early ? early_data : wr_data;
    for (int b = 0; b < int'(Lanes); ++b) begin
      int lane, e;
      logic kept, now, past;         // predicates
      if (array_i.scalar)
        wr_lanes[b*32 +: 32] = wr_data[(array_i.wide ? b % 2 : 0)*32 +: 32];
      lane = array_i.wide ? b / 2 : b;
      e = (early ? early_uniform : wr_uniform) ? 0 : lane;
      now = array_i.wide ? wr_pred[(b / 2)*64 +: 64] != 0 : wr_pred[b*32 +: 32] != 0;
      past = delayed_on[InPred] && (array_i.wide ? delayed[InPred][(b / 2)*64 +: 64] != 0
                                                 : delayed[InPred][b*32 +: 32] != 0);
      kept = LaneBits'(lane) < (early ? early_active : info[Wr].active)
          && (!wr_predicated || (early ? past : now));
      if (array_i.scalar)
        kept = LaneBits'(lane) == wr_place;
      wr_en[b] = kept && (early ? early_on[e] : move_i.advance && live_wr && !wr_skip && wr_on[e]);
      wr_bank[b] = early ? early_beat[e] : wr_beat[e];
    end
  end

  acis_interlock #(.Gather(Gather)) i_interlock (
    .clk_i, .rst_ni, .begin_i(array_i.begin_), .advance_i(move_i.advance), .detect_i(move_i.detect),
    .step_i(array_i.step),
    .read_i({live_rd1, live_rd0} & extra.interlocked), .distance_i(extra.distance), .uniform_i(rd_uniform),
    .on_i(rd_on), .beat_i(rd_beat), .active_i({info[Rd1].active, info[Rd0].active}),
    .waits_o(due_o.waits), .longer_o(due_o.longer),
    .longest_o(due_o.longest), .wait_o(due_o.wait_), .early_o(early), .early_uniform_o(early_uniform),
    .early_on_o(early_on),
    .early_beat_o(early_beat), .early_active_o(early_active), .done_o(wr_skip)
  );

  logic clear, fill;
  assign clear = cfg_i.we && cfg_i.table_ == TableClear;
  assign fill = clear || (cfg_i.we && cfg_i.table_ == TableRegisters && cfg_i.pe == pe_i);
  acis_vrf #(.Pumped(PumpedVrf)) i_vrf (
    .clk_i, .clk_ram_i, .rst_ni, .rd_en_i({live_rd1, live_rd0} & {2{move_i.advance}}),
    .rd_beat0_i(first_bank), .rd_data0_o(first_raw),
    .rd_beat1_i(second_bank), .rd_data1_o(second_raw),
    .wr_en_i(wr_en), .wr_beat_i(wr_bank), .wr_data_i(wr_lanes),
    .store_en_i(store_en), .store_beat_i(store_beat), .store_data_o(store_data),
    .load_en_i(fill ? {Lanes{32'(cfg_i.index) < VrfBeats}} : load_en),
    .load_beat_i(fill ? VrfBits'(cfg_i.index) : vector_beat),
    .load_data_i(!fill ? vector_data : clear ? '0 : cfg_i.data[BeatBits-1:0])
  );
  // With copies of the register file, vector loads and stores take what the loop leaves of its ports.
  logic write_free, read_free;
  assign write_free = VrfCopies == 0 || !(move_i.advance ? live_wr : move_i.detect || array_i.step != '0);
  assign read_free = VrfCopies == 0 || (move_i.advance ? !live_rd1 : !array_i.on);

  // Memory
  outside_t beyond;
  memory_write_t memory_write;
  assign memory_write = '{
    on: live_mout, info: info[MOut], predicated: word.memOut_predicate_source != '0,
    data: operand[InMemData], predicate: operand[InMemPred]
  };
  acis_pe_memory #(.Memory(Memory)) i_memory (
    .clk_i, .rst_ni, .pe_i, .memory_bytes_i, .fetch_i, .fetch_port_i(fetch_port),
    .fetch_arg_i(fetch_arg), .port_i(port), .array_i, .move_i, .read_i(live_min),
    .read_active_i(info[MIn].active), .read_o(found.memory), .read_due_o(due_o.mem_read),
    .write_i(memory_write), .next_slot_i, .look_info_i(look[MOut]), .look_port_i(look_port),
    .look_arg_i(write_arg), .write_due_o(due_o.mem_write), .vector_i, .vector_done_o,
    .write_free_i(write_free), .read_free_i(read_free), .vector_beat_o(vector_beat),
    .store_en_o(store_en), .store_beat_o(store_beat), .load_en_o(load_en), .load_data_o(vector_data),
    .store_data_i(store_data), .outside_o(beyond), .reads_idle_o, .reads_quiet_o, .writes_idle_o,
    .writes_o, .memory_o, .memory_i
  );

  // Stream output; a predicate is of scalar loops only, whose element is in lane 0.
  logic [63:0] push_pred;
  assign push_pred = 64'(operand[InSend]);
  assign due_o.push = live_push;
  assign push_o.sends = word.streamOut_predicate_source == '0
                     || (array_i.wide ? push_pred != '0 : push_pred[31:0] != '0);
  assign due_o.push_active = info[Push].active;
  assign push_o.data = operand[InStream];

  `ACIS_ASSERT(ArrayLives_A, array_i.on || !(live_fu || live_rd0 || live_rd1 || live_wr || live_min
                                          || live_mout || live_push))

  // Traps
  always_comb begin
    trap_o = '0;
    trap_o.on = 1'b1;
    if (beyond.read) begin
      trap_o.memory = 1'b1;
      trap_o.argSet = info[MIn].argSet;
    end else if (move_i.detect && vrf_outside) begin
      trap_o.value = vrf_offset;
      trap_o.base = vrf_base;
      trap_o.limit = vrf_limit;
      trap_o.argSet = vrf_set;
    end else if (beyond.write) begin
      trap_o.memory = 1'b1;
      trap_o.argSet = info[MOut].argSet;
    end else if (move_i.advance && live_wr && !wr_skip && wr_outside) begin
      trap_o.value = wr_offset;
      trap_o.base = record[2].base;
      trap_o.limit = record[2].limit;
      trap_o.argSet = info[Wr].argSet;
    end else if (beyond.isVector) begin
      {trap_o.memory, trap_o.isVector} = '1;
    end else begin
      trap_o.on = 1'b0;
    end
    if (trap_o.memory) begin
      trap_o.value = {32'd0, beyond.address};
      trap_o.limit = 16'(beyond.bytes);
    end
  end
endmodule
