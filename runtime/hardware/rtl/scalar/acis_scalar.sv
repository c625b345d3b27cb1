// The scalar unit: RV32IM. Instructions that concern the rest of the overlay go to acis_control,
// which answers in the same cycle or lets it wait: it is asked until then.
//
// An invocation starts in the cycle in which start_i is high; registers are then as at the entry of a
// handler (docs/isa.md). The code memory is read one cycle ahead, at the address of the word that is
// decoded next.
//
// Without a pipeline an instruction is decoded and executed in the same cycle. With one there are
// registers between the two: decoded is the instruction behind the one that is executed, with what
// that one writes; in vain behind a jump.
module acis_scalar
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        code_we_i,
  input  logic [31:0] code_index_i,
  input  logic [31:0] code_data_i,
  input  logic [31:0] code_words_i,
  input  logic [31:0] entry_i,

  input  logic        start_i,        // an invocation may start
  output logic        running_o,      // one runs, or starts in this cycle
  output logic        begins_o,
  output logic        active_o,       // one runs, at the start of the cycle
  input  logic        stop_i,         // after a trap

  // An instruction for acis_control
  output logic        ask_o,
  output logic [31:0] word_o,
  output logic [31:0] pc_o,
  output logic [31:0] a_o,
  output logic [31:0] b_o,
  output logic [4:0]  rd_o,
  output logic [4:0]  rs1_o,
  input  logic        done_i,
  input  logic        trap_i,
  input  logic        end_i,          // wfi is done
  input  logic [31:0] value_i,

  output logic        retire_o,
  output logic [31:0] next_pc_o,
  output logic        trap_o,         // of the scalar unit itself
  output logic [4:0]  trap_code_o,
  output logic [31:0] trap_value_o
);
  localparam int unsigned CodeWords = CodeBytes / 4;
  localparam int unsigned CodeBits = $clog2(CodeWords);
  localparam bit Pipelined = ScalarPipeline != 0;

  logic [31:0] code[CodeWords];
  logic [31:0] x_q[32], written_q;   // registers, and which ones the invocation has written
  logic running_q;
  logic [31:0] pc_q, word_q;         // of what is executed, without a pipeline decoded
  logic [31:0] decode_pc_q, fetch_pc;

  // Writing registers: what retires, or what took longer
  logic retires, ends, slow_done, writes, div_busy, div_done, product_q;
  logic [4:0] slow_rd_q, write_rd;
  logic [31:0] write_value;

  assign begins_o = !running_q && start_i && !div_busy && !stop_i;
  assign running_o = running_q || begins_o;
  assign active_o = running_q;

  // Decode: the word, its operands, and whether it is code at all
  typedef struct packed {
    scalar_op_t  op;
    logic [31:0] word;
    logic        no_code;
    logic [31:0] a, b;               // b: or the immediate operand
  } executed_t;
  executed_t decoded, x;             // x: what is executed
  scalar_op_t op;
  logic [31:0] decode_pc;
  acis_scalar_decode i_decode (.word_i(word_q), .op_o(op));
  assign decode_pc = Pipelined ? decode_pc_q : running_q ? pc_q : entry_i;
  function automatic logic [31:0] entry_value(logic [4:0] index);
    return index == 5'd2 ? ScratchBase + ScratchBytes : index == 5'd12 ? MemoryBase : '0;
  endfunction
  function automatic logic [31:0] register(logic [4:0] index);
    logic passes;
    logic [31:0] kept;
    passes = Pipelined && writes && index == write_rd && index != '0;
    kept = running_q && written_q[index] ? x_q[index] : entry_value(index);
    return passes ? write_value : kept;
  endfunction
  assign decoded = '{
    op: op, word: word_q, no_code: {2'b00, decode_pc[31:2]} >= code_words_i,
    a: register(op.rs1), b: op.immediate ? op.imm : register(op.rs2)};

  // Execute
  logic [31:0] pc, value, target, next_pc, product, div_result;
  logic execute, taken, strays, wrong, moves, there;
  acis_scalar_alu i_alu (
    .op_i(x.op), .pc_i(pc), .a_i(x.a), .b_i(x.b), .value_o(value), .taken_o(taken),
    .target_o(target), .next_pc_o(next_pc)
  );
  // A jump to between two instructions traps itself, as the instruction set has it.
  assign strays = taken && target[1:0] != '0;
  assign wrong = x.no_code || x.op.undefined || strays;
  assign execute = there && !div_busy && !product_q && !stop_i;
  assign ask_o = execute && !x.no_code && !x.op.undefined && x.op.asks;
  assign word_o = x.word;
  assign pc_o = pc;
  assign a_o = x.a;
  assign b_o = x.b;
  assign rd_o = x.op.rd;
  assign rs1_o = x.op.rs1;
  assign retires = execute && !wrong && (!x.op.asks || done_i);
  assign ends = retires && end_i;
  assign retire_o = retires;
  assign next_pc_o = next_pc;
  assign trap_o = execute && wrong;
  assign trap_code_o = x.no_code ? TrapNoCode : x.op.undefined ? TrapUndefined : TrapJump;
  assign trap_value_o = x.no_code ? pc : x.op.undefined ? x.word : target;

  acis_multiplier #(.Late(Pipelined)) i_multiplier (
    .clk_i, .funct3_i(x.op.funct3[1:0]), .a_i(x.a), .b_i(x.b), .result_o(product)
  );
  acis_divider i_divider (
    .clk_i, .rst_ni, .start_i(retires && x.op.divides), .signed_i(!x.op.funct3[0]),
    .remainder_i(x.op.funct3[1]), .a_i(x.a), .b_i(x.b), .busy_o(div_busy), .done_o(div_done),
    .result_o(div_result)
  );

  logic product_now;
  assign product_now = !Pipelined && x.op.multiplies && !div_done;
  assign slow_done = div_done || product_q;
  assign write_rd = slow_done ? slow_rd_q : x.op.rd;
  // One of them, as the others are 0; without a pipeline the instruction behind a division is there.
  assign write_value = (div_done && !Pipelined ? '0 : x.op.asks ? value_i : value)
                     | (product_q || product_now ? product : '0) | (div_done ? div_result : '0);
  assign writes = slow_done || (retires && (x.op.writes || product_now));

  if (Pipelined) begin : g_pipeline
    // What is decoded is executed next when what is executed retires and does not take longer; of a
    // branch that is taken the decoded one is none.
    logic valid_q, slow;
    executed_t executed_q;
    assign slow = x.op.divides || x.op.multiplies;
    assign moves = !valid_q || slow_done || (retires && !slow);
    assign x = executed_q;
    assign pc = pc_q;
    assign there = valid_q;
    assign fetch_pc = ends || !running_o ? entry_i : retires && taken ? target
                    : moves ? decode_pc_q + 32'd4 : decode_pc_q;
    always_ff @(posedge clk_i or negedge rst_ni)
      if (!rst_ni) begin
        {valid_q, product_q, decode_pc_q} <= '0;
      end else begin
        product_q <= retires && x.op.multiplies;
        decode_pc_q <= fetch_pc;
        if (moves)
          valid_q <= running_o && !ends && !(retires && taken);
      end
    always_ff @(posedge clk_i)
      if (moves)
        executed_q <= decoded;
  end else begin : g_one_cycle
    logic unused;
    assign unused = ^{moves, taken, decode_pc_q, target};
    assign moves = 1'b0;
    assign {product_q, decode_pc_q} = '0;
    assign x = decoded;
    assign pc = decode_pc;
    assign there = running_o;
    assign fetch_pc = ends || !running_o ? entry_i : retires ? next_pc : pc;
  end

  always_ff @(posedge clk_i) begin
    if (code_we_i)
      code[CodeBits'(code_index_i)] <= code_data_i;
    word_q <= code[fetch_pc[CodeBits+1:2]];
    if (writes && write_rd != '0)
      x_q[write_rd] <= write_value;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {running_q, pc_q, slow_rd_q, written_q} <= '0;
    end else begin
      running_q <= running_o && !ends;
      pc_q <= ends || !running_o ? entry_i : retires ? next_pc : pc;
      if (begins_o)
        written_q <= '0;
      if (writes && write_rd != '0)
        written_q[write_rd] <= 1'b1;
      if (retires)
        slow_rd_q <= x.op.rd;
    end
  end
  logic unused_bits;
  assign unused_bits = ^{trap_i, code_index_i, fetch_pc, decode_pc};
endmodule
