// The back of a VPE: what does what the front has decided (acis_pe_front). Operands, units and their folds,
// register file, links and routing registers, in the clock cycle of the array.
//
// A cycle of array time may take several clock cycles. In the first (move_i.detect) ports and
// interlocks were looked at; in the last (move_i.advance) everything changes; between them an
// interlock may make writes early (array_i.step counts, and the word is that of the write's slot).
module acis_pe_back
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_bus_pkg::*;
  import acis_isa_pkg::*;
#(
  parameter logic [3:0] Units  = '1,    // as of acis_pe
  parameter int unsigned EveryConvert = 1,
  parameter int unsigned EveryDivide = 1,
  parameter bit         Wide   = 1'b1,
  parameter bit         Fused  = 1'b1,
  parameter bit         Gather = 1'b1,
  parameter bit         Moves  = 1'b1,
  parameter bit         PumpedVrf = 1'b0
) (
  input  logic                  clk_i,
  input  logic                  clk_ram_i,
  input  logic                  rst_ni,
  input  config_t               cfg_i,
  input  logic [7:0]            pe_i,         // number of the PE, constant

  // Array time, of the cycle that is done
  input  array_t                array_i,
  input  move_t                 move_i,
  input  fold_t                 fold_i,

  // The slot
  input  slot_work_t            work_i,
  input  vrf_read_t             first_i,
  input  vrf_read_t             second_i,
  input  vrf_address_t          write_i,
  input  early_t                early_i,
  output push_t                 push_o,
  output memory_data_t          memory_o,
  output result_t               result_o,
  output pe_trap_t              outside_o,    // a write outside of its array

  // Indices, which the front asks for
  input  index_ask_t            ask_i,
  output beat_t                 index_0_o,
  output beat_t                 index_1_o,
  output beat_t                 index_write_o,
  output beat_t                 first_found_o,

  // Streams, memory and links
  input  beat_t                 stream_i,
  input  beat_t                 memory_i,
  input  beat_t                 link_i[MaxLinks],
  output beat_t                 link_o[MaxLinks],

  // Ports of the register file for vector loads and stores
  output logic                  write_free_o, // the loop does not need them
  output logic                  read_free_o,
  input  logic [VrfBits-1:0]    vector_beat_i,
  input  logic                  store_en_i,
  input  logic [VrfBits-1:0]    store_beat_i,
  output beat_t                 store_data_o,
  input  logic [Lanes-1:0]      load_en_i,
  input  beat_t                 load_data_i
);
  slot_record_t word, fold_word;
  assign word = work_i.word;

  // What the slot reads, and the sources that it is: with an input latency in the next cycle of array
  // time.
  typedef struct packed {
    beat_t vrf0, vrf1, memory;
  } reads_t;
  reads_t found, source;
  beat_t first_raw, second_raw, first_data, second_data, second_found_unused;
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
  acis_vrf_found i_first (
    .clk_i, .begin_i(array_i.begin_), .advance_i(move_i.advance), .read_i(first_i), .raw_i(first_raw),
    .found_o(first_found_o), .data_o(first_data)
  );
  if (TwoReads) begin : g_second
    acis_vrf_found i_second (
      .clk_i, .begin_i(array_i.begin_), .advance_i(move_i.advance), .read_i(second_i), .raw_i(second_raw),
      .found_o(second_found_unused), .data_o(second_data)
    );
  end else begin : g_one_read
    assign {second_found_unused, second_data} = '0;
    logic unused_second;
    assign unused_second = ^{second_i, second_raw};
  end
  assign found.vrf0 = work_i.swapped ? second_data : first_data;
  assign found.vrf1 = work_i.swapped ? first_data : second_data;
  assign found.memory = memory_i;

  // Operands: a constant, what the source carries now, or what it carried before.
  localparam int unsigned IndexOf[NumInputs] = '{0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0};
  logic [NumInputs-1:0][8:0] line_delay;
  logic [NumInputs-1:0] sample_on, delayed_on;
  choice_t [NumInputs-1:0] takes;
  beat_t res, early_res, sample[NumInputs], delayed[NumInputs], operand[NumInputs];
  logic [NumInputs-1:0][7:0] delay;
  assign delay = {word.streamOut_predicate_delay, word.streamOut_data_delay, word.memOut_predicate_delay,
                  word.memOut_data_delay, word.write_predicate_delay, word.write_data_delay,
                  word.write_index_delay, word.read_1_index_delay, word.read_0_index_delay, word.c_delay,
                  word.b_delay, word.a_delay};
  always_comb
    for (int i = 0; i < int'(NumInputs); ++i) begin
      line_delay[i] = 9'(delay[i]);
      if (i == int'(InData) || i == int'(InPred))
        line_delay[i] = {1'b0, delay[i] - 8'(array_i.step)};
      takes[i] = work_i.choice[i];
      if (isIndex(i)) begin
        line_delay[i] = ask_i.delay[IndexOf[i]];
        takes[i] = ask_i.choice[IndexOf[i]];
      end
      sample_on[i] = work_i.extra.sample[i] != '0;
    end
  acis_lines #(.Gather(Gather)) i_lines (
    .clk_i, .rst_ni, .begin_i(array_i.begin_), .advance_i(move_i.advance), .sample_i(sample),
    .sample_on_i(sample_on),
    .delay_i(line_delay), .delayed_o(delayed), .delayed_on_o(delayed_on)
  );

  // Links and routing registers
  logic [4:0] link_source[MaxLinks];
  logic [7:0][4:0] link_sources;   // a context word has eight, whatever links there are
  assign link_sources = {word.link_7, word.link_6, word.link_5, word.link_4, word.link_3, word.link_2,
                         word.link_1, word.link_0};
  for (genvar k = 0; k < int'(MaxLinks); ++k) begin : g_link_source
    assign link_source[k] = link_sources[k];
  end
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
      .link_i(link_in), .sample_i(work_i.extra.sample), .choice_i(takes),
      .index_0_i(word.read_0_index_source), .index_1_i(word.read_1_index_source),
      .delayed_i(past), .delayed_on_i(delayed_on), .sample_o(now), .operand_o(taken),
      .index_0_o(index_0_o[At +: 64]),
      .index_1_o(index_1_o[At +: 64]), .link_source_i(link_source), .reg_we_i(word.regWrite),
      .reg_i(word.reg_), .reg_source_i(word.regData), .constant_i(work_i.routing),
      .link_o(link_out)
    );
  end
  assign index_write_o = operand[InIndex];

  // Units
  logic [SlotBits-1:0] fold_slot;
  acis_fold_words i_fold_words (
    .clk_i, .cfg_i, .pe_i, .row_i(SlotBits'(array_i.slot_base + fold_slot)), .word_o(fold_word)
  );
  acis_units #(
    .Units(Units), .EveryConvert(EveryConvert), .EveryDivide(EveryDivide), .Wide(Wide),
    .Fused(Fused), .Moves(Moves)
  ) i_units (
    .clk_i, .rst_ni, .begin_i(array_i.begin_), .detect_i(move_i.detect), .advance_i(move_i.advance),
    .step_i(array_i.step), .time_i(array_i.time_),
    .slot_i(array_i.slot), .wide_i(array_i.wide), .scalar_i(array_i.scalar), .live_i(work_i.unit),
    .word_i(word),
    .accumulation_i(work_i.extra.accumulation),
    .info_i(work_i.unit_info), .a_i(operand[InA]),
    .b_i(operand[InB]),
    .c_i(operand[InC]),
    .identity_i(work_i.identity), .bus_o(res), .early_o(early_res),
    .folding_i(fold_i.on), .fold_i(fold_i.begun), .fold_word_i(fold_word), .drain_i(fold_i.drain),
    .fold_slot_o(fold_slot), .result_on_o(result_o.on), .result_o(result_o.number), .value_o(result_o.value)
  );

  // Register-file writes: of the slot, or early ones.
  beat_t wr_data, wr_pred, early_data, wr_lanes;
  logic wr_uniform, wr_outside, wr_predicated;
  logic [Lanes-1:0] wr_on, wr_en;
  logic [Lanes-1:0][VrfBits-1:0] wr_bank;
  logic [63:0] wr_offset;
  assign wr_data = operand[InData];
  assign wr_predicated = word.write_predicate_source != '0;
  assign wr_pred = operand[InPred];
  // The result is still to come to the bus, or already in the delay line.
  assign early_data = array_i.step >= 16'(word.write_data_delay) ? early_res
                    : delayed_on[InData] ? delayed[InData] : '0;
  acis_access #(.Gather(Gather)) i_write (
    .address_i(write_i), .predicated_i(wr_predicated), .predicate_i(wr_pred), .uniform_o(wr_uniform),
    .on_o(wr_on), .outside_o(wr_outside), .outside_offset_o(wr_offset)
  );
  always_comb begin
    wr_lanes = early_i.on ? early_data : wr_data;
    for (int b = 0; b < int'(Lanes); ++b) begin
      int lane, e;
      logic kept, now, past;         // predicates
      if (array_i.scalar)
        wr_lanes[b*32 +: 32] = wr_data[(array_i.wide ? b % 2 : 0)*32 +: 32];
      lane = array_i.wide ? b / 2 : b;
      e = (early_i.on ? early_i.uniform : wr_uniform) ? 0 : lane;
      now = array_i.wide ? wr_pred[(b / 2)*64 +: 64] != 0 : wr_pred[b*32 +: 32] != 0;
      past = delayed_on[InPred] && (array_i.wide ? delayed[InPred][(b / 2)*64 +: 64] != 0
                                                 : delayed[InPred][b*32 +: 32] != 0);
      kept = LaneBits'(lane) < (early_i.on ? early_i.active : work_i.write_active)
          && (!wr_predicated || (early_i.on ? past : now));
      if (array_i.scalar)
        kept = LaneBits'(lane) == write_i.place;
      wr_en[b] = kept && (early_i.on ? early_i.lanes[e]
                                     : move_i.advance && work_i.write && !early_i.done && wr_on[e]);
      wr_bank[b] = early_i.on ? early_i.beat[e] : write_i.beat[e];
    end
  end
  assign outside_o = '{
    on: move_i.advance && work_i.write && !early_i.done && wr_outside, memory: 1'b0, isVector: 1'b0,
    value: wr_offset, base: work_i.write_base, limit: work_i.write_limit, argSet: work_i.write_set
  };

  logic clear, fill;
  assign clear = cfg_i.we && cfg_i.table_ == TableClear;
  assign fill = clear || (cfg_i.we && cfg_i.table_ == TableRegisters && cfg_i.pe == pe_i);
  acis_vrf #(.Pumped(PumpedVrf)) i_vrf (
    .clk_i, .clk_ram_i, .rst_ni, .rd_en_i(work_i.read & {2{move_i.advance}}),
    .rd_beat0_i(first_i.beat), .rd_data0_o(first_raw),
    .rd_beat1_i(second_i.beat), .rd_data1_o(second_raw),
    .wr_en_i(wr_en), .wr_beat_i(wr_bank), .wr_data_i(wr_lanes),
    .store_en_i, .store_beat_i, .store_data_o,
    .load_en_i(fill ? {Lanes{32'(cfg_i.index) < VrfBeats}} : load_en_i),
    .load_beat_i(fill ? VrfBits'(cfg_i.index) : vector_beat_i),
    .load_data_i(!fill ? load_data_i : clear ? '0 : cfg_i.data[BeatBits-1:0])
  );
  // With copies of the register file, vector loads and stores take what the loop leaves of its ports.
  assign write_free_o = VrfCopies == 0
                     || !(move_i.advance ? work_i.write : move_i.detect || array_i.step != '0);
  assign read_free_o = VrfCopies == 0 || (move_i.advance ? !work_i.read[1] : !array_i.on);

  assign memory_o = '{data: operand[InMemData], predicate: operand[InMemPred]};

  // Stream output; a predicate is of scalar loops only, whose element is in lane 0.
  logic [63:0] push_pred;
  assign push_pred = 64'(operand[InSend]);
  assign push_o = '{
    on: work_i.push,
    sends: word.streamOut_predicate_source == '0
           || (array_i.wide ? push_pred != '0 : push_pred[31:0] != '0),
    data: operand[InStream]
  };
endmodule
