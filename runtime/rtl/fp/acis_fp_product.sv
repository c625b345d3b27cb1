// The exact product of two floating-point numbers, for acis_fp_mul and acis_fp_fma. Four
// steps: fields; partial products; rows; sum. The first three have registers behind them,
// the sum has none. Leading zeros of subnormal operands are counted beside the product.
module acis_fp_product
  import acis_fu_pkg::*;
#(
  parameter int unsigned Width = 32,
  parameter int unsigned Regs1 = 0,
  parameter int unsigned Regs2 = 0,
  parameter int unsigned Regs3 = 0,
  localparam int unsigned Sig  = (Width == 64) ? 53 : 24,
  localparam int unsigned Exp  = (Width == 64) ? 13 : 10,
  localparam int unsigned Zeros = $clog2(2 * Sig)
) (
  input  logic                  clk_i,
  input  logic                  en_i,
  input  logic                  is64_i,
  input  logic [Width-1:0]      a_i,
  input  logic [Width-1:0]      b_i,
  output logic                  sign_o,
  output logic signed [Exp-1:0] exp_o,      // weight of the first bit
  output logic [2*Sig-1:0]      product_o,
  output logic [Zeros-1:0]      zeros_o,    // leading zeros, or one less
  output special_e              special_o   // of the product alone; zero if it is exactly 0
);
  typedef struct packed {
    logic           sign;
    logic [Exp-1:0] exp;
    special_e       special;
    logic [Sig-1:0] a, b;
  } fields_t;
  fields_t s1_d, s1_q;
  logic signA, signB, zeroA, zeroB, infA, infB, nanA, nanB;
  logic signed [Exp-1:0] expA, expB;
  acis_fp_unpack #(.Width(Width)) u_a (
    .bits_i(a_i), .is64_i, .sign_o(signA), .exp_o(expA), .sig_o(s1_d.a),
    .zero_o(zeroA), .inf_o(infA), .nan_o(nanA)
  );
  acis_fp_unpack #(.Width(Width)) u_b (
    .bits_i(b_i), .is64_i, .sign_o(signB), .exp_o(expB), .sig_o(s1_d.b),
    .zero_o(zeroB), .inf_o(infB), .nan_o(nanB)
  );
  always_comb begin
    s1_d.sign = signA ^ signB;
    s1_d.exp = expA + expB + Exp'(1);
    s1_d.special = (nanA || nanB || (infA && zeroB) || (zeroA && infB)) ? SpecialNan
                 : (infA || infB) ? SpecialInf
                 : (zeroA || zeroB) ? SpecialZero : SpecialNone;
  end
  acis_pipe #(.Width($bits(fields_t)), .Depth(Regs1)) u_step1
    (.clk_i, .en_i, .d_i(s1_d), .q_o(s1_q));

  acis_mul #(.WidthA(Sig), .WidthB(Sig), .Regs1(Regs2), .Regs2(Regs3)) u_mul
    (.clk_i, .en_i, .a_i(s1_q.a), .b_i(s1_q.b), .product_o);

  // At most one operand of a product that is no smaller than the smallest number is
  // subnormal; the other has no leading zeros.
  logic [Zeros-1:0] zeros;
  logic [Sig-1:0] subnormal;
  assign subnormal = s1_q.a[Sig-1] ? s1_q.b : s1_q.a;
  acis_lzc #(.Width(Sig), .CountBits(Zeros)) u_lzc (.bits_i(subnormal), .count_o(zeros));
  acis_pipe #(.Width(1 + Exp + $bits(special_e) + Zeros), .Depth(Regs2 + Regs3)) u_beside (
    .clk_i, .en_i, .d_i({s1_q.sign, s1_q.exp, s1_q.special, zeros}),
    .q_o({sign_o, exp_o, special_o, zeros_o})
  );
endmodule
