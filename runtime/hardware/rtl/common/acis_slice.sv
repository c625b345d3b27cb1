// A register slice: breaks every path between its two sides, valid and ready included, and
// passes an item per cycle. What is offered at the output stays until it is taken, as AXI asks.
module acis_slice #(
  parameter int unsigned Width = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             in_valid_i,
  output logic             in_ready_o,
  input  logic [Width-1:0] in_data_i,
  output logic             out_valid_o,
  input  logic             out_ready_i,
  output logic [Width-1:0] out_data_o
);
  logic [Width-1:0] front_q, back_q;
  logic front_valid_q, back_valid_q, puts, leaves;
  assign in_ready_o = !back_valid_q;
  assign out_valid_o = front_valid_q;
  assign out_data_o = front_q;
  assign puts = in_valid_i && in_ready_o;
  assign leaves = !front_valid_q || out_ready_i;

  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      {front_valid_q, back_valid_q} <= '0;
    end else if (leaves) begin
      front_valid_q <= back_valid_q || puts;
      back_valid_q <= 1'b0;
    end else begin
      back_valid_q <= back_valid_q || puts;
    end
  always_ff @(posedge clk_i) begin
    if (leaves)
      front_q <= back_valid_q ? back_q : in_data_i;
    if (puts)
      back_q <= in_data_i;
  end
endmodule
