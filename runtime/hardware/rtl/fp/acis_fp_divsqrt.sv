// Division, remainder and square root of a lane, class Divide of backend/isa/Ops.td. It takes
// an operation every cycle, so that each bit of the result has hardware of its own.
//
// Width + 5 steps: magnitudes; leading zeros; normalise; a bit of the result each (acis_fp_divstep); the two
// of acis_fp_settle, beside which integers get their sign.
module acis_fp_divsqrt
  import acis_fu_pkg::*;
#(
  parameter int unsigned Width   = 32,   // 32, or 64 for both widths
  parameter int unsigned Latency = 1
) (
  input  logic             clk_i,
  input  logic             en_i,
  input  logic [6:0]       op_i,
  input  logic [2:0]       type_i,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  output logic [Width-1:0] result_o
);
  import acis_isa_pkg::*;
  localparam int unsigned Sig = (Width == 64) ? 53 : 24;
  localparam int unsigned Exp = (Width == 64) ? 13 : 10;
  localparam int unsigned Zeros = $clog2(Sig + 1);
  localparam int unsigned Distance = $clog2(Width + 2);
  localparam int unsigned Steps = Width + 5;

  // The steps before and behind the bits do more than a bit, so they get registers of their own
  // if there are some.
  localparam bit Enough = Latency >= 5 + Width / 2;
  function automatic int unsigned regs(int unsigned step);
    if (!Enough || Latency > Steps)
      return regsAfter(step, Steps, Latency);
    if (step <= 3 || step >= Width + 4)
      return 1;
    return regsAfter(step - 3, Width, Latency - 5);
  endfunction

  // What goes along beside the bits.
  typedef struct packed {
    logic           isFloat;
    logic           isRoot;
    logic           remainder;    // the remainder is wanted
    logic [2:0]     kind;
    logic           sign;         // of the result
    special_e       special;
    logic [Distance-1:0] right;   // shift to the right of a result below that
    logic [Exp-1:0] room;         // of the result's first bit over the smallest exponent
  } beside_t;

  // Step 1: fields of floats, magnitudes of integers.
  typedef struct packed {
    beside_t          beside;
    logic [Exp-1:0]   expA, expB;
    logic [Sig-1:0]   sigA, sigB;
    logic [Width-1:0] a, b;
  } magnitudes_t;
  magnitudes_t s1_d, s1_q;
  logic is64;
  logic signA, zeroA, infA, nanA, signB, zeroB, infB, nanB;
  logic signed [Exp-1:0] expA, expB;
  logic [Exp-1:0] fieldA, fieldB;
  logic unused;
  assign unused = ^{fieldA, fieldB};
  assign is64 = Width == 64 && isWide(type_i);
  acis_fp_unpack #(.Width(Width)) u_a (
    .bits_i(a_i), .is64_i(is64), .sign_o(signA), .exp_o(expA), .field_o(fieldA), .sig_o(s1_d.sigA),
    .zero_o(zeroA), .inf_o(infA), .nan_o(nanA)
  );
  acis_fp_unpack #(.Width(Width)) u_b (
    .bits_i(b_i), .is64_i(is64), .sign_o(signB), .exp_o(expB), .field_o(fieldB), .sig_o(s1_d.sigB),
    .zero_o(zeroB), .inf_o(infB), .nan_o(nanB)
  );
  logic isSigned;
  logic [Width-1:0] a, b;
  always_comb begin
    isSigned = op_i == OpSdiv || op_i == OpSrem;
    a = Width'(extend(type_i, isSigned, 64'(a_i)));
    b = Width'(extend(type_i, isSigned, 64'(b_i)));
    s1_d.a = (isSigned && a[Width-1]) ? -a : a;
    s1_d.b = (isSigned && b[Width-1]) ? -b : b;
    s1_d.expA = expA;
    s1_d.expB = expB;
    s1_d.beside = '0;
    s1_d.beside.isFloat = op_i == OpFdiv || op_i == OpFsqrt;
    s1_d.beside.isRoot = op_i == OpFsqrt;
    s1_d.beside.remainder = op_i == OpSrem || op_i == OpUrem;
    s1_d.beside.kind = type_i;
    if (op_i == OpFsqrt) begin
      s1_d.beside.sign = signA;   // of -0
      s1_d.beside.special = (nanA || (signA && !zeroA)) ? SpecialNan
                          : infA ? SpecialInf : zeroA ? SpecialZero : SpecialNone;
    end else if (op_i == OpFdiv) begin
      s1_d.beside.sign = signA ^ signB;
      s1_d.beside.special = (nanA || nanB || (infA && infB) || (zeroA && zeroB)) ? SpecialNan
                          : (infA || zeroB) ? SpecialInf
                          : (zeroA || infB) ? SpecialZero : SpecialNone;
    end else begin
      // By zero every bit of the quotient is 1, and the remainder is a: the sign of a
      // quotient must not turn that.
      s1_d.beside.sign = isSigned && (s1_d.beside.remainder ? a[Width-1]
                                                            : a[Width-1] != b[Width-1] && b != '0);
      s1_d.beside.special = SpecialNone;
    end
  end
  acis_pipe #(.Width($bits(magnitudes_t)), .Depth(regs(1))) u_step1
    (.clk_i, .en_i, .d_i(s1_d), .q_o(s1_q));

  // Step 2: leading zeros. Step 3: floats normalised, so that the quotient is between 1/2 and 2, or the root between
  // 1 and 2.
  typedef struct packed {
    beside_t          beside;
    logic [Width+1:0] remainder;
    logic [Width-1:0] dividend, divisor;
  } state_t;
  state_t normal;
  logic [Zeros-1:0] zerosA, zerosB;
  acis_lzc #(.Width(Sig), .CountBits(Zeros)) u_lzcA (.bits_i(s1_q.sigA), .count_o(zerosA));
  acis_lzc #(.Width(Sig), .CountBits(Zeros)) u_lzcB (.bits_i(s1_q.sigB), .count_o(zerosB));
  typedef struct packed {
    magnitudes_t      of;
    logic [Zeros-1:0] zerosA, zerosB;
  } counted_t;
  counted_t s2_q;
  acis_pipe #(.Width($bits(counted_t)), .Depth(regs(2))) u_step2
    (.clk_i, .en_i, .d_i({s1_q, zerosA, zerosB}), .q_o(s2_q));

  logic [Sig-1:0] sigA, sigB;
  logic signed [Exp-1:0] trueA, trueB;
  logic [Exp-1:0] smallest;
  always_comb begin
    smallest = (Width == 64 && isWide(s2_q.of.beside.kind)) ? Exp'(1022) : Exp'(126);
    sigA = s2_q.of.sigA << s2_q.zerosA;
    sigB = s2_q.of.sigB << s2_q.zerosB;
    trueA = $signed(s2_q.of.expA - Exp'(s2_q.zerosA));
    trueB = $signed(s2_q.of.expB - Exp'(s2_q.zerosB));
    normal.beside = s2_q.of.beside;
    if (s2_q.of.beside.isRoot) begin
      normal.beside.room = Exp'(trueA >>> 1) + smallest;
      normal.remainder = '0;
      normal.dividend = trueA[0] ? {sigA, (Width - Sig)'(0)}
                                    : {1'b0, sigA, (Width - Sig - 1)'(0)};
      normal.divisor = '0;
    end else if (s2_q.of.beside.isFloat) begin
      normal.beside.room = trueA - trueB + smallest;
      normal.remainder = (Width + 2)'(sigA[Sig-1:1]);
      normal.dividend = {sigA[0], (Width - 1)'(0)};
      normal.divisor = Width'(sigB);
    end else begin
      normal.remainder = '0;
      normal.dividend = s2_q.of.a;
      normal.divisor = s2_q.of.b;
    end
  end

  function automatic logic [Distance-1:0] below(logic [Exp-1:0] room);
    logic [Exp-1:0] distance;
    distance = -room;
    return !room[Exp-1] ? '0 : (distance > Exp'(Width + 1)) ? Distance'(Width + 1)
                                                            : Distance'(distance);
  endfunction

  // Bit i takes state_q and gives the state of the next.
  for (genvar i = 0; i <= Width; ++i) begin : g_bit
    state_t state_d, state_q;
    if (i == 0) begin : g_first
      assign state_d = normal;
    end else begin : g_step
      // Beside the last bit: how far a result below the smallest exponent is shifted.
      always_comb begin
        state_d.beside = g_bit[i-1].state_q.beside;
        if (i == Width)
          state_d.beside.right = below(g_bit[i-1].state_q.beside.room);
      end
      acis_fp_divstep #(.Width(Width)) u_step (
        .root_i(g_bit[i-1].state_q.beside.isRoot), .remainder_i(g_bit[i-1].state_q.remainder),
        .dividend_i(g_bit[i-1].state_q.dividend), .divisor_i(g_bit[i-1].state_q.divisor),
        .remainder_o(state_d.remainder), .dividend_o(state_d.dividend),
        .divisor_o(state_d.divisor)
      );
    end
    acis_pipe #(.Width($bits(state_t)), .Depth(regs(i + 3))) u_pipe
      (.clk_i, .en_i, .d_i(state_d), .q_o(state_q));
  end

  // Float
  state_t last;
  logic [Width-1:0] float;
  assign last = g_bit[Width].state_q;
  acis_fp_settle #(
    .Width(Width), .Bits(Width + 1), .Regs1(regs(Width + 4))
  ) u_settle (
    .clk_i, .en_i, .is64_i(Width == 64 && isWide(last.beside.kind)),
    .sign_i(last.beside.sign), .room_i(last.beside.room), .left_i('0), .right_i(last.beside.right),
    .sig_i({last.beside.isRoot ? last.divisor : last.dividend, last.remainder != '0}),
    .special_i(last.beside.special), .bits_o(float)
  );

  // Integer
  typedef struct packed {
    logic             isFloat;
    logic [2:0]       kind;
    logic [Width-1:0] value;
  } integer_t;
  integer_t int_d, int_q;
  logic [Width-1:0] unsigned_;
  always_comb begin
    unsigned_ = last.beside.remainder ? last.remainder[Width-1:0] : last.dividend;
    int_d.isFloat = last.beside.isFloat;
    int_d.kind = last.beside.kind;
    int_d.value = last.beside.sign ? -unsigned_ : unsigned_;
  end
  acis_pipe #(
    .Width($bits(integer_t)),
    .Depth(regs(Width + 4))
  ) u_integer (.clk_i, .en_i, .d_i(int_d), .q_o(int_q));

  acis_pipe #(.Width(Width), .Depth(regs(Steps))) u_result (
    .clk_i, .en_i,
    .d_i(int_q.isFloat ? float : Width'(extend(int_q.kind, 1'b0, 64'(int_q.value)))),
    .q_o(result_o)
  );
endmodule
