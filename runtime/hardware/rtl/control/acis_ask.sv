// What an instruction of the scalar unit asks (asked_t): its operands, the vector state and, of a
// launch, the tables of its context. Combinational but for the tables.
module acis_ask
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::*;
(
  input  logic         clk_i,

  // Tables: 0 loop records, 1 what is derived from them; a context without a record has no
  // launch. Written as those of the sequencer.
  input  logic         cfg_we_i,
  input  logic [1:0]   cfg_table_i,
  input  logic [7:0]   cfg_index_i,
  input  logic [159:0] cfg_data_i,
  input  logic [6:0]   first_context_i,  // of the handler; rows of the tables count from it
  input  logic [7:0]   context_count_i,

  // The instruction
  input  logic [31:0]  word_i,
  input  logic [31:0]  pc_i,
  input  logic [31:0]  a_i,
  input  logic [31:0]  b_i,
  input  logic [4:0]   rd_i,
  input  logic [4:0]   rs1_i,

  // What the instructions before it have left
  input  logic [63:0]  cycle_i,          // of the answer
  input  logic signed [64:0] steps_left_i, // until the deadline
  input  logic [31:0]  length_i,
  input  logic [47:0]  in_position_i,
  input  args_t        args_i,
  input  logic [3:0]   set_i,            // of arguments, for the next launch
  input  logic         vtype_valid_i,
  input  logic [31:0]  vl_i,
  input  logic [1:0]   sew_i,
  input  logic [2:0]   lmul_i,
  input  logic [31:0]  vpemask_i,
  input  logic [31:0]  vpestride_i,
  input  logic         pending_i,        // a streamout.v goes on at at_i with the PEs in left_i
  input  logic [31:0]  left_i,
  input  logic [31:0]  at_i,

  output asked_t       asked_o
);
  localparam int unsigned VregWords = (VrfBeats / NumVregs) * Lanes;

  loop_record_t loops_q[MaxContexts];
  loop_extra_t  extras_q[MaxContexts];
  always_ff @(posedge clk_i)
    if (cfg_we_i)
      case (cfg_table_i)
        2'(TableLoop): loops_q[CtxBits'(cfg_index_i)] <= cfg_data_i;
        2'(TableLoopExtra): extras_q[CtxBits'(cfg_index_i)] <= cfg_data_i[$bits(loop_extra_t)-1:0];
        default: ;
      endcase

  // Rows of the tables are addressed with as many bits as the largest overlay needs.
  logic unused;
  assign unused = ^cfg_index_i;

  function automatic logic is(logic [31:0] mask, logic [31:0] match);
    return (word_i & mask) == match;
  endfunction
  logic [6:0] opcode;
  logic [2:0] funct3;
  logic is_load, is_store, is_csr, is_tile, is_streamin;
  assign opcode = word_i[6:0];
  assign funct3 = word_i[14:12];
  assign is_load = opcode == 7'h03;
  assign is_store = opcode == 7'h23;
  assign is_csr = opcode == 7'h73 && funct3 != '0;
  assign is_tile = is(AcisTileMask, AcisTileMatch);
  assign is_streamin = is(StreaminMask, StreaminMatch);

  // CSRs
  logic [31:0] csr_old, csr_value, csr_operand;
  logic [2:0] csr_place;           // that may be written
  logic csr_reads, csr_writes, csr_known;
  assign csr_operand = funct3[2] ? {27'd0, rs1_i} : a_i;
  assign csr_reads = funct3[1:0] != 2'd1 || rd_i != '0;
  assign csr_writes = funct3[1:0] == 2'd1 || rs1_i != '0;
  always_comb begin
    csr_known = 1'b1;
    csr_place = '0;
    csr_old = '0;
    case (word_i[31:20])
      CsrCycle: csr_old = cycle_i[31:0];
      CsrCycleH: csr_old = cycle_i[63:32];
      CsrPktLen: {csr_place, csr_old} = {3'b001, length_i};
      CsrVpeMask: {csr_place, csr_old} = {3'b010, vpemask_i};
      CsrVpeStride: {csr_place, csr_old} = {3'b100, vpestride_i};
      CsrVpeNum: csr_old = NumPes;
      default: csr_known = 1'b0;
    endcase
    case (funct3[1:0])
      2'd1: csr_value = csr_operand;
      2'd2: csr_value = (csr_reads ? csr_old : '0) | csr_operand;
      default: csr_value = (csr_reads ? csr_old : '0) & ~csr_operand;
    endcase
  end

  // vsetvli
  logic [31:0] vl_most, vl_wanted;
  assign vl_most = (word_i[24:23] == 2'd3 && !word_i[25] ? 32'(VregWords / 2) : 32'(VregWords))
                 << word_i[22:20];
  assign vl_wanted = rs1_i != '0 ? a_i : rd_i != '0 ? vl_most : vl_i;

  // Launches: of a context, or of a vector instruction
  loop_record_t context_loop;
  loop_extra_t extra;
  vec_t vec;
  logic [6:0] row;
  logic is_vector, vector_error, vector_last, vector_none, sparse, wide;
  logic [31:0] vector_rest, vector_iterations;
  logic [LaneBits-1:0] vector_tail, vf, last;
  assign row = word_i[31:25] - first_context_i;
  assign context_loop = loops_q[CtxBits'(row)];
  assign extra = extras_q[CtxBits'(row)];
  assign wide = HasWide && context_loop.laneBits == 8'd64;
  assign vf = elementsOf(context_loop.scalar, wide);

  acis_vector_decode i_decode (
    .word_i, .a_i, .vl_i, .sew_i, .lmul_i, .vpemask_i, .vpestride_i, .pending_i, .left_i,
    .valid_o(is_vector), .vec_o(vec), .sparse_o(sparse), .error_o(vector_error),
    .iterations_o(vector_iterations), .tail_o(vector_tail), .none_o(vector_none),
    .last_o(vector_last), .rest_o(vector_rest)
  );

  launch_t launch;
  always_comb begin
    launch = '0;
    launch.kind = LaunchLoop;
    launch.pc = pc_i;
    launch.argSet = set_i;
    if (is_vector) begin
      launch.kind = vec.kind == VecLoad ? LaunchLoad : vec.kind == VecStore ? LaunchStore
                  : LaunchLoop;
      launch.isVector = 1'b1;
      launch.vec = vec;
      launch.base = a_i;
      launch.iterations = sparse ? vl_i : vector_iterations;
      launch.tail = sparse ? '0 : vector_tail;
    end else begin
      launch.context_ = row;
      launch.iterations = a_i;
      launch.tail = LaneBits'(b_i);
    end
  end
  assign last = launch.tail != '0 ? launch.tail : vf;

  // Bytes of all iterations of a loop. Elements and lanes are powers of two, so that those of a full
  // iteration are a shift.
  function automatic logic [31+CountBits:0] bytesOf(logic [3:0] element, logic splat);
    format_t format;
    logic [CountBits-1:0] once;
    logic [31:0] preceding;        // iterations before the last one
    logic [31+CountBits:0] full;
    format = '{bytes: element, isSigned: 1'b0, splat: splat};
    once = accessBytes(format, vf);
    preceding = launch.iterations - 32'd1;
    full = '0;
    for (int k = 0; k < int'(CountBits); ++k)
      if (once[k])
        full |= (32+CountBits)'(preceding) << k;
    return full + (32+CountBits)'(accessBytes(format, last));
  endfunction

  always_comb begin
    asked_o = '0;
    asked_o.launch = launch;
    asked_o.launches = is_vector || is(AcisLaunchMask, AcisLaunchMatch);
    asked_o.too_late = $signed({33'd0, launch.iterations}) > steps_left_i;
    asked_o.vector_last = !is_vector || vector_last;
    asked_o.vector_rest = vector_rest;
    asked_o.vector_at = vec.kind == VecStreamOut && pending_i ? at_i : a_i;
    if (is_vector) begin
      asked_o.reads = sparse;
      asked_o.sends = vec.kind == VecStreamOut;
      asked_o.in_at = 32'(in_position_i);
      asked_o.out_at = asked_o.vector_at;
      {asked_o.in_times, asked_o.out_times} = {16'd1, 16'd1};
      asked_o.in_bytes = (32+CountBits)'(vl_i) << ByteBits;
      asked_o.out_bytes = (32+CountBits)'(vl_i) << sew_i;
    end else begin
      asked_o.reads = context_loop.streamIn_on;
      asked_o.sends = context_loop.streamOut_on;
      asked_o.conditional = extra.sendsConditionally;
      asked_o.in_at = args_i[ArgBits'(context_loop.streamIn_arg)];
      asked_o.out_at = args_i[ArgBits'(context_loop.streamOut_arg)];
      asked_o.in_times = extra.popsPerIteration;
      asked_o.out_times = extra.pushesPerIteration;
      asked_o.in_bytes = bytesOf(context_loop.streamIn_format_bytes, context_loop.streamIn_format_splat);
      asked_o.out_bytes = bytesOf(context_loop.streamOut_format_bytes,
                                  context_loop.streamOut_format_splat);
    end

    asked_o.load = is_load;
    asked_o.store = is_store;
    asked_o.address = a_i + (is_store ? {{20{word_i[31]}}, word_i[31:25], word_i[11:7]}
                                      : {{20{word_i[31]}}, word_i[31:20]});
    asked_o.tile = is_tile;
    asked_o.at = is_tile ? b_i : a_i;
    asked_o.bytes = is_tile ? 3'd4 : 3'd1 << word_i[21:20];
    asked_o.csr_value = csr_value;

    asked_o.kind = AskValue;
    if (is_load || is_store)
      asked_o.kind = AskMemory;
    else if (is_csr) begin
      asked_o.value = csr_reads ? csr_old : '0;
      asked_o.trap_value = 64'(word_i[31:20]);
      if (csr_reads && !csr_known)
        {asked_o.kind, asked_o.trap_code} = {AskTrap, TrapCsrRead};
      else if (csr_writes && csr_place == '0)
        {asked_o.kind, asked_o.trap_code} = {AskTrap, TrapCsrWrite};
      else if (csr_writes)
        asked_o.csr_writes = csr_place;
    end else if (is(WfiMask, WfiMatch))
      asked_o.kind = AskEnd;
    else if (HasVector && opcode == 7'h57 && funct3 == 3'd7) begin
      asked_o.trap_value = 64'(word_i[30:20]);
      asked_o.sets_vl = 1'b1;
      asked_o.value = vl_wanted < vl_most ? vl_wanted : vl_most;
      if (word_i[22:20] > 3'd4 || word_i[25:23] > (HasWide ? 3'd3 : 3'd2) || word_i[30:28] != '0)
        {asked_o.kind, asked_o.trap_code} = {AskTrap, TrapVtype};
    end else if (is_vector) begin
      if (!vtype_valid_i)
        {asked_o.kind, asked_o.trap_code} = {AskTrap, TrapNoVtype};
      else if (vector_error)
        {asked_o.kind, asked_o.trap_code} = {AskTrap, TrapVector};
      else if (vl_i != '0 && !vector_none)
        asked_o.kind = AskLaunch;
    end else if (is(AcisResultMask, AcisResultMatch))
      asked_o.kind = AskResult;
    else if (is(AcisSyncMask, AcisSyncMatch))
      asked_o.kind = AskSync;
    else if (is_tile || is_streamin)
      asked_o.kind = AskRead;
    else if (is(StreamoutMask, StreamoutMatch))
      asked_o.kind = AskWrite;
    else if (!is(AcisArgMask, AcisArgMatch)) begin
      if ({1'b0, row} >= context_count_i)
        {asked_o.kind, asked_o.trap_code, asked_o.trap_value} =
            {AskTrap, TrapContext, 57'd0, word_i[31:25]};
      else if (a_i != '0 && b_i > 32'(vf))
        {asked_o.kind, asked_o.trap_code, asked_o.trap_value, asked_o.trap_other} =
            {AskTrap, TrapTail, 32'd0, b_i, (64-LaneBits)'(0), vf};
      else if (a_i != '0)
        asked_o.kind = AskLaunch;
    end
    asked_o.passed = {16'd0, asked_o.kind == AskRead ? asked_o.at : asked_o.in_at} < in_position_i;
  end
endmodule
