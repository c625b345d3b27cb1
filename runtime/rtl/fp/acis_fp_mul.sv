// Rounds the product of acis_fp_product. Two steps: shift; round. How far to shift is known
// but for one bit from the operands' leading zeros, so that nothing is searched.
module acis_fp_mul
  import acis_fu_pkg::*;
#(
  parameter int unsigned Width = 32,
  parameter int unsigned Regs1 = 0,     // behind the shift
  parameter int unsigned Regs2 = 0,     // behind the rounding
  localparam int unsigned Sig  = (Width == 64) ? 53 : 24,
  localparam int unsigned Exp  = (Width == 64) ? 13 : 10,
  localparam int unsigned Zeros = $clog2(2 * Sig)
) (
  input  logic                  clk_i,
  input  logic                  en_i,
  input  logic                  is64_i,
  input  logic                  sign_i,
  input  logic signed [Exp-1:0] exp_i,
  input  logic [2*Sig-1:0]      product_i,
  input  logic [Zeros-1:0]      zeros_i,
  input  special_e              special_i,
  output logic [Width-1:0]      bits_o
);
  localparam int unsigned Bits = 2 * Sig;
  typedef struct packed {
    logic           is64;
    logic           sign;
    special_e       special;
    logic           more;      // one bit more to the left if the first is 0
    logic [Exp-1:0] field;
    logic [Bits:0]  sig;       // with a sticky bit
  } shifted_t;
  shifted_t s1_d, s1_q;
  logic [Exp-1:0] room, below, left, right;
  always_comb begin
    room = exp_i + (is64_i ? Exp'(1022) : Exp'(126));
    below = -room;
    left = (room < Exp'(zeros_i)) ? room : Exp'(zeros_i);
    right = (below > Exp'(Bits)) ? Exp'(Bits) : below;
    s1_d.is64 = is64_i;
    s1_d.sign = sign_i;
    s1_d.special = special_i;
    s1_d.more = !room[Exp-1] && room != left;
    s1_d.field = room[Exp-1] ? Exp'(1) : room - left + Exp'(1);
    if (room[Exp-1])
      s1_d.sig = {product_i >> right, (product_i & ~({Bits{1'b1}} << right)) != '0};
    else
      s1_d.sig = {product_i << left, 1'b0};
  end
  acis_pipe #(.Width($bits(shifted_t)), .Depth(Regs1)) u_step1
    (.clk_i, .en_i, .d_i(s1_d), .q_o(s1_q));

  logic again;
  logic [Width-1:0] bits;
  assign again = s1_q.more && !s1_q.sig[Bits];
  acis_fp_pack #(.Width(Width), .Bits(Bits + 1)) u_pack (
    .sign_i(s1_q.sign), .field_i(s1_q.field - Exp'(again)),
    .sig_i(again ? s1_q.sig << 1 : s1_q.sig), .special_i(s1_q.special), .is64_i(s1_q.is64),
    .bits_o(bits)
  );
  acis_pipe #(.Width(Width), .Depth(Regs2)) u_step2 (.clk_i, .en_i, .d_i(bits), .q_o(bits_o));
endmodule
