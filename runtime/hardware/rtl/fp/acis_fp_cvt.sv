// Conversions of a lane, class Convert of backend/isa/Ops.td: integers to floats, floats to
// integers (towards zero, saturating, NaN to the largest), floats to floats. Five steps:
// magnitude; the four of acis_fp_round, or for integers shift, limits, choose.
module acis_fp_cvt
  import acis_fu_pkg::*;
#(
  parameter int unsigned Width   = 32,   // 32, or 64 for both widths
  parameter int unsigned Latency = 1
) (
  input  logic             clk_i,
  input  logic             en_i,
  input  logic [6:0]       op_i,
  input  logic [2:0]       type_i,
  input  logic [2:0]       from_i,
  input  logic [Width-1:0] a_i,
  output logic [Width-1:0] result_o
);
  import acis_isa_pkg::*;
  localparam int unsigned Sig = (Width == 64) ? 53 : 24;
  localparam int unsigned Exp = (Width == 64) ? 13 : 10;
  localparam int unsigned Steps = 5;

  // Step 1: sign and magnitude.
  typedef struct packed {
    logic             toInt;
    logic             toSigned;
    logic [2:0]       kind;
    logic             sign;
    special_e         special;
    logic [Exp-1:0]   exp;        // weight of the first bit of sig
    logic [Exp-1:0]   room;       // over the smallest exponent of a float result
    logic [Width-1:0] sig;
  } magnitude_t;
  magnitude_t s1_d, s1_q;
  logic signF, zeroF, infF, nanF;
  logic signed [Exp-1:0] expF;
  logic [Exp-1:0] fieldF;
  logic [Sig-1:0] sigF;
  acis_fp_unpack #(.Width(Width)) u_unpack (
    .bits_i(a_i), .is64_i(from_i == F64), .sign_o(signF), .exp_o(expF), .field_o(fieldF), .sig_o(sigF),
    .zero_o(zeroF), .inf_o(infF), .nan_o(nanF)
  );
  logic fromInt;
  logic [Width-1:0] integer_;
  always_comb begin
    fromInt = op_i == OpSitofp || op_i == OpUitofp;
    integer_ = Width'(extend(from_i, op_i == OpSitofp, 64'(a_i)));
    s1_d.toInt = op_i == OpFptosi || op_i == OpFptoui;
    s1_d.toSigned = op_i == OpFptosi;
    s1_d.kind = type_i;
    if (fromInt) begin
      s1_d.sign = op_i == OpSitofp && integer_[Width-1];
      s1_d.special = SpecialNone;
      s1_d.exp = Exp'(Width - 1);
      s1_d.sig = s1_d.sign ? -integer_ : integer_;
    end else begin
      s1_d.sign = signF;
      s1_d.special = nanF ? SpecialNan : infF ? SpecialInf : SpecialNone;
      s1_d.exp = expF;
      s1_d.sig = {sigF, (Width - Sig)'(0)};
    end
    s1_d.room = s1_d.exp + ((Width == 64 && isWide(type_i)) ? Exp'(1022) : Exp'(126));
  end
  acis_pipe #(.Width($bits(magnitude_t)), .Depth(regsAfter(1, Steps, Latency))) u_step1
    (.clk_i, .en_i, .d_i(s1_d), .q_o(s1_q));

  // To a float
  logic [Width-1:0] float;
  acis_fp_round #(
    .Width(Width), .Bits(Width), .ShiftRight(1'b1),
    .Regs1(regsAfter(2, Steps, Latency)), .Regs2(regsAfter(3, Steps, Latency)),
    .Regs3(regsAfter(4, Steps, Latency))
  ) u_round (
    .clk_i, .en_i, .sign_i(s1_q.sign), .room_i(s1_q.room), .sig_i(s1_q.sig),
    .special_i(s1_q.special), .is64_i(Width == 64 && isWide(s1_q.kind)), .bits_o(float)
  );

  // To an integer: step 2 cuts the fraction off.
  typedef struct packed {
    logic             toInt;
    logic             toSigned;
    logic [2:0]       kind;
    logic             sign;
    logic             nan;
    logic             huge_;      // no integer has so many bits
    logic [Width-1:0] magnitude;
  } cut_t;
  cut_t s2_d, s2_q;
  logic [Exp-1:0] distance;
  always_comb begin
    distance = Exp'(Width - 1) - s1_q.exp;
    s2_d.toInt = s1_q.toInt;
    s2_d.toSigned = s1_q.toSigned;
    s2_d.kind = s1_q.kind;
    s2_d.sign = s1_q.sign;
    s2_d.nan = s1_q.special == SpecialNan;
    s2_d.huge_ = distance[Exp-1];
    s2_d.magnitude = s1_q.sig >> distance;
  end
  acis_pipe #(.Width($bits(cut_t)), .Depth(regsAfter(2, Steps, Latency))) u_step2
    (.clk_i, .en_i, .d_i(s2_d), .q_o(s2_q));

  // Step 3: limits.
  typedef struct packed {
    logic             toInt;
    logic [2:0]       kind;
    logic [Width-1:0] value;
  } integer_t;
  integer_t s3_d, s3_q;
  logic [Width-1:0] largest, smallest, limit;
  logic sign;
  always_comb begin
    largest = Width'(extend(s2_q.kind, 1'b0, '1));
    if (s2_q.toSigned)
      largest = largest >> 1;
    smallest = s2_q.toSigned ? largest + Width'(1) : '0;    // as a magnitude
    sign = s2_q.sign && !s2_q.nan;
    limit = sign ? smallest : largest;
    s3_d.toInt = s2_q.toInt;
    s3_d.kind = s2_q.kind;
    s3_d.value = (s2_q.nan || s2_q.huge_ || s2_q.magnitude > limit) ? limit : s2_q.magnitude;
    if (sign)
      s3_d.value = -s3_d.value;
  end
  acis_pipe #(
    .Width($bits(integer_t)),
    .Depth(regsAfter(3, Steps, Latency) + regsAfter(4, Steps, Latency))
  ) u_step3
    (.clk_i, .en_i, .d_i(s3_d), .q_o(s3_q));

  // Step 5; an integer is there a step earlier
  acis_pipe #(.Width(Width), .Depth(regsAfter(5, Steps, Latency))) u_step5 (
    .clk_i, .en_i,
    .d_i(s3_q.toInt ? Width'(extend(s3_q.kind, 1'b0, 64'(s3_q.value))) : float), .q_o(result_o)
  );

  logic unused;
  assign unused = ^{zeroF, fieldF};
endmodule
