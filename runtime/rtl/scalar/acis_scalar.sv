// The scalar unit: RV32IM, one instruction per cycle, divisions 32. Instructions that
// concern the rest of the overlay go to acis_control, which answers in the same cycle;
// without an answer the instruction is asked again in the next one.
//
// An invocation starts in the cycle in which start_i is high, with its first instruction;
// registers are then as at the entry of a handler (docs/isa.md). The code memory is read
// one cycle ahead, at the address of the instruction that will be executed next.
module acis_scalar
  import acis_overlay_pkg::*;
  import acis_pkg::*;
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
  import acis_isa_pkg::*;
  localparam int unsigned CodeWords = CodeBytes / 4;
  localparam int unsigned CodeBits = $clog2(CodeWords);

  logic [31:0] code[CodeWords];
  logic [31:0] word_q, pc_q, pc, next_pc, a, b, imm_i_, imm_s, imm_b, imm_u, imm_j, value;
  logic [31:0] x_q[32];
  logic running_q, wide_start;
  logic [4:0] rd, rs1, rs2;
  logic retires, writes, outside, undefined, divides, div_busy, div_done, fetch_trap;
  logic [31:0] div_result;
  logic [4:0] div_rd_q;

  assign wide_start = !running_q && start_i && !div_busy;
  assign begins_o = wide_start && !stop_i;
  assign running_o = running_q || begins_o;
  assign active_o = running_q;
  assign pc = running_q ? pc_q : entry_i;
  assign rd = word_q[11:7];
  assign rs1 = word_q[19:15];
  assign rs2 = word_q[24:20];
  function automatic logic [31:0] register(logic [4:0] index);
    if (index == '0)
      return '0;
    if (running_q)
      return x_q[index];
    return index == 5'd2 ? ScratchBase + ScratchBytes : index == 5'd12 ? MemoryBase : '0;
  endfunction
  assign a = register(rs1);
  assign b = register(rs2);
  assign imm_i_ = {{20{word_q[31]}}, word_q[31:20]};
  assign imm_s = {{20{word_q[31]}}, word_q[31:25], word_q[11:7]};
  assign imm_b = {{20{word_q[31]}}, word_q[7], word_q[30:25], word_q[11:8], 1'b0};
  assign imm_u = {word_q[31:12], 12'd0};
  assign imm_j = {{12{word_q[31]}}, word_q[19:12], word_q[20], word_q[30:21], 1'b0};

  function automatic logic is(logic [31:0] mask, logic [31:0] match);
    return (word_q & mask) == match;
  endfunction
  function automatic logic [31:0] high(logic [32:0] l, logic [32:0] r);
    logic [65:0] product;
    product = {{33{l[32]}}, l} * {{33{r[32]}}, r};
    return 32'(product >> 32);
  endfunction

  logic execute;
  assign execute = running_o && !div_busy && !stop_i;
  assign fetch_trap = pc[1:0] != '0 || {2'b00, pc[31:2]} >= code_words_i;

  // streamin 3 and 7, streamout 3: no element has 8 bytes here.
  logic badFormat;
  assign badFormat = (is(StreaminMask, StreaminMatch) && word_q[21:20] == 2'd3)
                  || (is(StreamoutMask, StreamoutMatch) && word_q[8:7] == 2'd3);

  always_comb begin
    value = '0;
    writes = 1'b1;
    outside = 1'b0;
    undefined = 1'b0;
    divides = 1'b0;
    next_pc = pc + 32'd4;
    unique case (word_q[6:0])
      7'h37: value = imm_u;
      7'h17: value = pc + imm_u;
      7'h6f: begin
        value = pc + 32'd4;
        next_pc = pc + imm_j;
      end
      7'h67: begin
        value = pc + 32'd4;
        next_pc = (a + imm_i_) & ~32'd1;
        undefined = !is(JalrMask, JalrMatch);
      end
      7'h63: begin
        writes = 1'b0;
        case (word_q[14:12])
          3'd0: if (a == b) next_pc = pc + imm_b;
          3'd1: if (a != b) next_pc = pc + imm_b;
          3'd4: if ($signed(a) < $signed(b)) next_pc = pc + imm_b;
          3'd5: if ($signed(a) >= $signed(b)) next_pc = pc + imm_b;
          3'd6: if (a < b) next_pc = pc + imm_b;
          3'd7: if (a >= b) next_pc = pc + imm_b;
          default: undefined = 1'b1;
        endcase
      end
      7'h13: case (word_q[14:12])
        3'd0: value = a + imm_i_;
        3'd1: begin
          value = a << rs2;
          undefined = !is(SlliMask, SlliMatch);
        end
        3'd2: value = {31'd0, $signed(a) < $signed(imm_i_)};
        3'd3: value = {31'd0, a < imm_i_};
        3'd4: value = a ^ imm_i_;
        3'd5: begin
          value = word_q[30] ? $unsigned($signed(a) >>> rs2) : a >> rs2;
          undefined = !is(SrliMask, SrliMatch) && !is(SraiMask, SraiMatch);
        end
        3'd6: value = a | imm_i_;
        default: value = a & imm_i_;
      endcase
      7'h33: begin
        case (word_q[14:12])
          3'd0: value = word_q[30] ? a - b : a + b;
          3'd1: value = a << b[4:0];
          3'd2: value = {31'd0, $signed(a) < $signed(b)};
          3'd3: value = {31'd0, a < b};
          3'd4: value = a ^ b;
          3'd5: value = word_q[30] ? $unsigned($signed(a) >>> b[4:0]) : a >> b[4:0];
          3'd6: value = a | b;
          default: value = a & b;
        endcase
        case (word_q[31:25])
          7'h00: ;
          7'h20: undefined = word_q[14:12] != 3'd0 && word_q[14:12] != 3'd5;
          7'h01: case (word_q[14:12])
            3'd0: value = a * b;
            3'd1: value = high({a[31], a}, {b[31], b});
            3'd2: value = high({a[31], a}, {1'b0, b});
            3'd3: value = high({1'b0, a}, {1'b0, b});
            default: {divides, writes} = 2'b10;
          endcase
          default: undefined = 1'b1;
        endcase
      end
      7'h0f: begin
        writes = 1'b0;
        undefined = !is(FenceMask, FenceMatch);
      end
      7'h57: if (is(VsetvliMask, VsetvliMatch)) outside = 1'b1;
             else if (is(VmvVIMask, VmvVIMatch) || is(VmvVXMask, VmvVXMatch)
                      || is(VaddVvMask, VaddVvMatch) || is(VaddVxMask, VaddVxMatch)
                      || is(VmulVvMask, VmulVvMatch) || is(VmulVxMask, VmulVxMatch)
                      || is(VfaddVvMask, VfaddVvMatch) || is(VfmulVvMask, VfmulVvMatch))
               {outside, writes} = 2'b10;
             else undefined = 1'b1;
      7'h07: {outside, writes, undefined} = {2'b10,
          !(is(Vle8VMask, Vle8VMatch) || is(Vle16VMask, Vle16VMatch)
            || is(Vle32VMask, Vle32VMatch) || is(Vle64VMask, Vle64VMatch))};
      7'h27: {outside, writes, undefined} = {2'b10,
          !(is(Vse8VMask, Vse8VMatch) || is(Vse16VMask, Vse16VMatch)
            || is(Vse32VMask, Vse32VMatch) || is(Vse64VMask, Vse64VMatch))};
      7'h5b: {outside, writes, undefined} = {2'b10,
          !(is(SpvaccXvMask, SpvaccXvMatch) || is(SpvaccVxMask, SpvaccVxMatch)
            || is(Vlb8VMask, Vlb8VMatch) || is(Vlb16VMask, Vlb16VMatch)
            || is(Vlb32VMask, Vlb32VMatch) || is(Vlb64VMask, Vlb64VMatch))};
      7'h03: {outside, undefined} = {1'b1, word_q[14:12] == 3'd3 || word_q[14:12] > 3'd5};
      7'h23: {outside, writes, undefined} = {2'b10, word_q[14:12] > 3'd2};
      7'h73: begin
        outside = 1'b1;
        undefined = word_q[14:12] == 3'd4
                 || (word_q[14:12] == 3'd0 && !is(WfiMask, WfiMatch));
        if (word_q[14:12] == 3'd0)
          writes = 1'b0;
      end
      7'h0b: begin
        outside = 1'b1;
        writes = is(AcisResultMask, AcisResultMatch) || is(AcisTileMask, AcisTileMatch);
        undefined = !writes && !is(AcisArgMask, AcisArgMatch)
                 && !is(AcisLaunchMask, AcisLaunchMatch) && !is(AcisSyncMask, AcisSyncMatch);
      end
      7'h2b: begin
        outside = 1'b1;
        writes = is(StreaminMask, StreaminMatch);
        undefined = (!writes && !is(StreamoutMask, StreamoutMatch)
                     && !is(StreamoutVMask, StreamoutVMatch)) || badFormat;
      end
      default: undefined = 1'b1;
    endcase
  end
  assign ask_o = execute && !fetch_trap && !undefined && outside;
  assign word_o = word_q;
  assign pc_o = pc;
  assign a_o = a;
  assign b_o = b;
  assign rd_o = rd;
  assign rs1_o = rs1;
  assign retires = execute && !fetch_trap && !undefined && (!outside || done_i);
  assign retire_o = retires;
  assign next_pc_o = next_pc;
  assign trap_o = execute && (fetch_trap || undefined);
  assign trap_code_o = pc[1:0] != '0 ? 5'd2 : fetch_trap ? 5'd3 : 5'd1;
  assign trap_value_o = fetch_trap ? pc : word_q;

  acis_divider i_divider (
    .clk_i, .rst_ni, .start_i(retires && divides), .signed_i(!word_q[12]),
    .remainder_i(word_q[13]), .a_i(a), .b_i(b), .busy_o(div_busy), .done_o(div_done),
    .result_o(div_result)
  );

  logic [31:0] fetch_pc;
  logic ends;
  assign ends = retires && end_i;
  assign fetch_pc = ends || !running_o ? entry_i : retires ? next_pc : pc;
  always_ff @(posedge clk_i) begin
    if (code_we_i)
      code[CodeBits'(code_index_i)] <= code_data_i;
    word_q <= code[fetch_pc[CodeBits+1:2]];
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {running_q, pc_q, div_rd_q} <= '0;
      for (int i = 0; i < 32; ++i)
        x_q[i] <= '0;
    end else begin
      running_q <= running_o && !ends;
      pc_q <= fetch_pc;
      if (begins_o)
        for (int i = 1; i < 32; ++i)
          x_q[i] <= register(5'(i));
      if (retires && writes && rd != '0)
        x_q[rd] <= outside ? value_i : value;
      if (retires && divides)
        div_rd_q <= rd;
      if (div_done && div_rd_q != '0)
        x_q[div_rd_q] <= div_result;
    end
  end
  logic unused;
  assign unused = ^{imm_s, trap_i, code_index_i};
endmodule
