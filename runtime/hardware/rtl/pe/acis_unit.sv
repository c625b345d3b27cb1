// One class of functional unit of a PE with what surrounds it: the ring in which results
// wait for their place on the bus, and the partial results of accumulations.
//
// The unit itself never stands still. A result comes Latency cycles after its issue; the
// bus wants it Latency cycles of array time after it, which is the same cycle or, if the
// array stood still in between, a later one. Until then it waits in the ring, numbered by
// the array time in which it is due. So a stall reaches no arithmetic, and a result that an
// interlocked write needs early is there (docs/timing.md, Interlock).
//
// Partial results are written when they come out. Before its first write a partial result
// is the identity of its accumulation.
//
// With an input latency, and a unit that has the cycles, what the bus carries is in a register at the
// start of the cycle, and the unit has a cycle less.
module acis_unit
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::*;
#(
  parameter int unsigned Class      = 0,  // as acis::UnitClass
  parameter int unsigned Latency    = 1,
  parameter int unsigned Every      = 1,     // cycles between operations: lanes share units
  parameter bit          Accumulate = 1'b0,
  parameter bit          Wide       = 1'b1,  // has elements of 64 bits
  parameter bit          Fused      = 1'b1   // has fma
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                begin_i,    // a loop starts on an empty array in this cycle
  input  logic                advance_i,  // array time goes on at the end of this cycle
  input  logic [9:0]          time_i,     // array time

  // Issue of an operation of this class
  input  logic                issue_i,    // on the bus Latency later
  input  logic                folding_i,  // the array stands still for a fold
  input  logic                fold_i,     // issue for the fold, not on the bus
  input  logic [6:0]          op_i,
  input  logic [2:0]          type_i,
  input  logic [2:0]          from_i,
  input  logic                wide_i,     // lanes of 64 bits
  input  beat_t               a_i,
  input  beat_t               b_i,
  input  beat_t               c_i,

  // Accumulation: the result becomes partial result acc_k_i of accumulation acc_number_i.
  input  logic                acc_i,
  input  logic [2:0]          acc_number_i,
  input  logic [2:0]          acc_k_i,
  input  logic [LaneBits-1:0] acc_active_i,
  input  logic [63:0]         identity_i,   // of a pair of lanes
  output beat_t               even_o,     // partial results {acc_k_i[2:1], 0} and
  output beat_t               odd_o,      // {acc_k_i[2:1], 1} of acc_number_i

  // The bus at array time time_i, and in a wait at time_i + ahead_i
  output beat_t               bus_o,
  input  logic [9:0]          ahead_i,
  output beat_t               early_o,

  output logic                fold_done_o,
  output beat_t               fold_data_o,

  // The operation gives result result_i of the loop: its value, when it comes out
  input  logic                last_i,
  input  logic [2:0]          result_i,
  output logic                last_o,
  output logic [2:0]          result_o,
  output logic [63:0]         value_o
);
  localparam int unsigned RingBits = $clog2(Latency + 1);
  localparam int unsigned Ring = 1 << RingBits;

  typedef struct packed {
    logic on;
    logic fold;
    logic [RingBits-1:0] due;
    logic acc;
    logic [2:0] number;
    logic [2:0] k;
    logic [LaneBits-1:0] active;
    logic wide;
    logic last;
    logic [2:0] result;
  } tag_t;

  tag_t tag_in, tag_out;
  beat_t result;

  always_comb begin
    tag_in = '0;
    tag_in.on = issue_i || fold_i;
    tag_in.fold = fold_i;
    tag_in.due = RingBits'(time_i) + RingBits'(Latency);
    tag_in.acc = acc_i && issue_i && Accumulate;
    tag_in.number = acc_number_i;
    tag_in.k = acc_k_i;
    tag_in.active = acc_active_i;
    tag_in.wide = wide_i;
    tag_in.last = last_i && issue_i;
    tag_in.result = result_i;
  end

  // Operands come at the end of a long path, so the unit starts in the next cycle if it may.
  localparam int unsigned Held = Latency > 1 ? 1 : 0;
  localparam int unsigned Shown = InputLatency != 0 && Latency > 2 ? 1 : 0;   // the bus is a register
  typedef struct packed {
    logic valid, wide;
    logic [6:0] op;
    logic [2:0] kind, from;
    beat_t a, b, c;
  } operation_t;
  operation_t asked;
  assign asked = '{valid: tag_in.on, wide: wide_i, op: op_i, kind: type_i, from: from_i, a: a_i,
                   b: b_i, c: c_i};
  if (Every == 1) begin : g_each
    operation_t held;
    acis_pipe #(.Width($bits(operation_t)), .Depth(Held)) i_operands
      (.clk_i, .en_i(1'b1), .d_i(asked), .q_o(held));
    acis_fu #(
      .Class(Class), .Latency(Latency - Held - Shown), .Lanes(Lanes), .Wide(Wide), .Fused(Fused)
    ) i_fu (
      .clk_i, .en_i(1'b1), .valid_i(held.valid), .op_i(held.op), .type_i(held.kind),
      .from_i(held.from), .wide_i(held.wide), .a_i(held.a), .b_i(held.b), .c_i(held.c),
      .result_o(result)
    );
  end else begin : g_shared   // which holds the operands itself
    acis_fu_shared #(
      .Class(Class), .Latency(Latency - Shown), .Lanes(Lanes), .Every(Every), .Wide(Wide),
      .Fused(Fused)
    ) i_fu (
      .clk_i, .valid_i(asked.valid), .op_i(asked.op), .type_i(asked.kind), .from_i(asked.from),
      .wide_i(asked.wide), .a_i(asked.a), .b_i(asked.b), .c_i(asked.c), .result_o(result)
    );
  end

  // Tags travel beside the operation: a ring with one write and one read per cycle.
  localparam int unsigned Tags = Latency - Shown;
  tag_t tags_q[Tags];
  localparam int unsigned PlaceBits = Tags > 1 ? $clog2(Tags) : 1;
  logic [PlaceBits-1:0] place_q;
  assign tag_out = tags_q[place_q];
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      place_q <= '0;
      for (int i = 0; i < int'(Tags); ++i)
        tags_q[i] <= '0;
    end else begin
      tags_q[place_q] <= tag_in;
      place_q <= 32'(place_q) == Tags - 1 ? '0 : place_q + 1'b1;
    end
  end

  // Results by the array time in which they are due.
  beat_t ring_q[Ring];
  logic [Ring-1:0] due_q, due_d;
  logic [RingBits-1:0] seen;
  assign seen = RingBits'(time_i) + RingBits'(ahead_i);
  function automatic beat_t resultDue(logic [RingBits-1:0] at);
    return !due_q[at] ? '0
         : (tag_out.on && !tag_out.fold && tag_out.due == at) ? result : ring_q[at];
  endfunction
  // Results of this unit are due no later than Latency from now: behind, the ring begins anew.
  assign early_o = ahead_i > 10'(Latency) ? '0 : resultDue(seen);
  if (Shown != 0) begin : g_shown
    beat_t bus_q;                  // no operand is taken in a cycle in which a loop may begin
    assign bus_o = bus_q;
    always_ff @(posedge clk_i)
      if (advance_i)
        bus_q <= begin_i ? '0 : resultDue(RingBits'(time_i) + 1'b1);
      else if (begin_i)
        bus_q <= '0;
  end else begin : g_found
    assign bus_o = begin_i ? '0 : resultDue(RingBits'(time_i));
  end
  always_comb begin
    due_d = begin_i ? '0 : due_q;
    if (advance_i)
      due_d[RingBits'(time_i)] = 1'b0;
    if (issue_i)
      due_d[tag_in.due] = 1'b1;
  end
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni)
      due_q <= '0;
    else
      due_q <= due_d;
  always_ff @(posedge clk_i)
    if (tag_out.on && !tag_out.fold)
      ring_q[tag_out.due] <= result;

  // Array time is counted far enough for the slowest unit.
  logic unused_time;
  assign unused_time = ^{time_i, ahead_i};

  typedef struct packed {
    logic done;
    beat_t data;
  } folded_t;
  folded_t folded;
  assign folded = '{done: tag_out.on && tag_out.fold, data: result};
  acis_pipe #(.Width($bits(folded_t)), .Depth(Shown)) i_folded
    (.clk_i, .en_i(1'b1), .d_i(folded), .q_o({fold_done_o, fold_data_o}));
  assign last_o = tag_out.on && tag_out.last;
  assign result_o = tag_out.result;
  assign value_o = tag_out.wide ? result[63:0] : {32'd0, result[31:0]};

  if (Accumulate) begin : g_acc
    // Even and odd partial results in a memory each, so that a fold reads a pair.
    localparam int unsigned Depth = MaxResults * AccPartials / 2;
    logic [1:0][Depth-1:0] written_q;
    typedef logic [Lanes-1:0][31:0] words_t;
    words_t even_q[Depth], odd_q[Depth];
    logic [63:0] identities_q[MaxResults];
    logic [$clog2(Depth)-1:0] read, write;
    logic writes;
    assign read = {acc_number_i, acc_k_i[2:1]};
    assign write = {tag_out.number, tag_out.k[2:1]};
    assign writes = tag_out.on && tag_out.acc;
    // The first write of a partial result is of all lanes: those that are not active take the identity,
    // a constant of the slot, the same in all iterations. Later ones are of the active lanes.
    logic fresh;
    logic [Lanes-1:0] puts;
    words_t put;
    assign fresh = !written_q[tag_out.k[0]][write];
    always_comb
      for (int l = 0; l < int'(Lanes); ++l) begin
        logic active;
        active = LaneBits'(tag_out.wide ? l / 2 : l) < tag_out.active;
        puts[l] = writes && (active || fresh);
        put[l] = active ? result[l*32 +: 32] : identities_q[tag_out.number][l % 2 * 32 +: 32];
      end
    // What is there: what is written in this cycle, what was, or the identity. In the fold the constants
    // of the slot are not at hand.
    logic [63:0] fallback;
    assign fallback = folding_i ? identities_q[acc_number_i] : identity_i;
    function automatic beat_t present(words_t kept, logic written, logic hit);
      words_t words;
      for (int l = 0; l < int'(Lanes); ++l)
        words[l] = hit && puts[l] ? put[l]
                 : written && (hit || !begin_i) ? kept[l] : fallback[l % 2 * 32 +: 32];
      return words;
    endfunction
    logic hits;
    assign hits = writes && write == read;
    assign even_o = present(even_q[read], written_q[0][read], hits && !tag_out.k[0]);
    assign odd_o = present(odd_q[read], written_q[1][read], hits && tag_out.k[0]);
    always_ff @(posedge clk_i) begin
      for (int l = 0; l < int'(Lanes); ++l) begin
        if (puts[l] && !tag_out.k[0])
          even_q[write][l] <= put[l];
        if (puts[l] && tag_out.k[0])
          odd_q[write][l] <= put[l];
      end
      if (tag_in.acc)
        identities_q[acc_number_i] <= identity_i;
    end
    always_ff @(posedge clk_i or negedge rst_ni)
      if (!rst_ni)
        written_q <= '0;
      else begin
        if (begin_i)
          written_q <= '0;
        if (writes)
          written_q[tag_out.k[0]][write] <= 1'b1;
      end
  end else begin : g_no_acc
    assign even_o = {Lanes / 2{identity_i}};
    assign odd_o = {Lanes / 2{identity_i}};
    logic unused_acc;
    assign unused_acc = ^{tag_out, folding_i};
  end
endmodule
