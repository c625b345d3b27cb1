// Folds the accumulations of a PE when their loop has drained: eight partial results to
// one in three levels, then the lanes in the same way, with the PE's own unit. One
// accumulation after the other, in the order of the slots.
//
// A level with m operations takes m + L cycles, L the latency of the unit, so that an
// accumulation takes (4 + L) + (2 + L) + (1 + L) + log2 vf * (1 + L) cycles; before them
// the last operations of the loop come out, which takes drain_i cycles (docs/timing.md).
`include "acis_assert.svh"

module acis_fold
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,

  input  logic                begin_i,
  input  logic                seen_i,       // an accumulation was issued in slot seen_slot_i
  input  logic [SlotBits-1:0] seen_slot_i,

  input  logic                active_i,     // high during the fold
  input  logic [7:0]          drain_i,
  input  logic                wide_i,

  // The slot word of slot_o (the array stands still), its unit and partial results
  output logic [SlotBits-1:0] slot_o,
  output logic [2:0]          number_o,     // of its accumulation: they are numbered in this order
  output logic [2:0]          k_o,
  input  logic [6:0]          op_i,
  input  logic [3:0]          result_i,
  input  beat_t               even_i,
  input  beat_t               odd_i,

  output logic                issue_o,
  output logic [6:0]          op_o,
  output beat_t               a_o,
  output beat_t               b_o,
  input  logic                done_i,
  input  beat_t               data_i,

  output logic                result_on_o,
  output logic [2:0]          result_o,
  output logic [63:0]         value_o
);
  localparam int unsigned Half = Lanes / 2;
  localparam int unsigned Levels = $clog2(Lanes);

  logic [ContextSlots-1:0] left_q;
  logic [7:0] waited_q;
  beat_t part_q[AccPartials / 2];
  logic [3:0] level_q;     // 0..2: partial results, then lanes
  logic [2:0] issued_q, arrived_q;
  logic [2:0] wanted;
  logic last_level;

  // The first slot that is left, from a register: a slot word follows it. Slots are seen no later
  // than a cycle before the first result has come out (drain_i), when the fold runs. The slot after it
  // is found before it is known that this one ends.
  logic [SlotBits-1:0] slot_q;
  logic any_q;                     // there is one
  logic [ContextSlots-1:0] others, left_after;
  function automatic logic [SlotBits-1:0] lowest(logic [ContextSlots-1:0] set);
    logic [SlotBits-1:0] number;
    number = '0;
    for (int s = 0; s < int'(ContextSlots); ++s)
      if (set[s] && (set & ~({ContextSlots{1'b1}} << s)) == '0)
        number |= SlotBits'(s);
    return number;
  endfunction
  assign slot_o = slot_q;
  logic [2:0] number_q;
  assign number_o = number_q;
  assign op_o = (op_i == acis_isa_pkg::OpFmac || op_i == acis_isa_pkg::OpFma)
              ? acis_isa_pkg::OpFadd : op_i;
  assign wanted = level_q == 0 ? 3'd4 : level_q == 1 ? 3'd2 : 3'd1;
  assign last_level = 32'(level_q) == 2 + Levels - (wide_i ? 1 : 0);

  logic run, slot_ends;
  assign slot_ends = run && done_i && arrived_q + 3'd1 == wanted && last_level;
  assign others = left_q & ~(ContextSlots'(1) << slot_q);
  assign left_after = slot_ends ? others : left_q;
  assign run = active_i && any_q && waited_q >= drain_i;
  assign issue_o = run && issued_q < wanted;
  assign k_o = {issued_q[1:0], 1'b0};

  // Operands: partial results 2k and 2k + 1, or the even and the odd lanes of the first.
  beat_t even, odd;
  always_comb begin
    even = '0;
    odd = '0;
    for (int l = 0; l < int'(Half); ++l)
      if (!wide_i) begin
        even[l*32 +: 32] = part_q[0][2*l*32 +: 32];
        odd[l*32 +: 32] = part_q[0][(2*l + 1)*32 +: 32];
      end else if (l < int'(Half) / 2) begin
        even[l*64 +: 64] = part_q[0][2*l*64 +: 64];
        odd[l*64 +: 64] = part_q[0][(2*l + 1)*64 +: 64];
      end
    a_o = level_q == 0 ? even_i : level_q > 2 ? even : part_q[{issued_q[0], 1'b0}];
    b_o = level_q == 0 ? odd_i : level_q > 2 ? odd : part_q[{issued_q[0], 1'b1}];
  end

  assign result_on_o = slot_ends && result_i != '1;
  assign result_o = result_i[2:0];
  assign value_o = wide_i ? data_i[63:0] : {32'd0, data_i[31:0]};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      left_q <= '0;
      slot_q <= '0;
      number_q <= '0;
      any_q <= 1'b0;
      waited_q <= '0;
      level_q <= '0;
      issued_q <= '0;
      arrived_q <= '0;
      for (int k = 0; k < int'(AccPartials) / 2; ++k)
        part_q[k] <= '0;
    end else begin
      slot_q <= slot_ends ? lowest(others) : lowest(left_q);
      any_q <= seen_i || (!begin_i && (slot_ends ? others != '0 : left_q != '0));
      left_q <= begin_i ? '0 : left_after;
      number_q <= begin_i ? '0 : number_q + 3'(slot_ends);
      if (seen_i)
        left_q[seen_slot_i] <= 1'b1;
      waited_q <= !active_i ? '0 : waited_q != '1 ? waited_q + 8'd1 : waited_q;
      if (run) begin
        if (issue_o)
          issued_q <= issued_q + 3'd1;
        if (done_i) begin
          part_q[arrived_q[1:0]] <= data_i;
          arrived_q <= arrived_q + 3'd1;
          if (arrived_q + 3'd1 == wanted) begin
            issued_q <= '0;
            arrived_q <= '0;
            level_q <= last_level ? '0 : level_q + 4'd1;
          end
        end
      end
    end
  end

  `ACIS_ASSERT(FirstSlot_A, !run || slot_q == lowest(left_q))
  `ACIS_ASSERT(AnySlot_A, any_q == (left_q != '0))
endmodule
