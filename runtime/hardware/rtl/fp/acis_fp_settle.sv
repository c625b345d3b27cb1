// Rounds a value whose place is known but for one bit, so that nothing is searched: products
// and quotients. Two steps: shift; round. The second is not registered.
//
// The value is sig_i * 2^(e - Bits + 1) with room_i as in acis_fp_round. It is shifted to the
// left by left_i, which is at most room_i, or to the right by right_i if room_i is negative.
// Then its first or second bit is 1, unless it is subnormal.
module acis_fp_settle
  import acis_fu_pkg::*;
#(
  parameter int unsigned Width = 32,
  parameter int unsigned Bits  = 48,
  parameter int unsigned Regs1 = 0,     // behind the shift
  localparam int unsigned Exp  = (Width == 64) ? 13 : 10,
  localparam int unsigned Distance = $clog2(Bits + 1)
) (
  input  logic                  clk_i,
  input  logic                  en_i,
  input  logic                  is64_i,
  input  logic                  sign_i,
  input  logic signed [Exp-1:0] room_i,
  input  logic [Distance-1:0]   left_i,
  input  logic [Distance-1:0]   right_i,
  input  logic [Bits-1:0]       sig_i,
  input  special_e              special_i,
  output logic [Width-1:0]      bits_o
);
  typedef struct packed {
    logic           is64;
    logic           sign;
    special_e       special;
    logic           more;      // one bit more to the left if the first is 0
    logic [Exp-1:0] field;
    logic [Bits:0]  sig;       // with a sticky bit
  } shifted_t;
  shifted_t s1_d, s1_q;
  logic [Bits-1:0] right;
  logic lost;
  acis_fp_jam #(.Bits(Bits)) u_right
    (.sig_i, .right_i, .sig_o(right), .lost_o(lost));
  always_comb begin
    s1_d.is64 = is64_i;
    s1_d.sign = sign_i;
    s1_d.special = special_i;
    s1_d.more = !room_i[Exp-1] && room_i != Exp'(left_i);
    s1_d.field = room_i[Exp-1] ? Exp'(1) : room_i - Exp'(left_i) + Exp'(1);
    if (room_i[Exp-1])
      s1_d.sig = {right, lost};
    else
      s1_d.sig = {sig_i << left_i, 1'b0};
  end
  acis_pipe #(.Width($bits(shifted_t)), .Depth(Regs1)) u_step1
    (.clk_i, .en_i, .d_i(s1_d), .q_o(s1_q));

  logic again;
  assign again = s1_q.more && !s1_q.sig[Bits];
  acis_fp_pack #(.Width(Width), .Bits(Bits + 1)) u_pack (
    .sign_i(s1_q.sign), .field_i(s1_q.field - Exp'(again)),
    .sig_i(again ? s1_q.sig << 1 : s1_q.sig), .special_i(s1_q.special), .is64_i(s1_q.is64),
    .bits_o
  );
endmodule
