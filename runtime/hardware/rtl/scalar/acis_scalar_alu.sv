// What the scalar unit computes in a cycle: results, where it goes on, and whether it leaves the
// way. Combinational; products and quotients have units of their own.
module acis_scalar_alu
  import acis_pkg::*;
(
  input  scalar_op_t  op_i,
  input  logic [31:0] pc_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,        // or the immediate operand
  output logic [31:0] value_o,    // 0 if the instruction has none
  output logic        taken_o,    // a jump, or a branch that is taken
  output logic [31:0] target_o,
  output logic [31:0] next_pc_o
);
  logic [31:0] link, shifted, added, simple;
  logic [32:0] difference, right;
  logic less, condition;
  assign link = pc_i + 32'd4;
  assign target_o = ((op_i.indirect ? a_i : pc_i) + op_i.imm) & ~{31'd0, op_i.indirect};
  // A subtraction tells which one is less: in a carry chain, as synthesis does not make one of a
  // comparison that it has to choose from two.
  assign difference = {a_i[31] && !op_i.below, a_i} - {b_i[31] && !op_i.below, b_i};
  assign less = difference[32];
  assign condition = op_i.funct3[2] ? less : a_i == b_i;
  assign taken_o = op_i.jumps || (op_i.branches && condition != op_i.funct3[0]);
  assign next_pc_o = taken_o ? target_o : link;

  // Which one it is was decoded: what is there last is not chosen by what was there long before.
  function automatic logic [31:0] if_on(logic on, logic [31:0] value);
    return {32{on}} & value;
  endfunction
  assign right = $unsigned($signed({op_i.alternate && a_i[31], a_i}) >>> b_i[4:0]);
  assign shifted = if_on(op_i.result.left, a_i << b_i[4:0]) | if_on(op_i.result.right, right[31:0]);
  assign added = if_on(op_i.result.sum, op_i.alternate ? difference[31:0] : a_i + b_i)
               | if_on(op_i.result.target, target_o) | if_on(op_i.result.link, link);
  assign simple = if_on(op_i.result.either, a_i ^ b_i) | if_on(op_i.result.any, a_i | b_i)
                | if_on(op_i.result.both, a_i & b_i) | if_on(op_i.result.imm, op_i.imm);
  assign value_o = shifted | (added | simple | if_on(op_i.result.less, {31'd0, less}));
  logic unused;
  assign unused = right[32];
endmodule
