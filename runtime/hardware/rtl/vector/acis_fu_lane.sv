// The unit of one class for one lane; see acis_fu.
module acis_fu_lane #(
  parameter int unsigned Class   = 0,   // 0 integer, 1 convert, 2 float, 3 divide
  parameter int unsigned Latency = 1,
  parameter int unsigned Width   = 32,  // 32, or 64 for a pair of lanes
  parameter bit          Fused   = 1'b1 // Float has fma
) (
  input  logic             clk_i,
  input  logic             en_i,
  input  logic [6:0]       op_i,
  input  logic [2:0]       type_i,
  input  logic [2:0]       from_i,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] c_i,
  output logic [Width-1:0] result_o
);
  if (Class == 0) begin : g_integer
    acis_int #(.Width(Width), .Latency(Latency)) u_unit
      (.clk_i, .en_i, .op_i, .type_i, .from_i, .a_i, .b_i, .c_i, .result_o);
  end else if (Class == 1) begin : g_convert
    acis_fp_cvt #(.Width(Width), .Latency(Latency)) u_unit
      (.clk_i, .en_i, .op_i, .type_i, .from_i, .a_i, .result_o);
    logic unused;
    assign unused = ^{b_i, c_i};
  end else if (Class == 2) begin : g_float
    acis_fp_unit #(.Width(Width), .Latency(Latency), .Fused(Fused)) u_unit
      (.clk_i, .en_i, .op_i, .type_i, .a_i, .b_i, .c_i, .result_o);
    logic unused;
    assign unused = ^from_i;
  end else begin : g_divide
    acis_fp_divsqrt #(.Width(Width), .Latency(Latency)) u_unit
      (.clk_i, .en_i, .op_i, .type_i, .a_i, .b_i, .result_o);
    logic unused;
    assign unused = ^{from_i, c_i};
  end
endmodule
