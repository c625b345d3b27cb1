// What comes next, if array time goes on or a loop begins: the slot, its row in the PEs' tables, and
// the iteration that enters stage 0, if one does.
//
// With a launch latency all of this is known a cycle ahead, whether it comes or not (next_slot_o): the
// slot behind the next one and its row are registers, and so is the iteration that may start
// (entered_o). Without one it is found in the cycle.
module acis_ahead
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::loop_record_t;
(
  input  logic                clk_i,

  // This cycle
  input  logic                advance_i,      // array time goes on
  input  logic                takes_i,        // the launch in head_* may begin in the next cycle
  input  logic                starts_i,       // an iteration starts,
  input  logic                starts_loop_i,  // the first one of the launch in first_i
  input  logic                more_i,         // iterations of the youngest run are left, behind that one
  input  logic                at_slot_i,      // the row is the slot's, and not one of a wait
  input  logic [15:0]         slot_i,
  input  logic [SlotBits-1:0] row_i,

  // The loop that runs, and its youngest run before this cycle
  input  loop_record_t        loop_i,
  input  logic                wide_i,
  input  logic [SlotBits-1:0] base_i,         // row of its first slot
  input  logic [3:0]          routing_set_i,
  input  logic [3:0]          arg_set_i,
  input  logic [31:0]         iterations_i,
  input  logic [LaneBits-1:0] tail_i,
  input  logic [31:0]         issued_i,       // how many iterations it has started,
  input  logic [15:0]         inner_i,        // and where in its row the next one is

  input  launch_t             first_i,        // that starts
  input  launch_t             head_i,         // the next one
  input  loop_record_t        head_loop_i,
  input  logic [SlotBits-1:0] head_base_i,

  output logic [15:0]         slot_o,
  output logic [SlotBits-1:0] row_o,
  output logic                turns_o,        // with a launch latency: the next slot is slot 0
  output next_slot_t          next_slot_o,
  output stage_t              entered_o       // the iteration that starts in this cycle, if one does
);
  function automatic stage_t entering(logic [3:0] argSet, logic [31:0] iteration, logic row, logic ends,
                                      logic [LaneBits-1:0] rest, logic scalar, logic wide);
    stage_t entered;
    entered = '0;
    entered.argSet = argSet;
    entered.iteration = iteration;
    entered.first = iteration == '0;
    entered.row = row;
    entered.early = iteration[31:4] == '0 ? iteration[3:0] : 4'd15;
    entered.last = ends;
    entered.active = !ends || rest == '0 ? elementsOf(scalar, wide) : rest;
    return entered;
  endfunction

  if (LaunchLatency != 0) begin : g_ahead
    // The slot behind the one at hand, the one behind that, and their rows
    logic [15:0] slot_next_q, slot_after_q, slot_after, slot_third;
    logic [SlotBits-1:0] row_next_q, row_after_q, row_after, row_third;
    logic turns_q, after_turns_q, after_turns;
    assign slot_o = slot_next_q;
    assign row_o = row_next_q;
    assign turns_o = takes_i || (at_slot_i && turns_q);
    always_comb begin
      slot_after = slot_after_q;
      row_after = row_after_q;
      after_turns = after_turns_q;
      slot_third = slot_after_q + 16'd1;
      row_third = row_after_q + SlotBits'(1);
      if (slot_after_q + 16'd1 == loop_i.ii)
        {slot_third, row_third} = {16'd0, base_i};
      if (takes_i) begin
        after_turns = head_loop_i.ii == 16'd1;
        {slot_after, row_after} = after_turns ? {16'd0, head_base_i}
                                              : {16'd1, head_base_i + SlotBits'(1)};
        {slot_third, row_third} = head_loop_i.ii <= 16'd2 ? {16'd0, head_base_i}
                                                          : {16'd2, head_base_i + SlotBits'(2)};
      end
    end
    always_ff @(posedge clk_i)
      if (advance_i || takes_i) begin
        slot_next_q <= slot_after;
        row_next_q <= row_after;
        turns_q <= after_turns;
        slot_after_q <= slot_third;
        row_after_q <= row_third;
        after_turns_q <= slot_third == '0;
      end

    // The iteration that starts next, if one does, and the one behind it are registers, because whether
    // one starts is late. Behind the last one of a run they are those of the next launch.
    stage_t entered_q, following_q, stage0, anew, second, third;
    logic [15:0] inner_q, inner_count;       // of following_q, in its row
    logic [31:0] iterations_q;               // of its run
    logic [LaneBits-1:0] tail_q;
    logic wide, scalar, third_row;
    assign wide = HasWide && (takes_i ? head_loop_i.laneBits == 8'd64 : wide_i);
    assign scalar = takes_i ? head_loop_i.scalar : loop_i.scalar;
    assign inner_count = takes_i ? head_loop_i.innerCount : loop_i.innerCount;
    assign third_row = inner_q + 16'd1 == loop_i.innerCount;
    always_comb begin
      anew = entering(head_i.argSet, '0, 1'b1, head_i.iterations == 32'd1, head_i.tail, scalar, wide);
      second = entering(head_i.argSet, 32'd1, inner_count == 16'd1, head_i.iterations == 32'd2,
                        head_i.tail, scalar, wide);
      third = entering(following_q.argSet, following_q.iteration + 32'd1, third_row,
                       following_q.iteration + 32'd2 == iterations_q, tail_q, loop_i.scalar, wide_i);
      if (!more_i)
        stage0 = anew;
      else
        stage0 = starts_i ? following_q : entered_q;
    end
    always_ff @(posedge clk_i) begin
      entered_q <= stage0;
      if (!more_i) begin
        following_q <= second;
        inner_q <= 16'(inner_count != 16'd1);
        {iterations_q, tail_q} <= {head_i.iterations, head_i.tail};
      end else if (starts_i) begin
        following_q <= third;
        inner_q <= third_row ? '0 : inner_q + 16'd1;
      end
    end
    assign next_slot_o = '{
      turns: turns_o,
      walks: !at_slot_i,
      after: row_after,
      afterTurns: after_turns,
      slot: takes_i ? '0 : SlotBits'(slot_next_q),
      wide: wide,
      scalar: scalar,
      routingSet: takes_i ? head_i.argSet : routing_set_i,
      stage0: stage0
    };
    assign entered_o = entered_q;
    logic unused;
    assign unused = ^{slot_i, row_i, starts_loop_i, first_i, arg_set_i, iterations_i, issued_i, tail_i,
                      inner_i};
  end else begin : g_this
    logic [31:0] issued;
    logic row;
    assign slot_o = slot_i + 16'd1 == loop_i.ii ? '0 : slot_i + 16'd1;
    assign row_o = slot_i + 16'd1 == loop_i.ii ? base_i : row_i + SlotBits'(1);
    assign turns_o = 1'b0;
    assign next_slot_o = '0;
    assign issued = starts_loop_i ? '0 : issued_i;
    assign row = starts_loop_i || inner_i == '0;
    assign entered_o = entering(
        starts_loop_i ? first_i.argSet : arg_set_i, issued, row,
        starts_loop_i ? first_i.iterations == 32'd1 : issued_i + 32'd1 == iterations_i,
        starts_loop_i ? first_i.tail : tail_i, loop_i.scalar, wide_i);
    logic unused;
    assign unused = ^{clk_i, advance_i, takes_i, starts_i, more_i, at_slot_i, routing_set_i, head_i,
                      head_loop_i, head_base_i};
  end
endmodule
