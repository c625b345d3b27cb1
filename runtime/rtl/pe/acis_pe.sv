// A vector processing element: its context words, operands, units, register file, memory
// port and routing. What it does in a cycle of array time is in one context word; when that
// cycle is, the sequencer says.
//
// A cycle of array time may take several clock cycles. In the first, detect_i, ports and
// interlocks are looked at; in the last, advance_i, everything changes; between them an
// interlock may make writes early (step_i counts, word_i then names the slot of the write).
`include "acis_assert.svh"

module acis_pe
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::slot_record_t;
  import acis_isa_pkg::pe_record_t;
  import acis_isa_pkg::address_record_t;
#(
  parameter logic [3:0] Units  = '1,    // by class: integer, convert, float, divide
  parameter bit         Memory = 1'b1   // has a memory port
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // Tables: 0 slot words, 1 what is derived from them, 2 address records, 3 PE records
  input  logic                  cfg_we_i,
  input  logic [1:0]            cfg_table_i,
  input  logic [7:0]            cfg_index_i,
  input  logic [511:0]          cfg_data_i,
  input  logic                  fill_i,       // of a beat of the register file
  input  logic [19:0]           fill_index_i,
  input  beat_t                 fill_data_i,

  input  logic [7:0]            pe_i,         // number of the PE, constant

  // Array time
  input  logic                  begin_i,
  input  logic                  array_i,      // an element may be due in this cycle
  input  logic                  detect_i,
  input  logic                  advance_i,
  input  logic [15:0]           step_i,
  input  logic [9:0]            time_i,
  input  logic [SlotBits-1:0]   word_i,       // of the slot tables
  input  logic [CtxBits-1:0]    context_i,
  input  logic                  wide_i,
  input  logic                  scalar_i,     // one element per iteration
  input  logic [1:0]            vector_i,     // a vector instruction runs; this PE is in its mask
  input  slot_record_t          vector_slot_i,
  input  address_record_t       vector_address_i[3],
  input  logic                  shift_i,
  input  logic [7:0]            head_i,
  input  logic [8:0]            age_i,
  input  stage_t                stage0_i,
  input  logic [3:0]            routing_set_i,
  input  logic                  args_we_i,
  input  logic [3:0]            args_set_i,
  input  args_t                 args_i,

  // What is due
  output logic                  mem_read_due_o,   // and not ready
  output logic                  mem_write_due_o,  // and not ready
  output logic [15:0]           wait_o,
  output logic                  push_due_o,
  output logic                  push_sends_o,     // what is due; else the element is left out
  output logic [LaneBits-1:0]   push_active_o,
  output beat_t                 push_o,

  // Streams and links
  input  beat_t                 stream_i,
  input  beat_t                 link_i[MaxLinks],
  output beat_t                 link_o[MaxLinks],

  // Fold
  input  logic                  folding_i,
  input  logic [7:0]            drain_i,
  input  logic [SlotBits-1:0]   slot_base_i,
  output logic                  result_on_o,
  output logic [2:0]            result_o,
  output logic [63:0]           value_o,

  // Memory reads of a loop or of a vector load begin
  input  logic                  fetch_i,
  input  launch_t               fetch_launch_i,
  input  logic [LaneBits-1:0]   fetch_vf_i,   // elements of an iteration
  input  logic [15:0]           fetch_inner_i,

  // Vector loads and stores: the oldest that this PE works on
  input  logic                  vector_load_i,
  input  logic                  vector_store_i,
  input  launch_t               vector_op_i,
  output logic                  vector_done_o,

  // Memory limit, and traps
  input  logic [31:0]           memory_bytes_i,
  output logic                  trap_o,
  output logic                  trap_memory_o,     // else register file
  output logic [63:0]           trap_value_o,      // offset, or address
  output logic [15:0]           trap_base_o,
  output logic [15:0]           trap_limit_o,      // beats, or bytes of the access
  output logic                  trap_vector_o,     // of the vector load or store
  output logic [3:0]            trap_set_o,        // whose arguments: names the launch

  output logic                  reads_idle_o,      // with what this cycle does
  output logic                  reads_quiet_o,     // both at the start of the cycle
  output logic                  writes_idle_o,
  output logic                  writes_o,          // in this cycle

  // AXI4
  output logic                  arvalid_o,
  input  logic                  arready_i,
  output logic [31:0]           araddr_o,
  output logic [7:0]            arlen_o,
  input  logic                  rvalid_i,
  input  logic                  rlast_i,
  input  beat_t                 rdata_i,
  output logic                  awvalid_o,
  input  logic                  awready_i,
  output logic [31:0]           awaddr_o,
  output logic [7:0]            awlen_o,
  output logic                  wvalid_o,
  input  logic                  wready_i,
  output beat_t                 wdata_o,
  output logic [BeatBytes-1:0]  wstrb_o,
  output logic                  wlast_o,
  input  logic                  bvalid_i
);
  // Tables
  slot_record_t    words_q[ContextSlots];
  slot_extra_t     extras_q[ContextSlots];
  address_record_t addresses_q[256];
  pe_record_t      pes_q[MaxContexts];
  always_ff @(posedge clk_i)
    if (cfg_we_i)
      case (cfg_table_i)
        2'd0: words_q[SlotBits'(cfg_index_i)] <= cfg_data_i;
        2'd1: extras_q[SlotBits'(cfg_index_i)] <= cfg_data_i[$bits(slot_extra_t)-1:0];
        2'd2: addresses_q[cfg_index_i] <= cfg_data_i[95:0];
        default: pes_q[CtxBits'(cfg_index_i)] <= cfg_data_i[255:0];
      endcase

  logic [SlotBits-1:0] fold_slot;
  slot_record_t word;
  slot_extra_t extra;
  pe_record_t port;
  always_comb begin
    if (vector_i[0]) begin
      word = vector_i[1] ? vector_slot_i : '0;
      extra = '0;
      extra.sample[InA] = word.a_source;
      extra.sample[InB] = word.b_source;
      extra.sample[InRead0] = word.read_0_index_source;
      extra.sample[InRead1] = word.read_1_index_source;
      extra.sample[InIndex] = word.write_index_source;
      extra.sample[InData] = word.write_data_source;
      extra.sample[InStream] = word.streamOut_data_source;
      extra.interlocked = {word.write_interlock, 1'b0};   // spvacc reads its sum on port 1
      extra.distance[1] = 16'(word.write_stage);
    end else begin
      word = words_q[folding_i ? SlotBits'(slot_base_i + fold_slot) : word_i];
      extra = extras_q[word_i];
    end
    port = pes_q[context_i];
  end

  // Launch arguments
  args_t args_q[ArgSets];
  always_ff @(posedge clk_i)
    if (args_we_i)
      args_q[args_set_i] <= args_i;
  function automatic logic [31:0] argument(logic [3:0] argSet, logic [4:0] index);
    return args_q[argSet][index];
  endfunction
  function automatic beat_t constant(logic [63:0] value, logic [5:0] arg, logic [3:0] argSet,
                                     logic wide, logic wide_type);
    logic [63:0] v;
    v = value;
    if (arg != '1)
      v = {wide_type && wide ? argument(argSet, 5'(arg) + 5'd1) : 32'd0,
           argument(argSet, 5'(arg))};
    return broadcast(wide, v);
  endfunction
  logic wide_type;
  assign wide_type = 32'(word.type_) == acis_isa_pkg::TypeI64
                  || 32'(word.type_) == acis_isa_pkg::TypeF64;

  // The iterations that the elements of the slot work for
  localparam int unsigned Fu = 0, Rd0 = 1, Rd1 = 2, Wr = 3, MIn = 4, MOut = 5, Push = 6;
  stage_t info[7];
  acis_stages i_stages (
    .clk_i, .shift_i, .head_i, .age_i, .stage0_i,
    .stage_i({word.streamOut_stage, word.memOut_stage, word.memIn_stage, word.write_stage,
              word.read_1_stage, word.read_0_stage, word.stage}),
    .info_o(info)
  );
  logic live_fu, live_rd0, live_rd1, live_wr, live_min, live_mout, live_push;
  assign live_fu = array_i && word.op != '0 && info[Fu].valid;
  assign live_rd0 = array_i && word.read_0_on && info[Rd0].valid;
  assign live_rd1 = array_i && word.read_1_on && info[Rd1].valid;
  assign live_wr = array_i && word.write_on && info[Wr].valid;
  assign live_min = array_i && word.memIn_on && info[MIn].valid;
  assign live_mout = array_i && word.memOut_on && info[MOut].valid;
  assign live_push = array_i && word.streamOut_on && info[Push].valid;

  // Sources
  beat_t res, memory_in, link_q[MaxLinks], reg_q[16], first_data, second_data, vrf0, vrf1;
  function automatic beat_t gated(logic on, beat_t value);
    return on ? value : '0;
  endfunction
  function automatic beat_t pick(logic [4:0] source, beat_t v0, beat_t v1);
    case (source) inside
      5'd1: return res;
      5'd2: return stream_i;
      5'd3: return v0;
      5'd4: return v1;
      5'd5: return memory_in;
      [5'd8:5'd15]: return gated(!begin_i, link_q[source[2:0]]);
      [5'd16:5'd31]: return gated(!begin_i, reg_q[source[3:0]]);
      default: return '0;
    endcase
  endfunction

  // Operands: a constant, what the source carries now, or what it carried before.
  operand_t [NumInputs-1:0] slot_in;
  logic [NumInputs-1:0][7:0] line_delay;
  logic [NumInputs-1:0] sample_on;
  beat_t sample[NumInputs], delayed[NumInputs];
  assign slot_in[InA] = {word.a_init, word.a_first, word.a_delay, word.a_source};
  assign slot_in[InB] = {word.b_init, word.b_first, word.b_delay, word.b_source};
  assign slot_in[InC] = {word.c_init, word.c_first, word.c_delay, word.c_source};
  assign slot_in[InRead0] = {word.read_0_index_init, word.read_0_index_first, word.read_0_index_delay,
                        word.read_0_index_source};
  assign slot_in[InRead1] = {word.read_1_index_init, word.read_1_index_first, word.read_1_index_delay,
                        word.read_1_index_source};
  assign slot_in[InIndex] = {word.write_index_init, word.write_index_first, word.write_index_delay,
                        word.write_index_source};
  assign slot_in[InData] = {word.write_data_init, word.write_data_first, word.write_data_delay,
                       word.write_data_source};
  assign slot_in[InPred] = {word.write_predicate_init, word.write_predicate_first,
                       word.write_predicate_delay, word.write_predicate_source};
  assign slot_in[InMemData] = {word.memOut_data_init, word.memOut_data_first, word.memOut_data_delay,
                          word.memOut_data_source};
  assign slot_in[InMemPred] = {word.memOut_predicate_init, word.memOut_predicate_first,
                          word.memOut_predicate_delay, word.memOut_predicate_source};
  assign slot_in[InStream] = {word.streamOut_data_init, word.streamOut_data_first,
                         word.streamOut_data_delay, word.streamOut_data_source};
  assign slot_in[InSend] = {word.streamOut_predicate_init, word.streamOut_predicate_first,
                       word.streamOut_predicate_delay, word.streamOut_predicate_source};
  always_comb
    for (int i = 0; i < int'(NumInputs); ++i) begin
      line_delay[i] = slot_in[i].delay;
      if (i == int'(InData) || i == int'(InPred))
        line_delay[i] = slot_in[i].delay - 8'(step_i);
      sample_on[i] = extra.sample[i] != '0;
    end
  always_comb
    for (int i = 0; i < int'(NumInputs); ++i)
      sample[i] = pick(extra.sample[i], vrf0, vrf1);
  acis_lines i_lines (
    .clk_i, .rst_ni, .begin_i, .advance_i, .sample_i(sample), .sample_on_i(sample_on),
    .delay_i(line_delay), .delayed_o(delayed)
  );
  function automatic beat_t immediate(logic second, logic [3:0] argSet);
    return second ? constant(word.imm_1, word.immArg_1, argSet, wide_i, wide_type)
                  : constant(word.imm_0, word.immArg_0, argSet, wide_i, wide_type);
  endfunction
  function automatic beat_t operand(operand_t which, beat_t now, beat_t past, stage_t stage);
    if (which.first == FirstOfRow ? stage.i0 == '0 : stage.iteration < 32'(which.first))
      return immediate(which.init, stage.argSet);
    case (which.source)
      5'd6, 5'd7: return immediate(which.source[0], stage.argSet);
      default: return which.delay == '0 ? now : past;
    endcase
  endfunction

  // Register-file reads. A port may take the other one's value as its index: that other
  // one is read first.
  logic swapped, chained;
  logic [1:0] rd_live, rd_uniform, rd_outside;
  logic [1:0][Lanes-1:0] rd_on;
  logic [1:0][Lanes-1:0][VrfBits-1:0] rd_beat;
  address_record_t first_record, second_record;
  stage_t first_info, second_info;
  logic first_live, second_live, first_uniform, second_uniform, first_outside, second_outside;
  logic [Lanes-1:0] first_on, second_on;
  logic [Lanes-1:0][VrfBits-1:0] first_beat, second_beat, first_bank, second_bank;
  logic [63:0] first_offset, second_offset;
  logic [LaneBits-1:0] first_place, second_place;
  beat_t first_raw, second_raw, first_index, second_index, index_0, index_1, chained_index;
  assign swapped = word.read_0_on && word.read_0_index_source == 5'd4
                && word.read_0_index_delay == '0;
  assign chained = swapped || (word.read_1_on && word.read_1_index_source == 5'd3
                               && word.read_1_index_delay == '0);
  assign index_0 = operand(slot_in[InRead0], pick(slot_in[InRead0].source, '0, '0), delayed[InRead0],
                           info[Rd0]);
  assign index_1 = operand(slot_in[InRead1], pick(slot_in[InRead1].source, '0, '0), delayed[InRead1],
                           info[Rd1]);
  function automatic address_record_t record(logic [7:0] number);
    return vector_i[0] ? vector_address_i[2'(number)] : addresses_q[number];
  endfunction
  // Word b of a beat that was read: of a scalar loop, the first ones are its element.
  function automatic logic [31:0] placed(beat_t raw, logic [LaneBits-1:0] place, int b);
    int unsigned from;
    from = scalar_i && b < (wide_i ? 2 : 1) ? 32'(place) * (wide_i ? 2 : 1) : 0;
    return raw[(from + b)*32 +: 32];
  endfunction
  always_comb begin
    rd_live = {live_rd1, live_rd0};
    first_live = swapped ? live_rd1 : live_rd0;
    first_record = record(swapped ? word.read_1_address : word.read_0_address);
    first_info = swapped ? info[Rd1] : info[Rd0];
    first_index = swapped ? index_1 : index_0;
    second_live = swapped ? live_rd0 : live_rd1;
    second_record = record(swapped ? word.read_0_address : word.read_1_address);
    second_info = swapped ? info[Rd0] : info[Rd1];
  end
  acis_addr i_first_addr (
    .record_i(first_record), .arg_i(argument(first_info.argSet, 5'(first_record.arg))),
    .i0_i(first_info.i0), .i1_i(first_info.i1), .wide_i, .scalar_i, .active_i(first_info.active),
    .index_i(first_index), .predicated_i(1'b0), .predicate_i('0), .uniform_o(first_uniform),
    .on_o(first_on), .beat_o(first_beat), .place_o(first_place), .outside_o(first_outside),
    .outside_offset_o(first_offset)
  );
  for (genvar b = 0; b < int'(Lanes); ++b) begin : g_first
    logic on;
    assign first_bank[b] = first_uniform ? first_beat[0] : wide_i ? first_beat[b / 2] : first_beat[b];
    assign on = first_uniform ? first_on[0] : wide_i ? first_on[b / 2] : first_on[b];
    assign first_data[b*32 +: 32] = (first_live && on) ? placed(first_raw, first_place, b) : '0;
  end
  assign chained_index = operand(swapped ? slot_in[InRead0] : slot_in[InRead1], first_data, '0, second_info);
  assign second_index = chained ? chained_index : swapped ? index_0 : index_1;
  acis_addr i_second_addr (
    .record_i(second_record), .arg_i(argument(second_info.argSet, 5'(second_record.arg))),
    .i0_i(second_info.i0), .i1_i(second_info.i1), .wide_i, .scalar_i, .active_i(second_info.active),
    .index_i(second_index), .predicated_i(1'b0), .predicate_i('0), .uniform_o(second_uniform),
    .on_o(second_on), .beat_o(second_beat), .place_o(second_place), .outside_o(second_outside),
    .outside_offset_o(second_offset)
  );
  for (genvar b = 0; b < int'(Lanes); ++b) begin : g_second
    logic on;
    assign second_bank[b] = second_uniform ? second_beat[0] : wide_i ? second_beat[b / 2] : second_beat[b];
    assign on = second_uniform ? second_on[0] : wide_i ? second_on[b / 2] : second_on[b];
    assign second_data[b*32 +: 32] = (second_live && on) ? placed(second_raw, second_place, b) : '0;
  end
  assign vrf0 = swapped ? second_data : first_data;
  assign vrf1 = swapped ? first_data : second_data;
  assign rd_uniform = swapped ? {first_uniform, second_uniform} : {second_uniform, first_uniform};
  assign rd_outside = swapped ? {first_outside, second_outside} : {second_outside, first_outside};
  assign rd_on = swapped ? {first_on, second_on} : {second_on, first_on};
  assign rd_beat = swapped ? {first_beat, second_beat} : {second_beat, first_beat};

  // Units
  beat_t operand_a, operand_b, operand_c, identity, unit_a, unit_b, unit_c;
  beat_t even[4], odd[4], bus[4], fold_data[4], fold_a, fold_b, partial, moved_a;
  logic [3:0] fold_done, of_class;
  logic [6:0] moved_op, unit_op, fold_op;
  logic [2:0] unit_type;
  logic three, fold_issue;
  logic [2:0] fold_k;
  logic [9:0] ahead;
  assign operand_a = operand(slot_in[InA], sample[InA], delayed[InA], info[Fu]);
  assign operand_b = operand(slot_in[InB], sample[InB], delayed[InB], info[Fu]);
  assign operand_c = operand(slot_in[InC], sample[InC], delayed[InC], info[Fu]);
  assign identity = immediate(1'b1, info[Fu].argSet);
  assign three = word.op == acis_isa_pkg::OpFmac || word.op == acis_isa_pkg::OpFma;
  function automatic logic [1:0] classOf(logic [6:0] op);
    if (op >= acis_isa_pkg::OpSdiv) return 2'd3;
    if (op >= acis_isa_pkg::OpFadd) return 2'd2;
    if (op >= acis_isa_pkg::OpSitofp) return 2'd1;
    return 2'd0;
  endfunction
  always_comb begin
    of_class = '0;
    of_class[classOf(word.op)] = 1'b1;
  end
  assign partial = info[Fu].iteration[0] ? odd[classOf(word.op)] : even[classOf(word.op)];
  acis_lanes i_lanes (
    .op_i(word.op), .wide_i, .scalar_i, .iteration_i(info[Fu].iteration), .k_i(LaneBits'(word.imm_0)),
    .a_i(operand_a), .b_i(operand_b), .op_o(moved_op), .a_o(moved_a)
  );
  assign unit_op = folding_i ? fold_op : moved_op;
  assign unit_type = word.type_;
  assign unit_a = folding_i ? fold_a : moved_a;
  assign unit_b = folding_i ? fold_b : word.accumulate && !three ? partial : operand_b;
  assign unit_c = word.accumulate && three ? partial : operand_c;

  logic [3:0] last_on;
  logic [3:0][2:0] last_result;
  logic [3:0][63:0] last_value;
  for (genvar c = 0; c < 4; ++c) begin : g_class
    if (Units[c]) begin : g_unit
      acis_unit #(
        .Class(c),
        .Latency(c == 0 ? LatencyInteger : c == 1 ? LatencyConvert
                 : c == 2 ? LatencyFloat : LatencyDivide),
        .Accumulate(c == 0 || c == 2)
      ) i_unit (
        .clk_i, .rst_ni, .begin_i, .advance_i, .time_i,
        .issue_i(advance_i && live_fu && of_class[c]),
        .folding_i, .fold_i(fold_issue && of_class[c]),
        .op_i(unit_op), .type_i(unit_type), .from_i(word.from), .wide_i,
        .a_i(unit_a), .b_i(unit_b), .c_i(unit_c),
        .acc_i(word.accumulate),
        .acc_slot_i(folding_i ? fold_slot : SlotBits'(word_i - slot_base_i)),
        .acc_k_i(folding_i ? fold_k : info[Fu].iteration[2:0]),
        .acc_active_i(info[Fu].active), .identity_i(identity),
        .even_o(even[c]), .odd_o(odd[c]),
        .ahead_i(ahead), .bus_o(bus[c]),
        .fold_done_o(fold_done[c]), .fold_data_o(fold_data[c]),
        .last_i(info[Fu].last && !word.accumulate && word.result != '1),
        .result_i(word.result[2:0]), .last_o(last_on[c]), .result_o(last_result[c]),
        .value_o(last_value[c])
      );
    end else begin : g_no_unit
      assign even[c] = '0;
      assign odd[c] = '0;
      assign bus[c] = '0;
      logic unused;
      assign unused = of_class[c];
      assign {last_on[c], last_result[c], last_value[c]} = '0;
      assign fold_done[c] = 1'b0;
      assign fold_data[c] = '0;
    end
  end
  // In a wait the bus is looked at where the early write will take its data.
  assign ahead = step_i > 16'(word.write_data_delay)
               ? 10'(step_i) - 10'(word.write_data_delay) : '0;
  assign res = bus[0] | bus[1] | bus[2] | bus[3];

  logic fold_on, lasts_on;
  logic [2:0] fold_result, lasts_result;
  logic [63:0] fold_value, lasts_value;
  acis_fold i_fold (
    .clk_i, .rst_ni, .begin_i,
    .seen_i(advance_i && live_fu && word.accumulate),
    .seen_slot_i(SlotBits'(word_i - slot_base_i)),
    .active_i(folding_i), .drain_i, .wide_i, .slot_o(fold_slot), .k_o(fold_k),
    .op_i(word.op), .result_i(word.result),
    .even_i(of_class[0] ? even[0] : even[2]), .odd_i(of_class[0] ? odd[0] : odd[2]),
    .issue_o(fold_issue), .op_o(fold_op), .a_o(fold_a), .b_o(fold_b),
    .done_i(|fold_done), .data_i(fold_done[0] ? fold_data[0] : fold_data[2]),
    .result_on_o(fold_on), .result_o(fold_result), .value_o(fold_value)
  );
  acis_lasts i_lasts (
    .clk_i, .rst_ni, .begin_i, .on_i(last_on), .result_i(last_result), .value_i(last_value),
    .on_o(lasts_on), .result_o(lasts_result), .value_o(lasts_value)
  );
  // A loop has results of one kind or the other.
  assign result_on_o = fold_on || lasts_on;
  assign result_o = fold_on ? fold_result : lasts_result;
  assign value_o = fold_on ? fold_value : lasts_value;

  // Register-file writes: of the slot, or early ones.
  beat_t wr_index, wr_data, wr_pred, early_data, wr_lanes, vector_data, store_data;
  address_record_t wr_record;
  logic wr_uniform, wr_outside, wr_skip, early, early_uniform, wr_predicated;
  logic [Lanes-1:0] wr_on, early_on, wr_en;
  logic [Lanes-1:0][VrfBits-1:0] wr_beat, early_beat, wr_bank;
  logic [63:0] wr_offset;
  logic [LaneBits-1:0] early_active;
  assign wr_record = vector_i[0] ? vector_address_i[2'(word.write_address)]
                                 : addresses_q[word.write_address];
  logic [LaneBits-1:0] wr_place;
  assign wr_index = operand(slot_in[InIndex], sample[InIndex], delayed[InIndex], info[Wr]);
  assign wr_data = operand(slot_in[InData], sample[InData], delayed[InData], info[Wr]);
  assign wr_predicated = word.write_predicate_source != '0;
  assign wr_pred = operand(slot_in[InPred], sample[InPred], delayed[InPred], info[Wr]);
  // The result is still to come to the bus, or already in the delay line.
  assign early_data = step_i >= 16'(word.write_data_delay) ? res : delayed[InData];
  acis_addr i_wr_addr (
    .record_i(wr_record), .arg_i(argument(info[Wr].argSet, 5'(wr_record.arg))), .i0_i(info[Wr].i0),
    .i1_i(info[Wr].i1), .wide_i, .scalar_i, .active_i(info[Wr].active), .index_i(wr_index),
    .predicated_i(wr_predicated), .predicate_i(wr_pred),
    .uniform_o(wr_uniform), .on_o(wr_on), .beat_o(wr_beat), .place_o(wr_place),
    .outside_o(wr_outside), .outside_offset_o(wr_offset)
  );
  always_comb begin
    wr_lanes = early ? early_data : wr_data;
    for (int b = 0; b < int'(Lanes); ++b) begin
      int lane, e;
      logic kept;
      if (scalar_i)
        wr_lanes[b*32 +: 32] = wr_data[(wide_i ? b % 2 : 0)*32 +: 32];
      lane = wide_i ? b / 2 : b;
      e = (early ? early_uniform : wr_uniform) ? 0 : lane;
      kept = LaneBits'(lane) < (early ? early_active : info[Wr].active)
          && (!wr_predicated || (wide_i ? wr_pred[(b / 2)*64 +: 64] != 0
                                        : wr_pred[b*32 +: 32] != 0));
      if (scalar_i)
        kept = LaneBits'(lane) == wr_place;
      wr_en[b] = kept && (early ? early_on[e] : advance_i && live_wr && !wr_skip && wr_on[e]);
      wr_bank[b] = early ? early_beat[e] : wr_beat[e];
    end
  end

  acis_interlock i_interlock (
    .clk_i, .rst_ni, .begin_i, .advance_i, .detect_i, .step_i,
    .read_i(rd_live & extra.interlocked), .distance_i(extra.distance), .uniform_i(rd_uniform),
    .on_i(rd_on), .beat_i(rd_beat), .active_i({info[Rd1].active, info[Rd0].active}),
    .wait_o, .early_o(early), .early_uniform_o(early_uniform), .early_on_o(early_on),
    .early_beat_o(early_beat), .early_active_o(early_active), .done_o(wr_skip)
  );

  // Vector loads and stores
  logic [31:0] place_q;
  logic vector_last, vector_step, vector_wide;
  logic [LaneBits-1:0] vector_active;
  format_t vector_format;
  logic [VrfBits-1:0] vector_beat;
  logic [CountBits-1:0] vector_bytes;
  logic [31:0] vector_address;
  assign vector_wide = vector_op_i.vec.sew == 2'd3;
  assign vector_format = '{bytes: vector_op_i.vec.eew, isSigned: 1'b0, splat: vector_op_i.vec.splat};
  assign vector_last = place_q + 32'd1 == vector_op_i.iterations;
  assign vector_active = vector_last && vector_op_i.tail != '0 ? vector_op_i.tail
                       : vfOf(vector_wide);
  assign vector_bytes = accessBytes(vector_format, vector_active);
  assign vector_beat = VrfBits'(32'(vector_op_i.vec.vd) * (VrfBeats / NumVregs) + place_q);
  assign vector_address = vector_op_i.base + 32'(pe_i) * vector_op_i.vec.stride
                        + place_q * 32'(accessBytes(vector_format, vfOf(vector_wide)));
  assign vector_done_o = vector_step && vector_last;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni)
      place_q <= '0;
    else if (vector_step)
      place_q <= vector_last ? '0 : place_q + 32'd1;

  logic [Lanes-1:0] load_en;
  acis_vrf i_vrf (
    .clk_i, .rd_beat0_i(first_bank), .rd_data0_o(first_raw),
    .rd_beat1_i(second_bank), .rd_data1_o(second_raw),
    .wr_en_i(wr_en), .wr_beat_i(wr_bank), .wr_data_i(wr_lanes),
    .store_beat_i(vector_beat), .store_data_o(store_data),
    .load_en_i(fill_i ? {Lanes{32'(fill_index_i) < VrfBeats}} : load_en),
    .load_beat_i(fill_i ? VrfBits'(fill_index_i) : vector_beat),
    .load_data_i(fill_i ? fill_data_i : vector_data)
  );
  always_comb
    for (int b = 0; b < int'(Lanes); ++b)
      load_en[b] = vector_load_i && vector_step
                && LaneBits'(vector_wide ? b / 2 : b) < vector_active;

  // Memory reads
  pe_record_t fetch_port;
  job_t job;
  format_t in_format, fetch_format;
  logic mem_ready, mem_user, mem_pop, job_start;
  logic [31:0] mem_address;
  logic [CountBits-1:0] mem_bytes;
  beat_t mem_data;
  assign fetch_port = pes_q[CtxBits'(fetch_launch_i.context_)];
  always_comb begin
    fetch_format = fetch_launch_i.isVector
        ? format_t'{bytes: fetch_launch_i.vec.eew, isSigned: 1'b0,
                    splat: fetch_launch_i.vec.splat}
        : format_t'{bytes: fetch_port.memIn_format_bytes, isSigned: 1'b0,
                    splat: fetch_port.memIn_format_splat};
    job.iterations = fetch_launch_i.iterations;
    job.full = accessBytes(fetch_format, fetch_vf_i);
    job.last = fetch_launch_i.tail == '0 ? job.full : accessBytes(fetch_format, fetch_launch_i.tail);
    job.user = fetch_launch_i.isVector;
    if (fetch_launch_i.isVector) begin
      job.base = fetch_launch_i.base + 32'(pe_i) * fetch_launch_i.vec.stride;
      job.stride0 = '0;
      job.stride1 = 32'(job.full);
      job.inner = 16'd1;
    end else begin
      job.base = argument(fetch_launch_i.argSet, fetch_port.memIn_arg) + fetch_port.memIn_offset;
      job.stride0 = fetch_port.memIn_stride0;
      job.stride1 = fetch_port.memIn_stride1;
      job.inner = fetch_inner_i;
    end
  end
  assign job_start = fetch_i && (fetch_launch_i.isVector ? fetch_launch_i.vec.mask[pe_i[4:0]] && pe_i < 8'd32
                                                         : fetch_port.memIn_on);
  assign in_format = '{bytes: port.memIn_format_bytes, isSigned: port.memIn_format_isSigned,
                       splat: port.memIn_format_splat};
  assign memory_in = live_min ? expand(in_format, wide_i, info[MIn].active, mem_data) : '0;
  assign mem_read_due_o = live_min && !(mem_ready && !mem_user);
  assign vector_data = expand(vector_format, vector_wide, vector_active, mem_data);
  assign mem_pop = (advance_i && live_min) || (vector_load_i && vector_step);

  // Memory writes
  format_t out_format;
  beat_t out_data, out_pred, write_data;
  logic [BeatBytes-1:0] write_strobe;
  logic write_ready, write_on, out_last;
  logic [31:0] out_address, write_address;
  logic [CountBits-1:0] out_bytes, write_bytes;
  assign out_format = '{bytes: port.memOut_format_bytes, isSigned: 1'b0,
                        splat: port.memOut_format_splat};
  assign out_data = operand(slot_in[InMemData], sample[InMemData], delayed[InMemData], info[MOut]);
  assign out_pred = operand(slot_in[InMemPred], sample[InMemPred], delayed[InMemPred], info[MOut]);
  assign out_address = argument(info[MOut].argSet, port.memOut_arg) + port.memOut_offset
                     + port.memOut_stride0 * {16'd0, info[MOut].i0}
                     + port.memOut_stride1 * info[MOut].i1;
  assign out_bytes = accessBytes(out_format, info[MOut].active);
  assign out_last = info[MOut].last;
  assign mem_write_due_o = live_mout && !write_ready;
  always_comb begin
    if (vector_store_i) begin
      write_on = vector_step;
      write_address = vector_address;
      write_bytes = vector_bytes;
      write_data = pack(vector_format, vector_wide, store_data);
      write_strobe = strobes(vector_format, vector_wide, vector_active, 1'b0, '0);
    end else begin
      write_on = advance_i && live_mout;
      write_address = out_address;
      write_bytes = out_bytes;
      write_data = pack(out_format, wide_i, out_data);
      write_strobe = strobes(out_format, wide_i, info[MOut].active,
                             word.memOut_predicate_source != '0, out_pred);
    end
  end
  assign writes_o = write_on;
  assign vector_step = (vector_load_i && mem_ready && mem_user) || (vector_store_i && write_ready);

  if (Memory) begin : g_memory
    acis_read_master i_reader (
      .clk_i, .rst_ni, .start_i(job_start), .job_i(job), .ready_o(mem_ready), .user_o(mem_user),
      .address_o(mem_address), .bytes_o(mem_bytes), .data_o(mem_data), .pop_i(mem_pop),
      .idle_o(reads_idle_o), .quiet_o(reads_quiet_o), .arvalid_o, .arready_i, .araddr_o, .arlen_o, .rvalid_i, .rlast_i,
      .rdata_i
    );
    acis_write_master i_writer (
      .clk_i, .rst_ni, .ready_o(write_ready), .write_i(write_on), .address_i(write_address),
      .bytes_i(write_bytes), .data_i(write_data), .strobe_i(write_strobe),
      .flush_i(vector_store_i ? vector_last : out_last), .idle_o(writes_idle_o),
      .awvalid_o, .awready_i, .awaddr_o, .awlen_o, .wvalid_o, .wready_i, .wdata_o, .wstrb_o,
      .wlast_o, .bvalid_i
    );
  end else begin : g_no_memory
    assign {mem_ready, mem_user, mem_address, mem_bytes, mem_data, write_ready} = '0;
    assign {arvalid_o, araddr_o, arlen_o, awvalid_o, awaddr_o, awlen_o, wvalid_o, wdata_o,
            wstrb_o, wlast_o} = '0;
    assign reads_idle_o = 1'b1;
    assign reads_quiet_o = 1'b1;
    assign writes_idle_o = 1'b1;
    logic unused;
    assign unused = ^{arready_i, rvalid_i, rlast_i, rdata_i, awready_i, wready_i, bvalid_i,
                      mem_pop, job_start, write_data, write_strobe, out_last, write_address,
                      write_bytes};
  end

  // Stream output; a predicate is of scalar loops only, whose element is in lane 0.
  logic [63:0] push_pred;
  assign push_pred = 64'(operand(slot_in[InSend], sample[InSend], delayed[InSend], info[Push]));
  assign push_due_o = live_push;
  assign push_sends_o = word.streamOut_predicate_source == '0
                     || (wide_i ? push_pred != '0 : push_pred[31:0] != '0);
  assign push_active_o = info[Push].active;
  assign push_o = operand(slot_in[InStream], sample[InStream], delayed[InStream], info[Push]);

  // Links and routing registers move what is there, whoever's it is.
  function automatic beat_t route(logic [4:0] source);
    return source == 5'd6 || source == 5'd7 ? immediate(source[0], routing_set_i)
                                            : pick(source, vrf0, vrf1);
  endfunction
  logic [4:0] link_source[MaxLinks];
  assign link_source[0] = word.link_0;
  assign link_source[1] = word.link_1;
  assign link_source[2] = word.link_2;
  assign link_source[3] = word.link_3;
  assign link_source[4] = word.link_4;
  assign link_source[5] = word.link_5;
  assign link_source[6] = word.link_6;
  assign link_source[7] = word.link_7;
  for (genvar k = 0; k < int'(MaxLinks); ++k) begin : g_link
    assign link_o[k] = link_source[k] == '0 ? '0 : route(link_source[k]);
    always_ff @(posedge clk_i)
      if (advance_i)
        link_q[k] <= link_i[k];
      else if (begin_i)
        link_q[k] <= '0;
  end
  for (genvar r = 0; r < 16; ++r) begin : g_reg
    if (r < int'(RouteRegs)) begin : g_on
      always_ff @(posedge clk_i)
        if (advance_i && word.regWrite && 32'(word.reg_) == r)
          reg_q[r] <= route(word.regData);
        else if (begin_i)
          reg_q[r] <= '0;
    end else begin : g_off
      assign reg_q[r] = '0;
    end
  end

  // Traps
  function automatic logic outside(logic [31:0] address, logic [CountBits-1:0] bytes);
    return address < MemoryBase
        || {1'b0, address - MemoryBase} + 33'(bytes) > {1'b0, memory_bytes_i};
  endfunction
  logic f;
  assign f = first_live && first_outside;
  always_comb begin
    trap_o = 1'b0;
    trap_memory_o = 1'b0;
    trap_value_o = '0;
    trap_base_o = '0;
    trap_limit_o = '0;
    trap_vector_o = 1'b0;
    trap_set_o = '0;
    if (detect_i && live_min && outside(mem_address, mem_bytes)) begin
      {trap_o, trap_memory_o} = '1;
      trap_value_o = {32'd0, mem_address};
      trap_limit_o = 16'(mem_bytes);
      trap_set_o = info[MIn].argSet;
    end else if (detect_i && |(rd_live & rd_outside)) begin
      trap_o = 1'b1;
      trap_value_o = f ? first_offset : second_offset;
      trap_base_o = f ? first_record.base : second_record.base;
      trap_limit_o = f ? first_record.limit : second_record.limit;
      trap_set_o = f ? first_info.argSet : second_info.argSet;
    end else if (advance_i && live_mout && outside(out_address, out_bytes)) begin
      {trap_o, trap_memory_o} = '1;
      trap_value_o = {32'd0, out_address};
      trap_limit_o = 16'(out_bytes);
      trap_set_o = info[MOut].argSet;
    end else if (advance_i && live_wr && !wr_skip && wr_outside) begin
      trap_o = 1'b1;
      trap_value_o = wr_offset;
      trap_base_o = wr_record.base;
      trap_limit_o = wr_record.limit;
      trap_set_o = info[Wr].argSet;
    end else if (vector_step && outside(vector_load_i ? mem_address : vector_address,
                                        vector_load_i ? mem_bytes : vector_bytes)) begin
      {trap_o, trap_memory_o, trap_vector_o} = '1;
      trap_value_o = {32'd0, vector_load_i ? mem_address : vector_address};
      trap_limit_o = vector_load_i ? 16'(mem_bytes) : 16'(vector_bytes);
    end
  end
endmodule
