// An instruction's word as what the scalar unit does with it (scalar_op_t). Combinational.
module acis_scalar_decode
  import acis_pkg::*;
  import acis_isa_pkg::*;
(
  input  logic [31:0] word_i,
  output scalar_op_t  op_o
);
  function automatic logic is(logic [31:0] mask, logic [31:0] match);
    return (word_i & mask) == match;
  endfunction

  // streamin 3 and 7, streamout 3: no element has 8 bytes here.
  logic bad_format;
  assign bad_format = (is(StreaminMask, StreaminMatch) && word_i[21:20] == 2'd3)
                   || (is(StreamoutMask, StreamoutMatch) && word_i[8:7] == 2'd3);

  logic [2:0] funct3;
  assign funct3 = word_i[14:12];
  scalar_result_t computed;
  always_comb begin
    computed = '0;
    case (funct3)
      3'd0: computed.sum = 1'b1;
      3'd1: computed.left = 1'b1;
      3'd2, 3'd3: computed.less = 1'b1;
      3'd4: computed.either = 1'b1;
      3'd5: computed.right = 1'b1;
      3'd6: computed.any = 1'b1;
      default: computed.both = 1'b1;
    endcase
  end
  always_comb begin
    op_o = '0;
    op_o.rd = word_i[11:7];
    op_o.rs1 = word_i[19:15];
    op_o.rs2 = word_i[24:20];
    op_o.writes = 1'b1;
    op_o.funct3 = funct3;
    op_o.below = funct3[0];
    op_o.imm = {{20{word_i[31]}}, word_i[31:20]};
    unique case (word_i[6:0])
      7'h37: begin
        op_o.result.imm = 1'b1;
        op_o.imm = {word_i[31:12], 12'd0};
      end
      7'h17: begin
        op_o.result.target = 1'b1;
        op_o.imm = {word_i[31:12], 12'd0};
      end
      7'h6f: begin
        {op_o.jumps, op_o.result.link} = 2'b11;
        op_o.imm = {{12{word_i[31]}}, word_i[19:12], word_i[20], word_i[30:21], 1'b0};
      end
      7'h67: begin
        {op_o.jumps, op_o.indirect, op_o.result.link} = 3'b111;
        op_o.undefined = !is(JalrMask, JalrMatch);
      end
      7'h63: begin
        {op_o.branches, op_o.writes} = 2'b10;
        op_o.below = funct3[1];
        op_o.imm = {{20{word_i[31]}}, word_i[7], word_i[30:25], word_i[11:8], 1'b0};
        op_o.undefined = funct3[2:1] == 2'd1;
      end
      7'h13: begin
        op_o.immediate = 1'b1;
        op_o.result = computed;
        op_o.alternate = funct3 == 3'd5 && word_i[30];
        op_o.undefined = (funct3 == 3'd1 && !is(SlliMask, SlliMatch))
                      || (funct3 == 3'd5 && !is(SrliMask, SrliMatch) && !is(SraiMask, SraiMatch));
      end
      7'h33: begin
        op_o.alternate = word_i[30];
        op_o.result = word_i[25] ? '0 : computed;
        case (word_i[31:25])
          7'h00: ;
          7'h20: op_o.undefined = funct3 != 3'd0 && funct3 != 3'd5;
          7'h01: {op_o.divides, op_o.multiplies, op_o.writes} = {funct3[2], !funct3[2], 1'b0};
          default: op_o.undefined = 1'b1;
        endcase
      end
      7'h0f: {op_o.writes, op_o.undefined} = {1'b0, !is(FenceMask, FenceMatch)};
      7'h57: if (is(VsetvliMask, VsetvliMatch)) op_o.asks = 1'b1;
             else if (is(VmvVIMask, VmvVIMatch) || is(VmvVXMask, VmvVXMatch)
                      || is(VaddVvMask, VaddVvMatch) || is(VaddVxMask, VaddVxMatch)
                      || is(VmulVvMask, VmulVvMatch) || is(VmulVxMask, VmulVxMatch)
                      || is(VfaddVvMask, VfaddVvMatch) || is(VfmulVvMask, VfmulVvMatch))
               {op_o.asks, op_o.writes} = 2'b10;
             else op_o.undefined = 1'b1;
      7'h07: {op_o.asks, op_o.writes, op_o.undefined} = {2'b10,
          !(is(Vle8VMask, Vle8VMatch) || is(Vle16VMask, Vle16VMatch)
            || is(Vle32VMask, Vle32VMatch) || is(Vle64VMask, Vle64VMatch))};
      7'h27: {op_o.asks, op_o.writes, op_o.undefined} = {2'b10,
          !(is(Vse8VMask, Vse8VMatch) || is(Vse16VMask, Vse16VMatch)
            || is(Vse32VMask, Vse32VMatch) || is(Vse64VMask, Vse64VMatch))};
      7'h5b: {op_o.asks, op_o.writes, op_o.undefined} = {2'b10,
          !(is(SpvaccXvMask, SpvaccXvMatch) || is(SpvaccVxMask, SpvaccVxMatch)
            || is(Vlb8VMask, Vlb8VMatch) || is(Vlb16VMask, Vlb16VMatch)
            || is(Vlb32VMask, Vlb32VMatch) || is(Vlb64VMask, Vlb64VMatch))};
      7'h03: {op_o.asks, op_o.undefined} = {1'b1, funct3 == 3'd3 || funct3 > 3'd5};
      7'h23: {op_o.asks, op_o.writes, op_o.undefined} = {2'b10, funct3 > 3'd2};
      7'h73: begin
        op_o.asks = 1'b1;
        op_o.undefined = funct3 == 3'd4 || (funct3 == 3'd0 && !is(WfiMask, WfiMatch));
        if (funct3 == 3'd0)
          op_o.writes = 1'b0;
      end
      7'h0b: begin
        op_o.asks = 1'b1;
        op_o.writes = is(AcisResultMask, AcisResultMatch) || is(AcisTileMask, AcisTileMatch);
        op_o.undefined = !op_o.writes && !is(AcisArgMask, AcisArgMatch)
                      && !is(AcisLaunchMask, AcisLaunchMatch) && !is(AcisSyncMask, AcisSyncMatch);
      end
      7'h2b: begin
        op_o.asks = 1'b1;
        op_o.writes = is(StreaminMask, StreaminMatch);
        op_o.undefined = (!op_o.writes && !is(StreamoutMask, StreamoutMatch)
                          && !is(StreamoutVMask, StreamoutVMatch)) || bad_format;
      end
      default: op_o.undefined = 1'b1;
    endcase
    if (!HasVector && (word_i[6:0] inside {7'h07, 7'h27, 7'h57, 7'h5b} || is(StreamoutVMask, StreamoutVMatch)))
      op_o.undefined = 1'b1;
  end
endmodule
