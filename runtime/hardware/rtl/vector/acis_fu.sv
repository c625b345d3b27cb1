// The functional unit of one class for all lanes of a PE. It takes an operation every enabled
// cycle; the result is on result_o Latency enabled cycles later, for that cycle only.
//
// Lanes of 32 bits, or pairs of lanes as one of 64 (wide_i): the even lane's unit has 64 bits
// and takes both, the odd one has 32 and rests. Operations are those of backend/isa/Ops.td in
// the class; iota, lane and slide, which look at more than one lane, come as `mov`.
module acis_fu #(
  parameter int unsigned Class   = 0,   // 0 integer, 1 convert, 2 float, 3 divide
  parameter int unsigned Latency = 1,
  parameter int unsigned Lanes   = 16,  // of 32 bits, even
  parameter bit          Wide    = 1'b1, // there are elements of 64 bits
  parameter bit          Fused   = 1'b1  // and fma
) (
  input  logic                  clk_i,
  input  logic                  en_i,     // 0: everything stands still
  input  logic                  valid_i,  // an operation of the class; 0 saves power only
  input  logic [6:0]            op_i,
  input  logic [2:0]            type_i,
  input  logic [2:0]            from_i,
  input  logic                  wide_i,
  input  logic [Lanes*32-1:0]   a_i,
  input  logic [Lanes*32-1:0]   b_i,
  input  logic [Lanes*32-1:0]   c_i,
  output logic [Lanes*32-1:0]   result_o
);
  logic wide;
  acis_pipe #(.Width(1), .Depth(Latency)) u_wide (.clk_i, .en_i, .d_i(Wide && wide_i), .q_o(wide));

  if (!Wide) begin : g_narrow
    logic unused;
    assign unused = ^{wide, wide_i};
    for (genvar l = 0; l < Lanes; ++l) begin : g_lane
      acis_fu_lane #(.Class(Class), .Latency(Latency), .Width(32), .Fused(Fused)) u_lane
        (.clk_i, .en_i, .op_i, .type_i, .from_i, .a_i(a_i[l*32 +: 32] & {32{valid_i}}),
         .b_i(b_i[l*32 +: 32] & {32{valid_i}}), .c_i(c_i[l*32 +: 32] & {32{valid_i}}),
         .result_o(result_o[l*32 +: 32]));
    end
  end else for (genvar p = 0; p < Lanes / 2; ++p) begin : g_pair
    logic [63:0] a, b, c, even;
    logic [31:0] odd;
    // The upper half of a wide unit is 0 with narrow lanes, whatever their neighbour holds.
    assign a = a_i[p*64 +: 64] & {{32{wide_i}}, 32'hffff_ffff} & {64{valid_i}};
    assign b = b_i[p*64 +: 64] & {{32{wide_i}}, 32'hffff_ffff} & {64{valid_i}};
    assign c = c_i[p*64 +: 64] & {{32{wide_i}}, 32'hffff_ffff} & {64{valid_i}};
    acis_fu_lane #(.Class(Class), .Latency(Latency), .Width(64), .Fused(Fused)) u_even
      (.clk_i, .en_i, .op_i, .type_i, .from_i, .a_i(a), .b_i(b), .c_i(c), .result_o(even));
    acis_fu_lane #(.Class(Class), .Latency(Latency), .Width(32), .Fused(Fused)) u_odd
      (.clk_i, .en_i, .op_i, .type_i, .from_i,
       .a_i(a_i[p*64 + 32 +: 32] & {32{valid_i & ~wide_i}}),
       .b_i(b_i[p*64 + 32 +: 32] & {32{valid_i & ~wide_i}}),
       .c_i(c_i[p*64 + 32 +: 32] & {32{valid_i & ~wide_i}}), .result_o(odd));
    assign result_o[p*64 +: 64] = {wide ? even[63:32] : odd, even[31:0]};
  end
endmodule
