// Floating-point adder and comparator: x + y, x - y, minimum, maximum, negation, absolute
// value, comparisons, and x as it is (for products on their way out).
//
// Seven steps: compare; align; add; and the four of acis_fp_round. A comparison decides which
// operand is larger anyway, so its results come beside the alignment.
module acis_fp_add
  import acis_fu_pkg::*;
#(
  parameter int unsigned Width   = 32,   // 32, or 64 for both widths
  parameter int unsigned Latency = 1
) (
  input  logic             clk_i,
  input  logic             en_i,
  input  logic [6:0]       op_i,        // fadd also for fmac; fmul passes x
  input  logic             is64_i,
  input  logic [Width-1:0] x_i,
  input  logic [Width-1:0] y_i,
  output logic [Width-1:0] result_o
);
  import acis_isa_pkg::*;
  localparam int unsigned Sig = (Width == 64) ? 53 : 24;
  localparam int unsigned Exp = (Width == 64) ? 13 : 10;

  // Step 1: fields, order.
  typedef struct packed {
    logic [6:0]            op;
    logic                  is64;
    logic [Width-1:0]      x, y;
    logic                  nanX, nanY;
    logic                  same;        // equal bits, or zeros of two signs
    special_e              special;
    logic                  signX, signY;
    logic                  addend;      // sign of what is added to x
    logic                  subtract;
    logic                  swap;        // y is larger
    logic [Exp-1:0]        expX, expY;
    logic [Sig-1:0]        sigX, sigY;
    logic [Exp-1:0]        xOverY, yOverX;  // differences of exponents
    logic                  lostX, lostY;    // bits of the smaller, if it is x or y
  } ordered_t;
  ordered_t s1_d, s1_q;
  logic signX, signY, zeroX, zeroY, infX, infY, nanX, nanY;
  logic signed [Exp-1:0] expX, expY;
  logic [Exp-1:0] fieldX, fieldY, xOverY, yOverX;
  logic lostX, lostY;
  logic [Sig-1:0] sigX, sigY;
  acis_fp_unpack #(.Width(Width)) u_x (
    .bits_i(x_i), .is64_i, .sign_o(signX), .exp_o(expX), .field_o(fieldX), .sig_o(sigX),
    .zero_o(zeroX), .inf_o(infX), .nan_o(nanX)
  );
  acis_fp_unpack #(.Width(Width)) u_y (
    .bits_i(y_i), .is64_i, .sign_o(signY), .exp_o(expY), .field_o(fieldY), .sig_o(sigY),
    .zero_o(zeroY), .inf_o(infY), .nan_o(nanY)
  );

  assign xOverY = fieldX - fieldY;
  assign yOverX = fieldY - fieldX;
  acis_fp_lost #(.Bits(Sig), .Behind(3), .Distance(Exp)) u_lostX
    (.sig_i(sigX), .right_i(yOverX), .lost_o(lostX));
  acis_fp_lost #(.Bits(Sig), .Behind(3), .Distance(Exp)) u_lostY
    (.sig_i(sigY), .right_i(xOverY), .lost_o(lostY));

  logic [Width-1:0] magnitudeX, magnitudeY;
  function automatic logic [Width-1:0] signBit(logic is64);
    return is64 ? {1'b1, (Width - 1)'(0)} : Width'(32'h8000_0000);
  endfunction
  always_comb begin
    magnitudeX = x_i & ~signBit(is64_i);
    magnitudeY = y_i & ~signBit(is64_i);
    s1_d.op = op_i;
    s1_d.is64 = is64_i;
    s1_d.x = x_i;
    s1_d.y = y_i;
    s1_d.nanX = nanX;
    s1_d.nanY = nanY;
    s1_d.same = x_i == y_i || (zeroX && zeroY);
    s1_d.signX = signX;
    s1_d.signY = signY;
    s1_d.addend = signY ^ (op_i == OpFsub);
    s1_d.subtract = signX != s1_d.addend;
    s1_d.swap = magnitudeX < magnitudeY;
    s1_d.special = (nanX || nanY || (infX && infY && s1_d.subtract)) ? SpecialNan
                 : (infX || infY) ? SpecialInf : SpecialNone;
    s1_d.expX = expX;
    s1_d.expY = expY;
    s1_d.sigX = sigX;
    s1_d.sigY = sigY;
    s1_d.xOverY = xOverY;
    s1_d.yOverX = yOverX;
    s1_d.lostX = lostX;
    s1_d.lostY = lostY;
  end
  acis_pipe #(.Width($bits(ordered_t)), .Depth(sumRegsAfter(1, Latency))) u_step1
    (.clk_i, .en_i, .d_i(s1_d), .q_o(s1_q));

  // Step 2: the smaller is shifted to the exponent of the larger; three more bits, the last
  // one sticky, are enough for every rounding. Beside it the results without a sum.
  typedef struct packed {
    logic           is64;
    logic           bypass;             // the result is `value`
    logic [Width-1:0] value;
    special_e       special;
    logic           sign;               // of the larger, or of the special value
    logic           subtract;
    logic [Exp-1:0] exp;
    logic [Sig-1:0] larger;
    logic [Sig+2:0] smaller;
  } aligned_t;
  aligned_t s2_d, s2_q;
  logic [Width-1:0] canonicalNan, chosen;
  logic equal, less, greater;
  always_comb begin
    equal = !s1_q.nanX && !s1_q.nanY && s1_q.same;
    less = !s1_q.nanX && !s1_q.nanY && !s1_q.same
        && (s1_q.signX != s1_q.signY ? s1_q.signX : s1_q.swap != s1_q.signX);
    greater = !s1_q.nanX && !s1_q.nanY && !s1_q.same && !less;

    canonicalNan = s1_q.is64 ? Width'(64'h7ff8_0000_0000_0000) : Width'(32'h7fc0_0000);
    chosen = (s1_q.op == OpFmin)
           ? (equal ? s1_q.x | s1_q.y : (less || s1_q.nanY) ? s1_q.x : s1_q.y)
           : (equal ? s1_q.x & s1_q.y : (greater || s1_q.nanY) ? s1_q.x : s1_q.y);
    s2_d.bypass = 1'b1;
    case (s1_q.op)
      OpFmin, OpFmax: s2_d.value = (s1_q.nanX && s1_q.nanY) ? canonicalNan : chosen;
      OpFneg: s2_d.value = s1_q.x ^ signBit(s1_q.is64);
      OpFabs: s2_d.value = s1_q.x & ~signBit(s1_q.is64);
      OpFeq: s2_d.value = Width'(equal);
      OpFlt: s2_d.value = Width'(less);
      OpFle: s2_d.value = Width'(less || equal);
      OpFmul: s2_d.value = s1_q.x;
      default: begin
        s2_d.value = '0;
        s2_d.bypass = 1'b0;
      end
    endcase

    s2_d.is64 = s1_q.is64;
    s2_d.special = s1_q.special;
    s2_d.sign = s1_q.swap ? s1_q.addend : s1_q.signX;
    s2_d.subtract = s1_q.subtract;
    s2_d.exp = s1_q.swap ? s1_q.expY : s1_q.expX;
    s2_d.larger = s1_q.swap ? s1_q.sigY : s1_q.sigX;
  end
  acis_fp_align #(.Sig(Sig), .Behind(3), .Distance(Exp)) u_align (
    .sig_i(s1_q.swap ? s1_q.sigX : s1_q.sigY),
    .lost_i(s1_q.swap ? s1_q.lostX : s1_q.lostY),
    .right_i(s1_q.swap ? s1_q.yOverX : s1_q.xOverY), .sig_o(s2_d.smaller)
  );
  acis_pipe #(.Width($bits(aligned_t)), .Depth(sumRegsAfter(2, Latency))) u_step2
    (.clk_i, .en_i, .d_i(s2_d), .q_o(s2_q));

  // Step 3: add. A difference of equal numbers is +0, which is known from the operands.
  logic [Sig+3:0] sum;
  logic sign;
  always_comb begin
    sum = s2_q.subtract ? {1'b0, s2_q.larger, 3'd0} - {1'b0, s2_q.smaller}
                        : {1'b0, s2_q.larger, 3'd0} + {1'b0, s2_q.smaller};
    sign = s2_q.sign && !(s2_q.subtract && {s2_q.larger, 3'd0} == s2_q.smaller);
  end

  // Its register, and steps 4 to 7. The sign of an infinity is that of the larger magnitude,
  // which an infinity has.
  localparam int unsigned Behind = sumRegsAfter(3, Latency) + sumRegsAfter(4, Latency)
                                 + sumRegsAfter(5, Latency) + sumRegsAfter(6, Latency);
  logic bypass;
  logic [Width-1:0] value, rounded;
  acis_pipe #(.Width(1 + Width), .Depth(Behind)) u_bypass
    (.clk_i, .en_i, .d_i({s2_q.bypass, s2_q.value}), .q_o({bypass, value}));
  acis_fp_sum #(.Width(Width), .Bits(Sig + 4), .ShiftRight(1'b0), .Latency(Latency)) u_sum (
    .clk_i, .en_i, .is64_i(s2_q.is64), .special_i(s2_q.special), .sign_i(sign),
    .exp_i(s2_q.exp), .sum_i(sum), .bits_o(rounded)
  );
  acis_pipe #(.Width(Width), .Depth(sumRegsAfter(7, Latency))) u_step7
    (.clk_i, .en_i, .d_i(bypass ? value : rounded), .q_o(result_o));
endmodule
