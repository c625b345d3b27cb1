// Floating-point unit of a lane, class Float of backend/isa/Ops.td: a multiplier in front of
// an adder, each with half of the latency, and a fused sum beside them that takes the exact
// product. fmac is the chain, with two roundings; fmul passes the adder, the other operations
// wait for the multiplier.
module acis_fp_unit
  import acis_fu_pkg::*;
#(
  parameter int unsigned Width   = 32,   // 32, or 64 for both widths
  parameter int unsigned Latency = 1,
  parameter bit          Fused   = 1'b1  // there is fma: the sum beside product and adder
) (
  input  logic             clk_i,
  input  logic             en_i,
  input  logic [6:0]       op_i,
  input  logic [2:0]       type_i,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  input  logic [Width-1:0] c_i,
  output logic [Width-1:0] result_o
);
  import acis_isa_pkg::*;
  localparam int unsigned Sig = (Width == 64) ? 53 : 24;
  localparam int unsigned Exp = (Width == 64) ? 13 : 10;
  localparam int unsigned Distance = $clog2(2 * Sig + 1);
  localparam int unsigned MulSteps = 6;
  localparam int unsigned MulLatency = Latency / 2;
  localparam int unsigned Regs1 = regsAfter(1, MulSteps, MulLatency);
  localparam int unsigned Regs2 = regsAfter(2, MulSteps, MulLatency);
  localparam int unsigned Regs3 = regsAfter(3, MulSteps, MulLatency);
  localparam int unsigned Front = Regs1 + Regs2 + Regs3;

  typedef struct packed {
    logic [6:0]       op;
    logic             isProduct;    // the adder takes the product
    logic             isSum;        // and adds c to it
    logic             is64;
    logic [Width-1:0] a, b, c;
  } request_t;
  request_t first, front, behind;
  // Above a 32-bit number in a wide lane there may be anything.
  logic is64;
  logic [Width-1:0] mask;
  assign is64 = Width == 64 && isWide(type_i);
  assign mask = Width'({{32{is64}}, 32'hffff_ffff});
  assign first = '{op: op_i, isProduct: op_i == OpFmul || op_i == OpFmac,
                   isSum: op_i == OpFmac, is64: is64, a: a_i & mask, b: b_i & mask, c: c_i & mask};
  acis_pipe #(.Width($bits(request_t)), .Depth(Front)) u_front
    (.clk_i, .en_i, .d_i(first), .q_o(front));
  acis_pipe #(.Width($bits(request_t)), .Depth(MulLatency - Front)) u_behind
    (.clk_i, .en_i, .d_i(front), .q_o(behind));

  logic sign;
  logic signed [Exp-1:0] exp, room;
  logic [2*Sig-1:0] product;
  logic [Distance-1:0] left, right;
  special_e special;
  acis_fp_product #(.Width(Width), .Regs1(Regs1), .Regs2(Regs2), .Regs3(Regs3)) u_exact (
    .clk_i, .en_i, .is64_i(is64), .a_i(first.a), .b_i(first.b), .sign_o(sign), .exp_o(exp),
    .product_o(product), .room_o(room), .left_o(left), .right_o(right), .special_o(special)
  );

  // The sum of the product's rows is step 4 of the multiplier.
  logic [Width-1:0] rounded;
  localparam int unsigned Regs4 = regsAfter(4, MulSteps, MulLatency);
  typedef struct packed {
    logic                  is64;
    logic                  sign;
    logic [Exp-1:0]        room;
    logic [2*Sig-1:0]      product;
    logic [Distance-1:0]   left, right;
    special_e              special;
  } product_t;
  product_t sum_d, sum_q;
  assign sum_d = '{is64: front.is64, sign: sign, room: room, product: product, left: left,
                   right: right, special: special};
  acis_pipe #(.Width($bits(product_t)), .Depth(Regs4)) u_sum
    (.clk_i, .en_i, .d_i(sum_d), .q_o(sum_q));
  logic [Width-1:0] settled;
  acis_fp_settle #(
    .Width(Width), .Bits(2 * Sig), .Regs1(regsAfter(5, MulSteps, MulLatency))
  ) u_settle (
    .clk_i, .en_i, .is64_i(sum_q.is64), .sign_i(sum_q.sign), .room_i(sum_q.room),
    .left_i(sum_q.left), .right_i(sum_q.right), .sig_i(sum_q.product),
    .special_i(sum_q.special), .bits_o(settled)
  );
  acis_pipe #(.Width(Width), .Depth(regsAfter(6, MulSteps, MulLatency))) u_product
    (.clk_i, .en_i, .d_i(settled), .q_o(rounded));

  logic [Width-1:0] chained;
  acis_fp_add #(.Width(Width), .Latency(Latency - MulLatency)) u_add (
    .clk_i, .en_i, .op_i(behind.op), .is64_i(behind.is64), .x_i(behind.isProduct ? rounded : behind.a),
    .y_i(behind.isSum ? behind.c : behind.b), .result_o(chained)
  );
  if (Fused) begin : g_fused
    logic [Width-1:0] fused;
    logic isFused;
    acis_fp_fma #(.Width(Width), .Latency(Latency - Front)) u_fma (
      .clk_i, .en_i, .is64_i(front.is64), .sign_i(sign), .exp_i(exp), .product_i(product),
      .special_i(special), .c_i(front.c), .bits_o(fused)
    );
    acis_pipe #(.Width(1), .Depth(Latency)) u_fused
      (.clk_i, .en_i, .d_i(op_i == OpFma), .q_o(isFused));
    assign result_o = isFused ? fused : chained;
  end else begin : g_chained
    assign result_o = chained;
    logic unused;
    assign unused = ^exp;
  end
endmodule
