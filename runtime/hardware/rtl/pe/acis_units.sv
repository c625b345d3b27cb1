// The functional units of a PE: a unit of each class that the PE has, operations that move
// between lanes, the accumulations' partial results and their fold, and the results of the loop.
module acis_units
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::slot_record_t;
#(
  parameter logic [3:0] Units = '1,   // by class: integer, convert, float, divide
  parameter int unsigned EveryConvert = 1, // cycles between operations of these
  parameter int unsigned EveryDivide = 1,
  parameter bit         Wide  = 1'b1, // these have elements of 64 bits,
  parameter bit         Fused = 1'b1, // fma,
  parameter bit         Moves = 1'b1  // iota, lane and slide
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  // Array time
  input  logic                begin_i,
  input  logic                detect_i,
  input  logic                advance_i,
  input  logic [15:0]         step_i,
  input  logic [9:0]          time_i,
  input  logic [SlotBits-1:0] slot_i,       // of the loop
  input  logic                wide_i,
  input  logic                scalar_i,     // one element per iteration

  // The operation of the slot, for an iteration if live_i
  input  logic                live_i,
  input  slot_record_t        word_i,
  input  logic [2:0]          accumulation_i,   // number of the slot's
  input  stage_t              info_i,
  input  beat_t               a_i,
  input  beat_t               b_i,
  input  beat_t               c_i,
  input  logic [63:0]         identity_i,   // of an accumulation, for a pair of lanes
  output beat_t               bus_o,
  output beat_t               early_o,      // in a wait, where the early write takes its data

  // Fold
  input  logic                folding_i,
  input  logic                fold_i,       // since a cycle or more: its slot is in fold_word_i
  input  slot_record_t        fold_word_i,
  input  logic [7:0]          drain_i,
  output logic [SlotBits-1:0] fold_slot_o,

  output logic                result_on_o,
  output logic [2:0]          result_o,
  output logic [63:0]         value_o
);
  beat_t unit_a, unit_b, unit_c;
  beat_t even[4], odd[4], bus[4], early[4], fold_data[4], fold_a, fold_b, partial, moved_a;
  logic [3:0] fold_done, of_class;
  logic [6:0] moved_op, unit_op, fold_op;
  logic three, fold_issue;
  logic [2:0] fold_k, fold_number;
  logic [9:0] ahead;
  // Operations are of a class that the PE has: with no float unit those that accumulate are integer ones.
  localparam bit Float = Units[2];
  assign three = Float && (word_i.op == acis_isa_pkg::OpFmac || word_i.op == acis_isa_pkg::OpFma);
  function automatic logic [1:0] classOf(logic [6:0] op);
    if (op == acis_isa_pkg::OpRotl) return 2'd0;
    if (op >= acis_isa_pkg::OpSdiv) return 2'd3;
    if (op >= acis_isa_pkg::OpFadd) return 2'd2;
    if (op >= acis_isa_pkg::OpSitofp) return 2'd1;
    return 2'd0;
  endfunction
  slot_record_t word;              // of the operation that starts
  assign word = fold_i ? fold_word_i : word_i;
  always_comb begin
    of_class = '0;
    of_class[classOf(word.op)] = 1'b1;
  end
  // The class whose partial results an operation may take
  function automatic logic [1:0] summing(logic [6:0] op);
    return Float && (!Units[0] || classOf(op) != 2'd0) ? 2'd2 : 2'd0;
  endfunction
  assign partial = info_i.iteration[0] ? odd[summing(word_i.op)] : even[summing(word_i.op)];
  if (Moves) begin : g_moves
    acis_lanes i_lanes (
      .op_i(word_i.op), .wide_i, .scalar_i, .iteration_i(info_i.iteration),
      .k_i(LaneBits'(word_i.imm_0)), .a_i, .b_i, .op_o(moved_op), .a_o(moved_a)
    );
  end else begin : g_no_moves
    assign moved_op = word_i.op;
    assign moved_a = a_i;
    logic unused_scalar;
    assign unused_scalar = scalar_i;
  end
  assign unit_op = folding_i ? fold_op : moved_op;
  assign unit_a = folding_i ? fold_a : moved_a;
  assign unit_b = folding_i ? fold_b : word_i.accumulate && !three ? partial : b_i;
  assign unit_c = word_i.accumulate && three ? partial : c_i;

  // With an input latency an operation does not depend on the reads of its cycle, and does not wait
  // with them: the write that they wait for may be its own.
  logic starts;
  assign starts = (InputLatency != 0 ? detect_i : advance_i) && live_i;

  logic [3:0] last_on;
  logic [3:0][2:0] last_result;
  logic [3:0][63:0] last_value;
  for (genvar c = 0; c < 4; ++c) begin : g_class
    if (Units[c]) begin : g_unit
      acis_unit #(
        .Class(c),
        .Latency(c == 0 ? LatencyInteger : c == 1 ? LatencyConvert
                 : c == 2 ? LatencyFloat : LatencyDivide),
        .Every(c == 1 ? EveryConvert : c == 3 ? EveryDivide : 1),
        .Accumulate(c == 0 || c == 2), .Wide(Wide), .Fused(Fused)
      ) i_unit (
        .clk_i, .rst_ni, .begin_i, .advance_i, .time_i,
        .issue_i(starts && of_class[c]),
        .folding_i, .fold_i(fold_issue && of_class[c]),
        .op_i(unit_op), .type_i(word.type_), .from_i(word.from), .wide_i,
        .a_i(unit_a), .b_i(unit_b), .c_i(unit_c),
        .acc_i(word_i.accumulate), .acc_number_i(folding_i ? fold_number : accumulation_i),
        .acc_k_i(folding_i ? fold_k : info_i.iteration[2:0]),
        .acc_active_i(info_i.active), .identity_i,
        .even_o(even[c]), .odd_o(odd[c]),
        .bus_o(bus[c]), .ahead_i(ahead), .early_o(early[c]),
        .fold_done_o(fold_done[c]), .fold_data_o(fold_data[c]),
        .last_i(info_i.last && !word_i.accumulate && word_i.result != '1),
        .result_i(word_i.result[2:0]), .last_o(last_on[c]), .result_o(last_result[c]),
        .value_o(last_value[c])
      );
    end else begin : g_no_unit
      assign even[c] = '0;
      assign odd[c] = '0;
      assign bus[c] = '0;
      assign early[c] = '0;
      logic unused;
      assign unused = of_class[c];
      assign {last_on[c], last_result[c], last_value[c]} = '0;
      assign fold_done[c] = 1'b0;
      assign fold_data[c] = '0;
    end
  end
  assign ahead = step_i > 16'(word_i.write_data_delay)
               ? 10'(step_i) - 10'(word_i.write_data_delay) : '0;
  assign bus_o = bus[0] | bus[1] | bus[2] | bus[3];
  assign early_o = early[0] | early[1] | early[2] | early[3];

  logic fold_on, lasts_on;
  logic [2:0] fold_result, lasts_result;
  logic [63:0] fold_value, lasts_value;
  acis_fold i_fold (
    .clk_i, .rst_ni, .begin_i, .seen_i(starts && word_i.accumulate),
    .seen_slot_i(slot_i), .active_i(folding_i), .drain_i, .wide_i, .slot_o(fold_slot_o), .number_o(fold_number),
    .k_o(fold_k), .op_i(word.op), .result_i(word.result),
    .even_i(even[summing(word.op)]), .odd_i(odd[summing(word.op)]),
    .issue_o(fold_issue), .op_o(fold_op), .a_o(fold_a), .b_o(fold_b),
    .done_i(|fold_done), .data_i(fold_done[0] || !Float ? fold_data[0] : fold_data[2]),
    .result_on_o(fold_on), .result_o(fold_result), .value_o(fold_value)
  );
  logic began;
  acis_pipe #(.Width(1), .Depth(32'(LaunchLatency != 0))) i_began
    (.clk_i, .en_i(1'b1), .d_i(begin_i), .q_o(began));
  acis_lasts i_lasts (
    .clk_i, .rst_ni, .begin_i(began), .on_i(last_on), .result_i(last_result), .value_i(last_value),
    .on_o(lasts_on), .result_o(lasts_result), .value_o(lasts_value)
  );
  // A loop has results of one kind or the other.
  assign result_on_o = fold_on || lasts_on;
  assign result_o = fold_on ? fold_result : lasts_result;
  assign value_o = fold_on ? fold_value : lasts_value;
endmodule
