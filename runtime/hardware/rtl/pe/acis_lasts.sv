// The results of a scalar loop on their way from the units of a PE to the sequencer: the
// value of each operation with a result in the last iteration.
//
// Units of several classes may finish in one cycle; one result per cycle goes on, the others
// wait. They are all there when the fold ends: the operations started in different cycles,
// the last of them before the fold, so those that come after cycle c are no more than the
// cycles from c to the latency of the slowest (docs/timing.md, Loops).
`include "acis_assert.svh"

module acis_lasts
  import acis_pkg::*;
  import acis_isa_pkg::*;
(
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             begin_i,      // a loop starts

  // By class of unit
  input  logic [3:0]       on_i,
  input  logic [3:0][2:0]  result_i,
  input  logic [3:0][63:0] value_i,

  output logic             on_o,
  output logic [2:0]       result_o,
  output logic [63:0]      value_o
);
  // A memory per class, by number of the result, so that each has one write per cycle.
  localparam int unsigned Bits = HasWide ? 64 : 32;
  logic [3:0][MaxResults-1:0] waiting_q, arriving, taken;
  logic [3:0][2:0] first;          // result of each class
  logic [3:0][Bits-1:0] values;    // that waits of it
  always_comb begin
    for (int c = 0; c < 4; ++c)
      arriving[c] = MaxResults'(on_i[c]) << result_i[c];
  end
  always_comb begin
    first = '0;
    for (int c = 0; c < 4; ++c)
      for (int r = int'(MaxResults) - 1; r >= 0; --r)
        if (waiting_q[c][r] || arriving[c][r])
          first[c] = 3'(r);
  end
  always_comb begin
    on_o = 1'b0;
    result_o = '0;
    value_o = '0;
    taken = '0;
    for (int c = 0; c < 4; ++c)
      if ((waiting_q[c] | arriving[c]) != '0 && !on_o) begin
        on_o = 1'b1;
        result_o = first[c];
        value_o = arriving[c][first[c]] ? value_i[c] : 64'(values[c]);
        taken[c][first[c]] = 1'b1;
      end
  end
  for (genvar c = 0; c < 4; ++c) begin : g_class
    logic [Bits-1:0] values_q[MaxResults];
    assign values[c] = values_q[first[c]];
    always_ff @(posedge clk_i)
      if (on_i[c])
        values_q[result_i[c]] <= value_i[c][Bits-1:0];
    always_ff @(posedge clk_i or negedge rst_ni)
      if (!rst_ni)
        waiting_q[c] <= '0;
      else
        waiting_q[c] <= (waiting_q[c] | arriving[c]) & ~taken[c];
  end

  `ACIS_ASSERT(AllSent_A, !begin_i || waiting_q == '0)
endmodule
