// What was decided StallLatency cycles ago (docs/timing.md, The array follows): the registers between the
// sequencer and the array; none without one. After reset nothing is on its way.
module acis_follow
  import acis_overlay_pkg::*;
#(
  parameter int unsigned Width = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] q_o
);
  if (StallLatency != 0) begin : g_later
    logic [StallLatency-1:0][Width-1:0] data_q;
    always_ff @(posedge clk_i or negedge rst_ni)
      if (!rst_ni)
        data_q <= '0;
      else
        data_q <= (StallLatency * Width)'({data_q, d_i});
    assign q_o = data_q[StallLatency-1];
  end else begin : g_now
    assign q_o = d_i;
    logic unused;
    assign unused = ^{clk_i, rst_ni};
  end
endmodule
