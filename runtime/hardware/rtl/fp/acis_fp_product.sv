// The exact product of two floating-point numbers, for acis_fp_settle and acis_fp_fma. Four
// steps: fields; partial products; rows; sum. The first three have registers behind them,
// the sum has none. How far the product has to be shifted is found beside it, from the leading
// zeros of subnormal operands.
module acis_fp_product
  import acis_fu_pkg::*;
#(
  parameter int unsigned Width = 32,
  parameter int unsigned Regs1 = 0,
  parameter int unsigned Regs2 = 0,
  parameter int unsigned Regs3 = 0,
  localparam int unsigned Sig  = (Width == 64) ? 53 : 24,
  localparam int unsigned Exp  = (Width == 64) ? 13 : 10,
  localparam int unsigned Distance = $clog2(2 * Sig + 1)
) (
  input  logic                  clk_i,
  input  logic                  en_i,
  input  logic                  is64_i,
  input  logic [Width-1:0]      a_i,
  input  logic [Width-1:0]      b_i,
  output logic                  sign_o,
  output logic signed [Exp-1:0] exp_o,      // weight of the first bit
  output logic [2*Sig-1:0]      product_o,
  output logic signed [Exp-1:0] room_o,     // the same over the smallest exponent
  output logic [Distance-1:0]   left_o,     // see acis_fp_settle
  output logic [Distance-1:0]   right_o,
  output special_e              special_o   // of the product alone; zero if it is exactly 0
);
  typedef struct packed {
    logic           sign;
    logic [Exp-1:0] exp, room;
    special_e       special;
    logic [Sig-1:0] a, b;
  } fields_t;
  fields_t s1_d, s1_q;
  logic signA, signB, zeroA, zeroB, infA, infB, nanA, nanB;
  logic signed [Exp-1:0] expA, expB;
  logic [Exp-1:0] fieldA, fieldB;
  logic unused;
  assign unused = ^{fieldA, fieldB};
  acis_fp_unpack #(.Width(Width)) u_a (
    .bits_i(a_i), .is64_i, .sign_o(signA), .exp_o(expA), .field_o(fieldA), .sig_o(s1_d.a),
    .zero_o(zeroA), .inf_o(infA), .nan_o(nanA)
  );
  acis_fp_unpack #(.Width(Width)) u_b (
    .bits_i(b_i), .is64_i, .sign_o(signB), .exp_o(expB), .field_o(fieldB), .sig_o(s1_d.b),
    .zero_o(zeroB), .inf_o(infB), .nan_o(nanB)
  );
  always_comb begin
    s1_d.sign = signA ^ signB;
    s1_d.exp = expA + expB + Exp'(1);
    s1_d.room = expA + expB + (is64_i ? Exp'(1023) : Exp'(127));
    s1_d.special = (nanA || nanB || (infA && zeroB) || (zeroA && infB)) ? SpecialNan
                 : (infA || infB) ? SpecialInf
                 : (zeroA || zeroB) ? SpecialZero : SpecialNone;
  end
  acis_pipe #(.Width($bits(fields_t)), .Depth(Regs1)) u_step1
    (.clk_i, .en_i, .d_i(s1_d), .q_o(s1_q));

  acis_mul #(.WidthA(Sig), .WidthB(Sig), .Regs1(Regs2), .Regs2(Regs3)) u_mul
    (.clk_i, .en_i, .a_i(s1_q.a), .b_i(s1_q.b), .product_o);

  // At most one operand of a product that is no smaller than the smallest number is
  // subnormal; the other has no leading zeros. Step 2: count them; step 3: distances.
  typedef struct packed {
    logic                sign;
    logic [Exp-1:0]      exp, room;
    special_e            special;
    logic [Distance-1:0] left, right;
  } beside_t;
  beside_t s2_d, s2_q, s3_d, s3_q;
  logic [Distance-1:0] zerosA, zerosB;
  acis_lzc #(.Width(Sig), .CountBits(Distance)) u_lzcA (.bits_i(s1_q.a), .count_o(zerosA));
  acis_lzc #(.Width(Sig), .CountBits(Distance)) u_lzcB (.bits_i(s1_q.b), .count_o(zerosB));
  always_comb begin
    s2_d = '{sign: s1_q.sign, exp: s1_q.exp, room: s1_q.room, special: s1_q.special,
             left: s1_q.a[Sig-1] ? zerosB : zerosA, right: '0};
  end
  acis_pipe #(.Width($bits(beside_t)), .Depth(Regs2)) u_step2
    (.clk_i, .en_i, .d_i(s2_d), .q_o(s2_q));

  logic [Exp-1:0] below;
  always_comb begin
    s3_d = s2_q;
    below = -s2_q.room;
    s3_d.left = (s2_q.room < Exp'(s2_q.left)) ? Distance'(s2_q.room) : s2_q.left;
    s3_d.right = (below > Exp'(2 * Sig)) ? Distance'(2 * Sig) : Distance'(below);
  end
  acis_pipe #(.Width($bits(beside_t)), .Depth(Regs3)) u_step3
    (.clk_i, .en_i, .d_i(s3_d), .q_o(s3_q));
  assign sign_o = s3_q.sign;
  assign exp_o = s3_q.exp;
  assign room_o = s3_q.room;
  assign left_o = s3_q.left;
  assign right_o = s3_q.right;
  assign special_o = s3_q.special;
endmodule
