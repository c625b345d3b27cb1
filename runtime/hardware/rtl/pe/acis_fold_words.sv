// What a fold needs of its slot: operation, types and number of the result, in a memory of its own beside
// the units, because array time stands still in a fold and the front of the PE (acis_pe_front) may be at
// another loop already.
module acis_fold_words
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_bus_pkg::*;
  import acis_isa_pkg::*;
(
  input  logic                clk_i,
  input  config_t             cfg_i,
  input  logic [7:0]          pe_i,     // number of the PE, constant
  input  logic [SlotBits-1:0] row_i,
  output slot_record_t        word_o    // the rest is 0
);
  typedef struct packed {
    logic [$bits(word_o.op)-1:0] op;
    logic [$bits(word_o.type_)-1:0] kind;
    logic [$bits(word_o.from)-1:0] from;
    logic [$bits(word_o.result)-1:0] result;
  } fold_word_t;
  fold_word_t words_q[ContextSlots];
  slot_record_t written;
  assign written = cfg_i.data;
  always_ff @(posedge clk_i)
    if (cfg_i.we && cfg_i.table_ == TableSlotWord && cfg_i.pe == pe_i)
      words_q[SlotBits'(cfg_i.index)] <= '{op: written.op, kind: written.type_, from: written.from,
                                           result: written.result};
  always_comb begin
    word_o = '0;
    {word_o.op, word_o.type_, word_o.from, word_o.result} = words_q[row_i];
  end
  logic unused;
  assign unused = ^{cfg_i, written};
endmodule
