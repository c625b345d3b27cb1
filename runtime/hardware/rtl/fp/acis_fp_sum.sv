// What follows the addition in adder and fused multiply-add: the register of step 3, and steps 4
// to 6 of seven, in acis_fp_round. The caller has the register of step 7.
module acis_fp_sum
  import acis_fu_pkg::*;
#(
  parameter int unsigned Width      = 32,
  parameter int unsigned Bits       = 28,      // of the sum, carry included
  parameter bit          ShiftRight = 1'b0,
  parameter int unsigned Latency    = 1,       // of all seven steps
  localparam int unsigned Exp = (Width == 64) ? 13 : 10
) (
  input  logic             clk_i,
  input  logic             en_i,
  input  logic             is64_i,
  input  special_e         special_i,
  input  logic             sign_i,
  input  logic [Exp-1:0]   exp_i,              // of the sum's first bit behind the carry
  input  logic [Bits-1:0]  sum_i,
  output logic [Width-1:0] bits_o
);
  typedef struct packed {
    logic            is64;
    special_e        special;
    logic            sign;
    logic [Exp-1:0]  room;                     // of the carry bit
    logic [Bits-1:0] sum;
  } sum_t;
  sum_t d, q;
  always_comb begin
    d.is64 = is64_i;
    d.special = special_i;
    d.sign = sign_i;
    d.room = exp_i + (is64_i ? Exp'(1023) : Exp'(127));
    d.sum = sum_i;
  end
  acis_pipe #(.Width($bits(sum_t)), .Depth(sumRegsAfter(3, Latency))) u_step3
    (.clk_i, .en_i, .d_i(d), .q_o(q));
  acis_fp_round #(
    .Width(Width), .Bits(Bits), .ShiftRight(ShiftRight),
    .Regs1(sumRegsAfter(4, Latency)), .Regs2(sumRegsAfter(5, Latency)),
    .Regs3(sumRegsAfter(6, Latency))
  ) u_round (
    .clk_i, .en_i, .sign_i(q.sign), .room_i(q.room), .sig_i(q.sum), .special_i(q.special),
    .is64_i(q.is64), .bits_o
  );
endmodule
