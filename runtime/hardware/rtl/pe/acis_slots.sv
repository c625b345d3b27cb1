// The tables of a PE: what it does in each slot, and the ports of each context. What they say of the
// slot at hand is in registers when a cycle begins, because the sequencer knows the slot that
// comes next: it is read a cycle ahead (next_row_i, if next_i).
//
// The first slot of the launch that is first in the queue is looked up beside it and takes its place in
// the cycle in which that begins. A vector instruction has one slot, the same in every cycle. What a
// fold needs of its slot, which array time does not move, is by itself (acis_fold_words).
//
// With a launch latency begin_i says that the launch may begin in the next cycle, and its first slot is
// read ahead like any other. The slot behind the one at hand is in registers, too: what it says can be
// seen in the cycle before (look_*), whether it comes or not, for what is found of it then. With a launch
// latency of 2 the launch in head_* is the one of the next cycle, too, if it begins there (begin_i): what
// its first slot says is in registers then.
module acis_slots
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::*;
(
  input  logic                clk_i,

  // Tables: 0 slot words, 1 what is derived from them, 2 their address records, 3 PE records
  input  logic                cfg_we_i,
  input  logic [1:0]          cfg_table_i,
  input  logic [7:0]          cfg_index_i,
  input  logic [511:0]        cfg_data_i,

  input  logic                begin_i,            // the launch in head_* begins, or may in the next cycle
  input  logic                next_i,             // the next cycle is of row next_row_i,
  input  logic [SlotBits-1:0] next_row_i,         // else of the same as this one
  input  logic                moves_i,            // with a launch latency: array time goes on,
  input  logic                walks_i,            // the row is not the next slot's,
  input  logic [SlotBits-1:0] after_row_i,        // and the row behind that

  // The launch that begins, if one does
  input  logic                head_vector_i,      // it is a vector instruction
  input  logic                head_on_i,          // and this PE in its mask
  input  slot_record_t        head_slot_i,
  input  address_record_t     head_address_i[3],
  input  logic [SlotBits-1:0] head_row_i,         // else its first slot
  input  logic [CtxBits-1:0]  head_context_i,

  // Memory reads begin
  input  logic [CtxBits-1:0]  fetch_context_i,
  output pe_record_t          fetch_port_o,

  output slot_record_t        word_o,
  output slot_extra_t         extra_o,
  output address_record_t     address_o[3],       // of both reads and of the write
  output pe_record_t          port_o,
  output slot_record_t        look_word_o,        // without a launch latency the same
  output address_record_t     look_address_o[3],
  output pe_record_t          look_port_o,
  output slot_record_t        after_word_o,       // of the slot behind the next one, its stages
  output logic [6:0]          head_first_o        // elements of the launch's first slot in stage 0
);
  slot_record_t words_q[ContextSlots];
  slot_extra_t  extras_q[ContextSlots];
  logic [2:0][$bits(address_record_t)-1:0] addresses_q[ContextSlots];
  logic [6:0] firsts_q[ContextSlots];     // of a word: which of its elements are in stage 0
  pe_record_t   pes_q[MaxContexts];
  function automatic logic [6:0] firsts(slot_record_t of);
    return {of.streamOut_stage == '0, of.memOut_stage == '0, of.memIn_stage == '0,
            of.write_stage == '0, of.read_1_stage == '0, of.read_0_stage == '0, of.stage == '0};
  endfunction
  always_ff @(posedge clk_i)
    if (cfg_we_i)
      case (cfg_table_i)
        2'(TableSlotWord): begin
          words_q[SlotBits'(cfg_index_i)] <= cfg_data_i;
          firsts_q[SlotBits'(cfg_index_i)] <= firsts(cfg_data_i);
        end
        2'(TableSlotExtra): extras_q[SlotBits'(cfg_index_i)] <= cfg_data_i[$bits(slot_extra_t)-1:0];
        2'(TableAddress): addresses_q[SlotBits'(cfg_index_i)] <= cfg_data_i[3*$bits(address_record_t)-1:0];
        default: pes_q[CtxBits'(cfg_index_i)] <= cfg_data_i[255:0];
      endcase

  // The slot beside the one that runs
  logic begins;
  assign begins = LaunchLatency == 0 && begin_i;
  slot_row_t beside, vector, first, follows, held_q, held, row, look;
  slot_record_t vector_word;
  assign vector_word = head_on_i ? head_slot_i : '0;
  assign beside = '{word: words_q[head_row_i], extra: extras_q[head_row_i],
                    address: addresses_q[head_row_i]};
  always_comb begin
    vector.word = vector_word;
    vector.extra = '0;
    vector.extra.sample[InA] = vector_word.a_source;
    vector.extra.sample[InB] = vector_word.b_source;
    vector.extra.sample[InRead0] = vector_word.read_0_index_source;
    vector.extra.sample[InRead1] = vector_word.read_1_index_source;
    vector.extra.sample[InIndex] = vector_word.write_index_source;
    vector.extra.sample[InData] = vector_word.write_data_source;
    vector.extra.sample[InStream] = vector_word.streamOut_data_source;
    // spvacc reads its sum on port 1
    vector.extra.interlocked = {vector_word.write_interlock, 1'b0};
    vector.extra.distance[1] = 16'(vector_word.write_stage) - 16'(vector_word.read_1_stage);
    vector.address[0] = head_address_i[2'(vector_word.read_0_address)];
    vector.address[1] = head_address_i[2'(vector_word.read_1_address)];
    vector.address[2] = head_address_i[2'(vector_word.write_address)];
  end
  assign first = head_vector_i ? vector : beside;
  assign row = begins ? first : held_q;
  assign follows = '{word: words_q[next_row_i], extra: extras_q[next_row_i],
                     address: addresses_q[next_row_i]};
  if (LaunchLatency != 0) begin : g_ahead
    logic vector_q, vector_on;     // one slot, which follows itself
    assign vector_on = HasVector && vector_q;
    slot_row_t next, beginning;
    logic follows_itself, walks, reads;
    assign reads = begin_i || moves_i;
    assign follows_itself = begin_i ? head_vector_i : vector_on;
    assign walks = walks_i && !begin_i;
    if (LaunchLatency > 1) begin : g_held
      // A vector instruction's row has few bits that are not 0, of its own registers, so it costs little
      // beside those that are read.
      slot_row_t first_row, next_row, vector_first_q, vector_next_q;
      logic head_vector_q;
      logic [6:0] elements_q;
      acis_rows i_first (.clk_i, .cfg_we_i, .cfg_table_i, .cfg_index_i, .cfg_data_i, .read_i(1'b1),
                         .at_i(head_row_i), .row_o(first_row));
      acis_rows i_next (.clk_i, .cfg_we_i, .cfg_table_i, .cfg_index_i, .cfg_data_i,
                        .read_i(reads), .at_i(after_row_i), .row_o(next_row));
      assign beginning = HasVector && head_vector_q ? vector_first_q : first_row;
      assign next = vector_on ? vector_next_q : next_row;
      assign head_first_o = elements_q;
      slot_record_t waits;
      assign waits = walks ? follows.word : look.word;
      always_comb begin
        held = look;
        if (!reads) begin            // a wait begins, with the next slot's row, or goes on
          held = held_q;
          held.word.write_data_delay = waits.write_data_delay;
          held.word.write_predicate_delay = waits.write_predicate_delay;
          held.word.write_predicate_source = waits.write_predicate_source;
        end
      end
      always_ff @(posedge clk_i) begin
        head_vector_q <= head_vector_i;
        vector_first_q <= vector;
        if (begin_i)
          vector_next_q <= vector_first_q;
        elements_q <= head_vector_i ? firsts(vector_word) : firsts_q[head_row_i];
      end
      logic unused_rest;
      assign unused_rest = ^{follows, waits};
    end else begin : g_found
      slot_row_t next_q, after;
      assign beginning = head_vector_i ? vector : follows;
      assign next = next_q;
      assign head_first_o = head_vector_i ? firsts(vector_word) : firsts_q[next_row_i];
      assign held = walks ? follows : look;
      assign after = '{word: words_q[after_row_i], extra: extras_q[after_row_i],
                       address: addresses_q[after_row_i]};
      always_ff @(posedge clk_i)
        if (reads)
          next_q <= follows_itself ? look : after;
    end
    assign look = begin_i ? beginning : next;
    assign after_word_o = follows_itself ? look.word : words_q[after_row_i];
    always_ff @(posedge clk_i) begin
      if (next_i || begin_i)
        held_q <= held;
      if (begin_i)
        vector_q <= head_vector_i;
    end
  end else begin : g_direct
    assign look = row;
    assign after_word_o = row.word;
    assign head_first_o = firsts_q[head_row_i];
    assign held = next_i ? follows : first;
    always_ff @(posedge clk_i)
      if (next_i || begin_i)
        held_q <= held;
    logic unused_ahead;
    assign unused_ahead = ^{moves_i, walks_i, after_row_i};
  end
  assign look_word_o = look.word;
  assign word_o = row.word;
  assign extra_o = row.extra;
  always_comb
    for (int a = 0; a < 3; ++a) begin
      address_o[a] = row.address[a];
      look_address_o[a] = look.address[a];
    end

  // The ports of the context
  pe_record_t port_q, head_port;
  if (LaunchLatency > 1) begin : g_port_held
    pe_record_t head_port_q;
    always_ff @(posedge clk_i)
      head_port_q <= pes_q[head_context_i];
    assign head_port = head_port_q;
  end else begin : g_port
    assign head_port = pes_q[head_context_i];
  end
  assign port_o = begins ? head_port : port_q;
  assign look_port_o = begin_i ? head_port : port_q;
  assign fetch_port_o = pes_q[fetch_context_i];
  always_ff @(posedge clk_i)
    if (begin_i)
      port_q <= head_port;

  // Rows of the tables are addressed with as many bits as the largest overlay needs.
  logic unused;
  assign unused = ^cfg_index_i;
endmodule
