// RV32M products: of halves, in DSPs, and their sum. With Late there is a register between the two,
// so that the result is there a cycle later.
module acis_multiplier #(
  parameter bit Late = 1'b0
) (
  input  logic        clk_i,
  input  logic [1:0]  funct3_i,   // of mul, mulh, mulhsu, mulhu
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic [31:0] result_o
);
  // A DSP multiplies 27 by 18 bits, so that the lower halves have 17.
  typedef struct packed {
    logic high;
    logic signed [33:0] low, mixed_a, mixed_b, top;
  } parts_t;
  parts_t parts_d, parts;
  logic signed [32:0] a, b;
  logic signed [17:0] a_low, b_low;
  logic signed [15:0] a_top, b_top;
  assign a = {a_i[31] && funct3_i != 2'd3, a_i};
  assign b = {b_i[31] && !funct3_i[1], b_i};
  assign a_low = {1'b0, a[16:0]};
  assign b_low = {1'b0, b[16:0]};
  assign a_top = a[32:17];
  assign b_top = b[32:17];
  assign parts_d.high = funct3_i != 2'd0;
  assign parts_d.low = a_low * b_low;
  assign parts_d.mixed_a = a_top * b_low;
  assign parts_d.mixed_b = a_low * b_top;
  assign parts_d.top = a_top * b_top;
  if (Late) begin : g_late
    always_ff @(posedge clk_i)
      parts <= parts_d;
  end else begin : g_same_cycle
    logic unused;
    assign unused = clk_i;
    assign parts = parts_d;
  end

  logic signed [34:0] mixed;
  logic [63:0] product;
  assign mixed = parts.mixed_a + parts.mixed_b;
  assign product = {parts.top[29:0], parts.low} + {{12{mixed[34]}}, mixed, 17'd0};
  assign result_o = parts.high ? product[63:32] : product[31:0];
endmodule
