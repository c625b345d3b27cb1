// Pipeline registers: q_o is d_i of Depth enabled cycles ago. Depth 0 is a wire. There is no
// reset, so that synthesis can use shift-register LUTs and the registers of DSP blocks.
module acis_pipe #(
  parameter int unsigned Width = 1,
  parameter int unsigned Depth = 1
) (
  input  logic             clk_i,
  input  logic             en_i,
  input  logic [Width-1:0] d_i,
  output logic [Width-1:0] q_o
);
  if (Depth == 0) begin : g_wire
    assign q_o = d_i;
    logic unused;
    assign unused = &{clk_i, en_i};
  end else if (Depth == 1) begin : g_one
    logic [Width-1:0] data_q;
    always_ff @(posedge clk_i)
      if (en_i)
        data_q <= d_i;
    assign q_o = data_q;
  end else begin : g_many
    logic [Depth-1:0][Width-1:0] data_q;
    always_ff @(posedge clk_i)
      if (en_i)
        data_q <= {data_q[Depth-2:0], d_i};
    assign q_o = data_q[Depth-1];
  end
endmodule
