// product + c with one rounding, for the product of acis_fp_product. Seven steps:
// distance; align; add; and the four of acis_fp_round.
//
// The sum is made in a frame of 4 * Sig + 3 bits and a carry. The product stands Sig + 2 bits
// below the frame's first bit, c is shifted to its place. If c is too large for the frame, the
// frame's first bit is that of c: then the product is below everything that c has, and only
// matters as something that is not 0. Sig + 1 bits follow the product, so that one with
// leading zeros (of a subnormal operand) is still rounded right.
module acis_fp_fma
  import acis_fu_pkg::*;
#(
  parameter int unsigned Width   = 32,
  parameter int unsigned Latency = 1,
  localparam int unsigned Sig  = (Width == 64) ? 53 : 24,
  localparam int unsigned Exp  = (Width == 64) ? 13 : 10
) (
  input  logic                  clk_i,
  input  logic                  en_i,
  input  logic                  is64_i,
  input  logic                  sign_i,
  input  logic signed [Exp-1:0] exp_i,
  input  logic [2*Sig-1:0]      product_i,
  input  special_e              special_i,
  input  logic [Width-1:0]      c_i,
  output logic [Width-1:0]      bits_o
);
  localparam int unsigned Frame = 4 * Sig + 3;

  // Step 1: where c belongs.
  typedef struct packed {
    logic             is64;
    special_e         special;
    logic             sign;       // of the product, or of the special value
    logic             subtract;
    logic [Exp-1:0]   exp;        // of the frame's first bit
    logic [Exp-1:0]   distance;   // of c from there
    logic             lost;       // bits of c
    logic [2*Sig-1:0] product;
    logic [Sig-1:0]   c;
  } placed_t;
  placed_t s1_d, s1_q;
  logic signC, zeroC, infC, nanC;
  logic signed [Exp-1:0] expC;
  logic signed [Exp-1:0] top;
  logic lost;
  logic [Exp-1:0] fieldC, topField, distance;
  logic [Sig-1:0] sigC;
  acis_fp_unpack #(.Width(Width)) u_c (
    .bits_i(c_i), .is64_i, .sign_o(signC), .exp_o(expC), .field_o(fieldC), .sig_o(sigC),
    .zero_o(zeroC), .inf_o(infC), .nan_o(nanC)
  );
  acis_fp_lost #(.Bits(Sig), .Behind(Frame - Sig), .Distance(Exp)) u_lost
    (.sig_i(sigC), .right_i(distance), .lost_o(lost));
  // With the bias on both sides, so that the difference does not wait for it to go from c.
  assign top = exp_i + Exp'(Sig + 2);
  assign topField = exp_i + (is64_i ? Exp'(Sig + 1025) : Exp'(Sig + 129));
  assign distance = topField - fieldC;
  always_comb begin
    s1_d.is64 = is64_i;
    s1_d.subtract = sign_i != signC;
    s1_d.product = product_i;
    s1_d.c = sigC;
    // Too far from each other for their difference to overflow: its sign is the comparison.
    if (special_i == SpecialZero || distance[Exp-1]) begin
      s1_d.exp = expC;
      s1_d.distance = '0;
      s1_d.lost = 1'b0;
    end else begin
      s1_d.exp = top;
      s1_d.distance = distance;
      s1_d.lost = lost;
    end
    s1_d.sign = sign_i;
    s1_d.special = SpecialNone;
    if (special_i == SpecialNan || nanC || (special_i == SpecialInf && infC && s1_d.subtract))
      s1_d.special = SpecialNan;
    else if (special_i == SpecialInf || infC) begin
      s1_d.special = SpecialInf;
      s1_d.sign = infC ? signC : sign_i;
    end
  end
  acis_pipe #(.Width($bits(placed_t)), .Depth(sumRegsAfter(1, Latency))) u_step1
    (.clk_i, .en_i, .d_i(s1_d), .q_o(s1_q));

  // Step 2: align c.
  typedef struct packed {
    logic             is64;
    special_e         special;
    logic             sign;
    logic             subtract;
    logic [Exp-1:0]   exp;
    logic [2*Sig-1:0] product;
    logic [Frame-1:0] c;
  } aligned_t;
  aligned_t s2_d, s2_q;
  always_comb begin
    s2_d.is64 = s1_q.is64;
    s2_d.special = s1_q.special;
    s2_d.sign = s1_q.sign;
    s2_d.subtract = s1_q.subtract;
    s2_d.exp = s1_q.exp;
    s2_d.product = s1_q.product;
  end
  acis_fp_align #(.Sig(Sig), .Behind(Frame - Sig), .Distance(Exp)) u_align
    (.sig_i(s1_q.c), .lost_i(s1_q.lost), .right_i(s1_q.distance), .sig_o(s2_d.c));
  acis_pipe #(.Width($bits(aligned_t)), .Depth(sumRegsAfter(2, Latency))) u_step2
    (.clk_i, .en_i, .d_i(s2_d), .q_o(s2_q));

  // Step 3: add. Both differences are made; the one that is not negative counts.
  logic [Frame:0] product, addend, sum, reverse;
  logic negative, sign;
  always_comb begin
    product = '0;
    product[Frame-1-(Sig+2) -: 2*Sig] = s2_q.product;
    addend = {1'b0, s2_q.c};
    sum = s2_q.subtract ? product - addend : product + addend;
    reverse = addend - product;
    negative = s2_q.subtract && sum[Frame];
    sign = (s2_q.special != SpecialNone) ? s2_q.sign
         : (s2_q.subtract && product == addend) ? 1'b0 : s2_q.sign ^ negative;
  end

  // Its register, and steps 4 to 7
  logic [Width-1:0] bits;
  acis_fp_sum #(.Width(Width), .Bits(Frame + 1), .ShiftRight(1'b1), .Latency(Latency)) u_sum (
    .clk_i, .en_i, .is64_i(s2_q.is64), .special_i(s2_q.special), .sign_i(sign),
    .exp_i(s2_q.exp), .sum_i(negative ? reverse : sum), .bits_o(bits)
  );
  acis_pipe #(.Width(Width), .Depth(sumRegsAfter(7, Latency))) u_step7
    (.clk_i, .en_i, .d_i(bits), .q_o(bits_o));

  logic unused;
  assign unused = zeroC;
endmodule
