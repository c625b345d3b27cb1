// Integer unit of a lane: moves, arithmetic, logic, shifts, compares, select and sign
// extension, as class Integer of backend/isa/Ops.td says (iota, lane and slide come as `mov`).
//
// Elements of up to Width bits, zero-extended; the result is Latency enabled cycles behind
// the operands. Five steps: extend; add, logic, coarse shift, partial products; compare, fine
// shift, rows of the product; sum of the product; choose and cut.
module acis_int #(
  parameter int unsigned Width   = 32,  // of a lane: 32, or 64 for a pair of lanes
  parameter int unsigned Latency = 1
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
  import acis_isa_pkg::*;
  import acis_fu_pkg::*;

  localparam int unsigned Steps = 5;
  localparam int unsigned AmountBits = $clog2(Width);

  typedef enum logic [2:0] {PickX, PickFlag, PickSum, PickShift, PickMul} pick_e;
  typedef enum logic [1:0] {DoMove, DoAnd, DoOr, DoXor} logic_e;
  typedef struct packed {
    logic [2:0] kind;
    pick_e      pick;
    logic_e     bitwise;
    logic       subtract;
    logic       minMax;     // x or y, by the comparison
    logic       ifLess;     // flag and choice of minMax: less than
    logic       ifEqual;    // flag: equal
    logic       invert;     // turn the flag
    logic       isSigned;
    logic       left;
    logic       rotate;
  } control_t;

  // Step 1: what to do, operands as numbers.
  control_t control;
  always_comb begin
    control = '0;
    control.kind = type_i;
    case (op_i)
      OpAdd: control.pick = PickSum;
      OpSub: begin
        control.pick = PickSum;
        control.subtract = 1'b1;
      end
      OpMul: control.pick = PickMul;
      OpAnd: control.bitwise = DoAnd;
      OpOr: control.bitwise = DoOr;
      OpXor: control.bitwise = DoXor;
      OpShl: begin
        control.pick = PickShift;
        control.left = 1'b1;
      end
      OpLshr: control.pick = PickShift;
      OpAshr: begin
        control.pick = PickShift;
        control.isSigned = 1'b1;
      end
      OpRotl: begin
        control.pick = PickShift;
        control.rotate = 1'b1;
      end
      OpSmin, OpSmax, OpUmin, OpUmax: begin
        control.minMax = 1'b1;
        control.isSigned = op_i == OpSmin || op_i == OpSmax;
        control.invert = op_i == OpSmax || op_i == OpUmax;
        control.ifLess = 1'b1;
        control.subtract = 1'b1;
      end
      OpEq, OpNe: begin
        control.pick = PickFlag;
        control.ifEqual = 1'b1;
        control.invert = op_i == OpNe;
      end
      OpSlt, OpSle, OpUlt, OpUle: begin
        control.pick = PickFlag;
        control.ifLess = 1'b1;
        control.ifEqual = op_i == OpSle || op_i == OpUle;
        control.isSigned = op_i == OpSlt || op_i == OpSle;
        control.subtract = 1'b1;
      end
      OpSext: control.isSigned = 1'b1;
      default: ;
    endcase
  end

  typedef struct packed {
    control_t              control;
    logic [Width-1:0]      x, y;
    logic [AmountBits-1:0] amount;
  } operands_t;
  operands_t s1_d, s1_q;
  logic [AmountBits-1:0] amountMask;
  always_comb begin
    s1_d.control = control;
    // A select becomes a move of b or c; the condition is the whole lane.
    s1_d.x = (op_i != OpSelect) ? Width'(extend((op_i == OpSext) ? from_i : type_i,
                                                control.isSigned, 64'(a_i)))
           : (a_i != '0) ? b_i : c_i;
    s1_d.y = Width'(extend(type_i, control.isSigned, 64'(b_i)));
    case (type_i)
      I8: amountMask = AmountBits'(7);
      I16: amountMask = AmountBits'(15);
      I64: amountMask = AmountBits'(63);
      default: amountMask = AmountBits'(31);
    endcase
    // To the left by k is to the right by the width less k.
    s1_d.amount = (control.rotate ? -b_i[AmountBits-1:0] : b_i[AmountBits-1:0]) & amountMask;
  end
  acis_pipe #(.Width($bits(operands_t)), .Depth(regsAfter(1, Steps, Latency))) u_step1
    (.clk_i, .en_i, .d_i(s1_d), .q_o(s1_q));

  // Step 2. A shift to the left is one to the right of the bits in reverse; a rotation one of
  // the element many times over. What may come in from above in step 3 is kept.
  typedef struct packed {
    control_t         control;
    logic [Width-1:0] x, y;       // x: move and logic
    logic [Width-1:0] sum;
    logic             less;
    logic             equal;
    logic [Width+6:0] shifted;
    logic [2:0]       amount;
  } second_t;
  second_t s2_d, s2_q;
  logic [Width:0] sum;
  logic [Width-1:0] reversed, repeated, moving;
  logic fill;
  always_comb begin
    for (int unsigned i = 0; i < Width; ++i)
      reversed[i] = s1_q.x[Width-1-i];
    // One bit more than the operands, so that its sign is the comparison.
    sum = {s1_q.control.isSigned & s1_q.x[Width-1], s1_q.x}
        + ({s1_q.control.isSigned & s1_q.y[Width-1], s1_q.y} ^ {(Width + 1){s1_q.control.subtract}})
        + (Width + 1)'(s1_q.control.subtract);
    s2_d.control = s1_q.control;
    s2_d.y = s1_q.y;
    unique case (s1_q.control.bitwise)
      DoMove: s2_d.x = s1_q.x;
      DoAnd: s2_d.x = s1_q.x & s1_q.y;
      DoOr: s2_d.x = s1_q.x | s1_q.y;
      default: s2_d.x = s1_q.x ^ s1_q.y;
    endcase
    s2_d.sum = sum[Width-1:0];
    s2_d.less = sum[Width];
    s2_d.equal = s1_q.x == s1_q.y;
    fill = s1_q.control.isSigned & s1_q.x[Width-1];
    case (s1_q.control.kind)
      I8: repeated = {(Width / 8){s1_q.x[7:0]}};
      I16: repeated = {(Width / 16){s1_q.x[15:0]}};
      I64: repeated = s1_q.x;
      default: repeated = {(Width / 32){s1_q.x[31:0]}};
    endcase
    moving = s1_q.control.rotate ? repeated : s1_q.control.left ? reversed : s1_q.x;
    s2_d.shifted = (Width + 7)'({s1_q.control.rotate ? repeated : {Width{fill}}, moving}
                                >> {s1_q.amount[AmountBits-1:3], 3'd0});
    s2_d.amount = s1_q.amount[2:0];
  end
  acis_pipe #(.Width($bits(second_t)), .Depth(regsAfter(2, Steps, Latency))) u_step2
    (.clk_i, .en_i, .d_i(s2_d), .q_o(s2_q));

  logic [Width-1:0] product;
  acis_mul #(.WidthA(Width), .WidthB(Width), .WidthO(Width),
             .Regs1(regsAfter(2, Steps, Latency)), .Regs2(regsAfter(3, Steps, Latency))) u_mul
    (.clk_i, .en_i, .a_i(s1_q.x), .b_i(s1_q.y), .product_o(product));

  // Step 3: everything but the product is chosen.
  typedef struct packed {
    logic [2:0]       kind;
    logic             isProduct;
    logic [Width-1:0] value;
  } third_t;
  third_t s3_d, s3_q;
  logic flag;
  logic [Width-1:0] shifted, unreversed;
  always_comb begin
    flag = ((s2_q.control.ifLess & s2_q.less) | (s2_q.control.ifEqual & s2_q.equal))
         ^ s2_q.control.invert;
    shifted = Width'(s2_q.shifted >> s2_q.amount);
    for (int unsigned i = 0; i < Width; ++i)
      unreversed[i] = shifted[Width-1-i];
    s3_d.kind = s2_q.control.kind;
    s3_d.isProduct = s2_q.control.pick == PickMul;
    case (s2_q.control.pick)
      PickSum: s3_d.value = s2_q.sum;
      PickFlag: s3_d.value = Width'(flag);
      PickShift: s3_d.value = s2_q.control.left ? unreversed : shifted;
      // The larger is y when x < y: invert turns the choice.
      default: s3_d.value = (s2_q.control.minMax && !flag) ? s2_q.y : s2_q.x;
    endcase
  end
  acis_pipe #(.Width($bits(third_t)), .Depth(regsAfter(3, Steps, Latency))) u_step3
    (.clk_i, .en_i, .d_i(s3_d), .q_o(s3_q));

  // Step 4: the sum of the product; step 5: the width of the type.
  third_t s4_d, s4_q;
  always_comb begin
    s4_d = s3_q;
    if (s3_q.isProduct)
      s4_d.value = product;
  end
  acis_pipe #(.Width($bits(third_t)), .Depth(regsAfter(4, Steps, Latency))) u_step4
    (.clk_i, .en_i, .d_i(s4_d), .q_o(s4_q));
  acis_pipe #(.Width(Width), .Depth(regsAfter(5, Steps, Latency))) u_step5
    (.clk_i, .en_i, .d_i(Width'(extend(s4_q.kind, 1'b0, 64'(s4_q.value)))), .q_o(result_o));

  logic unused;
  assign unused = s4_q.isProduct;
endmodule
