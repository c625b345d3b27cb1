// The iterations in the pipeline, by stage, for the elements of one PE: a ring that every
// PE keeps for itself, so that each element looks its own stage up.
//
// shift_i puts stage0_i into the ring in the cycle in which an iteration (or a bubble)
// enters stage 0; head_i is already the new one then. Entries that are older than the loop
// (age_i shifts have happened since it started) are bubbles.
//
// With a launch latency the iterations of the slot that comes next are looked up (look_o) and are
// registers in it (info_o): before slot 0 iterations move (turns_i), and in stage 0 is enters_i, if
// one starts, which is known then.
module acis_stages
  import acis_overlay_pkg::*;
  import acis_pkg::*;
#(
  parameter int unsigned Ports = 7
) (
  input  logic                  clk_i,
  input  logic                  begin_i,      // the next slot is the first of a loop that begins
  input  logic                  loads_i,      // the next cycle is of the slot that is looked up
  input  logic                  turns_i,
  input  stage_t                enters_i,
  input  logic                  shift_i,
  input  logic [7:0]            head_i,
  input  logic [8:0]            age_i,
  input  stage_t                stage0_i,
  input  logic [Ports-1:0][7:0] stage_i,
  output stage_t                look_o[Ports],
  output stage_t                info_o[Ports]
);
  stage_t ring_q[256];
  always_ff @(posedge clk_i)
    if (shift_i)
      ring_q[head_i] <= stage0_i;
  if (LaunchLatency != 0) begin : g_ahead
    for (genvar p = 0; p < int'(Ports); ++p) begin : g_port
      logic [7:0] place;
      logic enters, entered_q;
      stage_t info_q;
      assign place = stage_i[p] - 8'(turns_i);
      assign enters = turns_i && stage_i[p] == '0;
      always_comb begin
        if (enters)
          look_o[p] = enters_i;
        else if (begin_i || {1'b0, place} > age_i)
          look_o[p] = '0;
        else
          look_o[p] = place == '0 ? stage0_i : ring_q[head_i + place];
      end
      always_ff @(posedge clk_i)
        if (loads_i)
          {entered_q, info_q} <= {enters, look_o[p]};
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
                       : {1'b0, stage_i[p]} <= age_i ? ring_q[8'(head_i + stage_i[p])] : '0;
    end
    logic unused;
    assign unused = ^{begin_i, loads_i, turns_i, enters_i};
  end
endmodule
