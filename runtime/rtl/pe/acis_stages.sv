// The iterations in the pipeline, by stage, for the elements of one PE: a ring that every
// PE keeps for itself, so that each element looks its own stage up.
//
// shift_i puts stage0_i into the ring in the cycle in which an iteration (or a bubble)
// enters stage 0; head_i is already the new one then. Entries that are older than the loop
// (age_i shifts have happened since it started) are bubbles.
module acis_stages
  import acis_overlay_pkg::*;
  import acis_pkg::*;
#(
  parameter int unsigned Ports = 7
) (
  input  logic                  clk_i,
  input  logic                  shift_i,
  input  logic [7:0]            head_i,
  input  logic [8:0]            age_i,
  input  stage_t                stage0_i,
  input  logic [Ports-1:0][7:0] stage_i,
  output stage_t                info_o[Ports]
);
  stage_t ring_q[256];
  always_ff @(posedge clk_i)
    if (shift_i)
      ring_q[head_i] <= stage0_i;
  for (genvar p = 0; p < int'(Ports); ++p) begin : g_port
    assign info_o[p] = stage_i[p] == '0 ? stage0_i
                     : {1'b0, stage_i[p]} <= age_i ? ring_q[8'(head_i + stage_i[p])] : '0;
  end
endmodule
