// The iterations in the pipeline, by stage, for the elements of one PE: a ring that every
// PE keeps for itself, so that each element looks its own stage up.
//
// shift_i puts stage0_i into the ring in the cycle in which an iteration (or a bubble)
// enters stage 0; head_i is already the new one then. Entries that are older than the loop
// (age_i shifts have happened since it started) are bubbles.
//
// With a launch latency the iterations of the slot behind the next one are looked up, are the next
// one's (look_o) when array time moves, and registers in their slot (info_o): before a slot 0 iterations
// move, so two may be on their way to the ring then: the one that is in stage 0 in the next slot, and
// the one that enters there with the slot after it (enters_i), if one starts, which is known then.
module acis_stages
  import acis_overlay_pkg::*;
  import acis_pkg::*;
#(
  parameter int unsigned Ports = 7
) (
  input  logic                  clk_i,
  input  logic                  begin_i,      // the next slot is the first of a loop that begins,
  input  logic [Ports-1:0]      begin_first_i,  // in which these are in stage 0
  input  logic                  moves_i,      // array time goes on, or a loop begins
  input  logic                  turns_i,      // the next slot is slot 0
  input  logic                  after_turns_i,  // the one behind it is
  input  stage_t                enters_i,
  input  logic                  shift_i,
  input  logic [7:0]            head_i,
  input  logic [8:0]            age_i,
  input  stage_t                stage0_i,
  input  logic [Ports-1:0][7:0] stage_i,      // with a launch latency of the slot behind the next one
  output stage_t                look_o[Ports],
  output stage_t                info_o[Ports]
);
  stage_t ring_q[Stages];
  always_ff @(posedge clk_i)
    if (shift_i)
      ring_q[StageBits'(head_i)] <= stage0_i;
  if (LaunchLatency != 0) begin : g_ahead
    logic [7:0] from;
    assign from = 8'(turns_i) + 8'(after_turns_i);
    for (genvar p = 0; p < int'(Ports); ++p) begin : g_port
      logic [7:0] place;
      logic enters, enters_q, stands_q, entered_q;
      stage_t info_q, found, found_q;
      // Of the slot behind the next one
      assign place = stage_i[p] - from;
      always_comb begin
        found = place == '0 ? stage0_i : ring_q[StageBits'(head_i - from + stage_i[p])];
        if (begin_i || {1'b0, place} > age_i)
          found = '0;
      end
      // Of the next one
      assign enters = begin_i ? begin_first_i[p] : enters_q;
      always_comb begin
        look_o[p] = stands_q ? stage0_i : found_q;
        if (begin_i)
          look_o[p] = '0;
        if (enters)
          look_o[p] = enters_i;
      end
      always_ff @(posedge clk_i)
        if (moves_i) begin
          enters_q <= after_turns_i && stage_i[p] == '0;
          stands_q <= turns_i && stage_i[p] == 8'(after_turns_i);
          found_q <= found;
          {entered_q, info_q} <= {enters, look_o[p]};
        end
      always_comb begin
        info_o[p] = info_q;
        if (entered_q)
          info_o[p].valid = stage0_i.valid;
      end
    end
  end else begin : g_direct
    for (genvar p = 0; p < int'(Ports); ++p) begin : g_port
      assign look_o[p] = info_o[p];
      assign info_o[p] = stage_i[p] == '0 ? stage0_i
                       : {1'b0, stage_i[p]} <= age_i ? ring_q[StageBits'(head_i + stage_i[p])] : '0;
    end
    logic unused;
    assign unused = ^{begin_i, begin_first_i, moves_i, turns_i, after_turns_i, enters_i};
  end
endmodule
