// Division, remainder and square root of a lane, class Divide of backend/isa/Ops.td. It takes
// an operation every cycle, so that each bit of the result has hardware of its own.
//
// Width + 5 steps: magnitudes; normalise; a bit of the result each (acis_fp_divstep); the
// three of acis_fp_round, beside which integers get their sign.
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
  localparam int unsigned Steps = Width + 5;

  // What goes along beside the bits.
  typedef struct packed {
    logic           isFloat;
    logic           isRoot;
    logic           remainder;    // the remainder is wanted
    logic [2:0]     kind;
    logic           sign;         // of the result
    special_e       special;
    logic [Exp-1:0] exp;          // weight of the quotient's first bit
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
  assign is64 = Width == 64 && isWide(type_i);
  acis_fp_unpack #(.Width(Width)) u_a (
    .bits_i(a_i), .is64_i(is64), .sign_o(signA), .exp_o(expA), .sig_o(s1_d.sigA),
    .zero_o(zeroA), .inf_o(infA), .nan_o(nanA)
  );
  acis_fp_unpack #(.Width(Width)) u_b (
    .bits_i(b_i), .is64_i(is64), .sign_o(signB), .exp_o(expB), .sig_o(s1_d.sigB),
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
  acis_pipe #(.Width($bits(magnitudes_t)), .Depth(regsAfter(1, Steps, Latency))) u_step1
    (.clk_i, .en_i, .d_i(s1_d), .q_o(s1_q));

  // Step 2: floats normalised, so that the quotient is between 1/2 and 2, or the root between
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
  logic [Sig-1:0] sigA, sigB;
  logic signed [Exp-1:0] trueA, trueB;
  always_comb begin
    sigA = s1_q.sigA << zerosA;
    sigB = s1_q.sigB << zerosB;
    trueA = $signed(s1_q.expA - Exp'(zerosA));
    trueB = $signed(s1_q.expB - Exp'(zerosB));
    normal.beside = s1_q.beside;
    if (s1_q.beside.isRoot) begin
      normal.beside.exp = trueA >>> 1;
      normal.remainder = '0;
      normal.dividend = trueA[0] ? {sigA, (Width - Sig)'(0)}
                                    : {1'b0, sigA, (Width - Sig - 1)'(0)};
      normal.divisor = '0;
    end else if (s1_q.beside.isFloat) begin
      normal.beside.exp = trueA - trueB;
      normal.remainder = (Width + 2)'(sigA[Sig-1:1]);
      normal.dividend = {sigA[0], (Width - 1)'(0)};
      normal.divisor = Width'(sigB);
    end else begin
      normal.remainder = '0;
      normal.dividend = s1_q.a;
      normal.divisor = s1_q.b;
    end
  end

  // Bit i takes state_q and gives the state of the next.
  for (genvar i = 0; i <= Width; ++i) begin : g_bit
    state_t state_d, state_q;
    if (i == 0) begin : g_first
      assign state_d = normal;
    end else begin : g_step
      assign state_d.beside = g_bit[i-1].state_q.beside;
      acis_fp_divstep #(.Width(Width)) u_step (
        .root_i(g_bit[i-1].state_q.beside.isRoot), .remainder_i(g_bit[i-1].state_q.remainder),
        .dividend_i(g_bit[i-1].state_q.dividend), .divisor_i(g_bit[i-1].state_q.divisor),
        .remainder_o(state_d.remainder), .dividend_o(state_d.dividend),
        .divisor_o(state_d.divisor)
      );
    end
    acis_pipe #(.Width($bits(state_t)), .Depth(regsAfter(i + 2, Steps, Latency))) u_pipe
      (.clk_i, .en_i, .d_i(state_d), .q_o(state_q));
  end

  // Float
  state_t last;
  logic [Width-1:0] float;
  assign last = g_bit[Width].state_q;
  acis_fp_round #(
    .Width(Width), .Bits(Width + 1), .ShiftRight(1'b1),
    .Regs1(regsAfter(Width + 3, Steps, Latency)), .Regs2(regsAfter(Width + 4, Steps, Latency))
  ) u_round (
    .clk_i, .en_i, .sign_i(last.beside.sign), .exp_i(last.beside.exp),
    .sig_i({last.beside.isRoot ? last.divisor : last.dividend, last.remainder != '0}),
    .special_i(last.beside.special), .is64_i(Width == 64 && isWide(last.beside.kind)),
    .bits_o(float)
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
    .Depth(regsAfter(Width + 3, Steps, Latency) + regsAfter(Width + 4, Steps, Latency))
  ) u_integer (.clk_i, .en_i, .d_i(int_d), .q_o(int_q));

  acis_pipe #(.Width(Width), .Depth(regsAfter(Steps, Steps, Latency))) u_result (
    .clk_i, .en_i,
    .d_i(int_q.isFloat ? float : Width'(extend(int_q.kind, 1'b0, 64'(int_q.value)))),
    .q_o(result_o)
  );
endmodule
