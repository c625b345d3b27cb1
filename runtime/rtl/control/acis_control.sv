// What the scalar unit's instructions ask of the rest of the overlay: launches, stream
// commands, CSRs, scratch and off-chip memory, and where an invocation's packets end.
//
// ask_i presents an instruction; done_o, trap_o or neither (wait) is the answer of the same
// cycle. An instruction that waits changes nothing but what *pending_q remembers.
module acis_control
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  // Tables: 0 loop records, 1 what is derived from them; a context without a record has no
  // launch. Written as those of the sequencer.
  input  logic         cfg_we_i,
  input  logic [1:0]   cfg_table_i,
  input  logic [7:0]   cfg_index_i,
  input  logic [159:0] cfg_data_i,
  input  logic         clear_i,          // of a word of the scratch memory
  input  logic [19:0]  clear_index_i,
  input  logic [6:0]   first_context_i,  // of the handler; rows of the tables count from it
  input  logic [7:0]   context_count_i,
  input  logic [31:0]  memory_bytes_i,
  input  logic [63:0]  deadline_i,
  input  logic [63:0]  cycle_i,

  // Packets: lengths of those whose header was seen
  input  logic        packet_i,
  input  logic [31:0] packet_bytes_i,
  output logic        packet_room_o,
  output logic        packet_waiting_o,
  output logic        owns_o,

  // Scalar unit
  input  logic        begins_i,
  input  logic        running_i,
  input  logic        retire_i,
  input  logic        ask_i,
  input  logic [31:0] word_i,
  input  logic [31:0] pc_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [4:0]  rd_i,
  input  logic [4:0]  rs1_i,
  output logic        done_o,
  output logic        end_o,
  output logic [31:0] value_o,
  output logic        late_o,             // the instruction that retires is past the deadline
  output logic        trap_o,
  output logic [4:0]  trap_code_o,
  output logic [63:0] trap_value_o,
  output logic [63:0] trap_other_o,
  output logic [1:0]  waiting_o,          // 0 none, 1 packet, 2 input stream, 3 other

  // Vector state, for the text of a trap
  output logic [31:0] vl_o,
  output logic [5:0]  vtype_o,
  output logic [31:0] vpemask_o,
  output logic [31:0] vpestride_o,

  // Sequencer
  output logic        enqueue_o,
  output launch_t     launch_o,
  output args_t       args_o,
  input  logic        space_i,
  input  logic        loops_idle_i,
  input  logic        idle_i,
  input  logic [15:0][31:0] results_i,

  // Streams
  input  logic        in_space_i,
  input  logic        in_idle_i,
  output logic        in_read_o,
  output logic        in_end_o,
  output logic [47:0] in_position_o,
  output logic [47:0] in_bytes_o,
  output logic        in_scalar_o,
  output logic [2:0]  in_scalar_bytes_o,
  output logic [31:0] in_scalar_at_o,
  output logic        in_first_o,
  input  logic        in_ready_i,
  input  logic [31:0] in_data_i,
  input  logic        out_space_i,
  input  logic        out_idle_i,
  input  logic        out_room_i,
  input  logic [CountBits-1:0] out_left_i,   // bytes that a loop leaves out in this cycle
  output logic        out_write_o,
  output logic        out_end_o,
  output logic [47:0] out_bytes_o,
  output logic        out_scalar_o,
  output logic [CountBits-1:0] out_scalar_bytes_o,
  output logic [31:0] out_data_o,

  // Memory ports of the PEs have nothing to do, this cycle's work included
  input  logic        ports_idle_i,
  output logic        store_idle_o,       // the scalar unit's stores are acknowledged

  // AXI4, single beats
  output logic        arvalid_o,
  input  logic        arready_i,
  output logic [31:0] araddr_o,
  input  logic        rvalid_i,
  input  beat_t       rdata_i,
  output logic        awvalid_o,
  input  logic        awready_i,
  output logic [31:0] awaddr_o,
  output beat_t       wdata_o,
  output logic [BeatBytes-1:0] wstrb_o,
  input  logic        bvalid_i,

  output logic [31:0] trace_tile_o,       // tiles skipped by the tile that retires
  output logic [31:0] tiles_total_o       // and by all since reset
);
  localparam int unsigned VregWords = (VrfBeats / NumVregs) * Lanes;
  localparam logic [47:0] MaxPacketBytes = 48'h4000_0000;

  typedef enum logic [4:0] {
    TrapMisaligned = 4, TrapOutside = 5, TrapCsrRead = 6, TrapCsrWrite = 7, TrapVtype = 8,
    TrapNoVtype = 9, TrapContext = 10, TrapTail = 11, TrapDeadlineLoop = 12, TrapPassed = 13,
    TrapGap = 14, TrapTooLong = 15, TrapLength = 16, TrapVector = 18
  } trap_e;

  loop_record_t loops_q[MaxContexts];
  loop_extra_t  extras_q[MaxContexts];
  always_ff @(posedge clk_i)
    if (cfg_we_i)
      case (cfg_table_i)
        2'd0: loops_q[CtxBits'(cfg_index_i)] <= cfg_data_i;
        2'd1: extras_q[CtxBits'(cfg_index_i)] <= cfg_data_i[$bits(loop_extra_t)-1:0];
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
  assign opcode = word_i[6:0];
  assign funct3 = word_i[14:12];

  // State of an invocation
  logic [31:0] arg_q[MaxArgs];
  logic [47:0] in_position_q, out_position_q, owned_q;
  logic [31:0] length_q, length_now, written_length_q, vl_q, vpemask_q, vpestride_q;
  logic length_written_q, vtype_valid_q, read_pending_q, vector_pending_q;
  logic conditional_q;             // the last loop that sends leaves elements out
  logic [2:0] lmul_q;
  logic [1:0] sew_q;
  logic [63:0] steps_q;
  logic [31:0] vector_left_q;      // PEs that a streamout.v has not launched
  logic [31:0] vector_position_q;
  logic [3:0] set_q;

  // Lengths of packets that no invocation owns yet
  localparam int unsigned Lengths = 32;
  logic [31:0] lengths_q[Lengths];
  logic [4:0] get_q, put_q;
  logic [5:0] lengths_count_q;

  // What an invocation that begins in this cycle finds
  logic [47:0] in_position, out_position, owned;
  logic [31:0] vl, vpemask, vpestride;
  logic vtype_valid, length_written;
  logic [63:0] steps;
  assign in_position = begins_i ? '0 : in_position_q;
  assign out_position = begins_i ? '0 : out_position_q;
  assign length_now = begins_i ? lengths_q[get_q] : length_q;
  assign owned = begins_i ? 48'(lengths_q[get_q]) : owned_q;
  assign vl = begins_i ? '0 : vl_q;
  assign vpemask = begins_i ? '1 : vpemask_q;
  assign vpestride = begins_i ? '0 : vpestride_q;
  assign vtype_valid = !begins_i && vtype_valid_q;
  assign length_written = !begins_i && length_written_q;
  assign steps = begins_i ? '0 : steps_q;

  logic walks, owns;
  assign packet_waiting_o = lengths_count_q != '0;
  assign walks = running_i && !begins_i && in_position_q > owned_q && lengths_count_q != '0;
  assign owns = begins_i || walks;
  assign owns_o = owns;
  assign packet_room_o = lengths_count_q - 6'(owns) < 6'(Lengths);

  // Memory accesses
  logic is_load, is_store, is_csr, memory_done, misaligned, outside;
  logic [31:0] address, loaded, csr_old, csr_value, csr_operand;
  logic [2:0] bytes;
  assign is_load = opcode == 7'h03;
  assign is_store = opcode == 7'h23;
  assign is_csr = opcode == 7'h73 && funct3 != '0;
  assign address = a_i + (is_store ? {{20{word_i[31]}}, word_i[31:25], word_i[11:7]}
                                   : {{20{word_i[31]}}, word_i[31:20]});
  acis_scalar_memory i_memory (
    .clk_i, .rst_ni, .clear_i, .clear_index_i, .memory_bytes_i, .load_i(ask_i && is_load),
    .store_i(ask_i && is_store), .funct3_i(funct3), .address_i(address), .data_i(b_i),
    .done_o(memory_done), .value_o(loaded), .misaligned_o(misaligned), .outside_o(outside),
    .bytes_o(bytes), .quiet_i(idle_i && ports_idle_i), .store_idle_o, .arvalid_o, .arready_i,
    .araddr_o, .rvalid_i, .rdata_i, .awvalid_o, .awready_i, .awaddr_o, .wdata_o, .wstrb_o,
    .bvalid_i
  );

  // Launches: of a context, or of a vector instruction
  launch_t launch;
  loop_record_t loop, context_loop, vector_loop;
  loop_extra_t extra, vector_extra;
  slot_record_t slot_unused;
  address_record_t address_unused[3];
  vec_t vec;
  logic wide, is_vector, vector_error, vector_last, vector_none, sparse;
  logic [31:0] vector_rest, vector_iterations;
  logic [LaneBits-1:0] vector_tail;
  logic [47:0] in_bytes, out_bytes;
  args_t args;
  logic [31:0] in_at, out_at;
  format_t in_format, out_format;
  logic [LaneBits-1:0] vf, last;

  acis_vector i_vector (
    .vec_i(vec), .loop_o(vector_loop), .extra_o(vector_extra), .slot_o(slot_unused),
    .address_o(address_unused)
  );
  logic [6:0] context_row;
  assign context_row = word_i[31:25] - first_context_i;
  assign context_loop = loops_q[CtxBits'(context_row)];
  assign loop = is_vector ? vector_loop : context_loop;
  assign extra = is_vector ? vector_extra : extras_q[CtxBits'(context_row)];
  assign wide = is_vector ? sew_q == 2'd3 : context_loop.laneBits == 8'd64;
  assign vf = elementsOf(!is_vector && context_loop.scalar, wide);

  acis_vector_decode i_decode (
    .word_i, .a_i, .vl_i(vl), .sew_i(sew_q), .lmul_i(lmul_q), .vpemask_i(vpemask),
    .vpestride_i(vpestride), .pending_i(vector_pending_q), .left_i(vector_left_q),
    .valid_o(is_vector), .vec_o(vec), .sparse_o(sparse), .error_o(vector_error),
    .iterations_o(vector_iterations), .tail_o(vector_tail), .none_o(vector_none),
    .last_o(vector_last), .rest_o(vector_rest)
  );

  always_comb begin
    for (int k = 0; k < int'(MaxArgs); ++k)
      args[k] = arg_q[k];
    launch = '0;
    launch.kind = LaunchLoop;
    launch.pc = pc_i;
    launch.argSet = set_q;
    launch.vec = '0;
    if (is_vector) begin
      launch.kind = vec.kind == VecLoad ? LaunchLoad : vec.kind == VecStore ? LaunchStore
                  : LaunchLoop;
      launch.isVector = 1'b1;
      launch.vec = vec;
      launch.base = a_i;
      args = '0;
      args[0] = vec.kind == VecStreamOut && vector_pending_q ? vector_position_q : a_i;
      args[1] = 32'(in_position);
      if (sparse) begin
        launch.iterations = vl;
        launch.tail = '0;
      end else begin
        launch.iterations = vector_iterations;
        launch.tail = vector_tail;
      end
    end else begin
      launch.context_ = context_row;
      launch.iterations = a_i;
      launch.tail = LaneBits'(b_i);
    end
    last = launch.tail != '0 ? launch.tail : vf;
    in_format = '{bytes: loop.streamIn_format_bytes, isSigned: 1'b0,
                  splat: loop.streamIn_format_splat};
    out_format = '{bytes: loop.streamOut_format_bytes, isSigned: 1'b0,
                   splat: loop.streamOut_format_splat};
    in_at = args[loop.streamIn_arg];
    out_at = args[loop.streamOut_arg];
    in_bytes = 48'(extra.popsPerIteration)
             * ((48'(launch.iterations) - 48'd1) * 48'(accessBytes(in_format, vf))
                + 48'(accessBytes(in_format, last)));
    out_bytes = 48'(extra.pushesPerIteration)
              * ((48'(launch.iterations) - 48'd1) * 48'(accessBytes(out_format, vf))
                 + 48'(accessBytes(out_format, last)));
  end
  assign launch_o = launch;
  assign args_o = args;

  // CSRs
  logic csr_reads, csr_writes, csr_known, csr_writable;
  assign csr_operand = funct3[2] ? {27'd0, rs1_i} : a_i;
  assign csr_reads = funct3[1:0] != 2'd1 || rd_i != '0;
  assign csr_writes = funct3[1:0] == 2'd1 || rs1_i != '0;
  always_comb begin
    csr_known = 1'b1;
    csr_writable = 1'b0;
    csr_old = '0;
    case (word_i[31:20])
      12'hc00: csr_old = cycle_i[31:0];
      12'hc80: csr_old = cycle_i[63:32];
      12'h800: {csr_writable, csr_old} = {1'b1, length_now};
      12'h801: {csr_writable, csr_old} = {1'b1, vpemask};
      12'h802: {csr_writable, csr_old} = {1'b1, vpestride};
      12'hcc0: csr_old = NumPes;
      default: csr_known = 1'b0;
    endcase
    case (funct3[1:0])
      2'd1: csr_value = csr_operand;
      2'd2: csr_value = (csr_reads ? csr_old : '0) | csr_operand;
      default: csr_value = (csr_reads ? csr_old : '0) & ~csr_operand;
    endcase
  end

  // vsetvli
  logic [31:0] vl_most, vl_wanted, vl_new;
  assign vl_most = (word_i[24:23] == 2'd3 && !word_i[25] ? 32'(VregWords / 2) : 32'(VregWords))
                 << word_i[22:20];
  assign vl_wanted = rs1_i != '0 ? a_i : rd_i != '0 ? vl_most : vl;
  assign vl_new = vl_wanted < vl_most ? vl_wanted : vl_most;

  // The answer
  logic enqueues, room;
  logic [31:0] stream_value;
  logic [2:0] stream_bytes;
  logic [31:0] stream_at;
  logic is_tile, is_streamin, is_wfi;
  assign is_tile = is(AcisTileMask, AcisTileMatch);
  assign is_streamin = is(StreaminMask, StreaminMatch);
  assign is_wfi = is(WfiMask, WfiMatch);
  assign stream_bytes = is_tile ? 3'd4 : 3'd1 << word_i[21:20];
  assign stream_at = is_tile ? b_i : a_i;
  assign in_scalar_o = ask_i && (is_tile || is_streamin) && (read_pending_q
                       || (in_idle_i && 48'(stream_at) >= in_position));
  assign in_first_o = !read_pending_q;
  always_comb
    case (stream_bytes)
      3'd1: stream_value = {{24{word_i[22] & is_streamin & in_data_i[7]}}, in_data_i[7:0]};
      3'd2: stream_value = {{16{word_i[22] & is_streamin & in_data_i[15]}}, in_data_i[15:0]};
      default: stream_value = in_data_i;
    endcase
  // Behind a loop that leaves elements out the position is known when nothing is left to push.
  logic position_known;
  assign position_known = begins_i || !conditional_q || out_idle_i;
  assign room = space_i && (!loop.streamIn_on || in_space_i)
             && (!loop.streamOut_on || (out_space_i && position_known));

  always_comb begin
    done_o = 1'b0;
    end_o = 1'b0;
    value_o = '0;
    trap_o = 1'b0;
    trap_code_o = '0;
    trap_value_o = '0;
    trap_other_o = '0;
    waiting_o = 2'd0;
    enqueues = 1'b0;
    out_scalar_o = 1'b0;
    if (ask_i && (is_load || is_store)) begin
      waiting_o = 2'd3;
      if (misaligned)
        {trap_o, trap_code_o, trap_value_o} = {1'b1, TrapMisaligned, 32'd0, address};
      else if (outside)
        {trap_o, trap_code_o, trap_value_o, trap_other_o} =
            {1'b1, TrapOutside, 32'd0, address, 61'd0, bytes};
      else
        {done_o, value_o} = {memory_done, loaded};
    end else if (ask_i && is_csr) begin
      if (csr_reads && !csr_known)
        {trap_o, trap_code_o, trap_value_o} = {1'b1, TrapCsrRead, 52'd0, word_i[31:20]};
      else if (csr_writes && !csr_writable)
        {trap_o, trap_code_o, trap_value_o} = {1'b1, TrapCsrWrite, 52'd0, word_i[31:20]};
      else
        {done_o, value_o} = {1'b1, csr_reads ? csr_old : 32'd0};
    end else if (ask_i && (is_wfi || is(StreamoutMask, StreamoutMatch)) && !position_known) begin
      waiting_o = 2'd3;
    end else if (ask_i && is_wfi) begin
      waiting_o = 2'd3;
      if (length_written && 48'(written_length_q) != out_position) begin
        {trap_o, trap_code_o, trap_value_o, trap_other_o} =
            {1'b1, TrapLength, 32'd0, written_length_q, 16'd0, out_position};
      end else if (in_space_i && out_space_i) begin
        waiting_o = 2'd2;
        if (in_position <= owned)
          {done_o, end_o} = 2'b11;
      end
    end else if (ask_i && opcode == 7'h57 && funct3 == 3'd7) begin
      if (word_i[22:20] > 3'd4 || word_i[25:23] > 3'd3 || word_i[30:28] != '0)
        {trap_o, trap_code_o, trap_value_o} = {1'b1, TrapVtype, 53'd0, word_i[30:20]};
      else
        {done_o, value_o} = {1'b1, vl_new};
    end else if (ask_i && is_vector && !vtype_valid) begin
      {trap_o, trap_code_o} = {1'b1, TrapNoVtype};
    end else if (ask_i && is_vector && vector_error) begin
      {trap_o, trap_code_o} = {1'b1, TrapVector};
    end else if (ask_i && is_vector && (vl == '0 || vector_none)) begin
      done_o = 1'b1;
    end else if (ask_i && is(AcisArgMask, AcisArgMatch)) begin
      done_o = 1'b1;
    end else if (ask_i && is(AcisResultMask, AcisResultMatch)) begin
      {done_o, value_o} = {loops_idle_i, results_i[word_i[23:20]]};
      waiting_o = 2'd3;
    end else if (ask_i && is(AcisSyncMask, AcisSyncMatch)) begin
      done_o = idle_i && ports_idle_i && store_idle_o;
      waiting_o = 2'd3;
    end else if (ask_i && (is_tile || is_streamin)) begin
      waiting_o = 2'd2;
      if (!read_pending_q && in_idle_i && 48'(stream_at) < in_position)
        {trap_o, trap_code_o, trap_value_o, trap_other_o} =
            {1'b1, TrapPassed, 32'd0, stream_at, 16'd0, in_position};
      else
        {done_o, value_o} = {in_scalar_o && in_ready_i, stream_value};
    end else if (ask_i && is(StreamoutMask, StreamoutMatch)) begin
      waiting_o = 2'd3;
      if (a_i != out_position[31:0]) begin
        {trap_o, trap_code_o, trap_value_o, trap_other_o} =
            {1'b1, TrapGap, 32'd0, a_i, 16'd0, out_position};
      end else if (out_idle_i && out_room_i) begin
        out_scalar_o = 1'b1;
        done_o = 1'b1;
      end
    end else if (ask_i) begin
      // A launch
      waiting_o = 2'd3;
      if (!is_vector && {1'b0, context_row} >= context_count_i)
        {trap_o, trap_code_o, trap_value_o} = {1'b1, TrapContext, 57'd0, word_i[31:25]};
      else if (!is_vector && a_i == '0)
        done_o = 1'b1;
      else if (!is_vector && b_i > 32'(vf))
        {trap_o, trap_code_o, trap_value_o, trap_other_o} =
            {1'b1, TrapTail, 32'd0, b_i, (64-LaneBits)'(0), vf};
      else if (!room)
        waiting_o = 2'd3;
      else if (steps + 64'(launch.iterations) > deadline_i)
        {trap_o, trap_code_o, trap_value_o} = {1'b1, TrapDeadlineLoop, 32'd0, launch.iterations};
      else if (loop.streamIn_on && 48'(in_at) < in_position)
        {trap_o, trap_code_o, trap_value_o, trap_other_o} =
            {1'b1, TrapPassed, 32'd0, in_at, 16'd0, in_position};
      else if (loop.streamOut_on && out_at != out_position[31:0])
        {trap_o, trap_code_o, trap_value_o, trap_other_o} =
            {1'b1, TrapGap, 32'd0, out_at, 16'd0, out_position};
      else if (loop.streamOut_on && out_position + out_bytes > MaxPacketBytes)
        {trap_o, trap_code_o, trap_value_o} = {1'b1, TrapTooLong, 16'd0, out_position + out_bytes};
      else begin
        enqueues = 1'b1;
        done_o = !is_vector || vector_last;
      end
    end
    if (done_o || trap_o)
      waiting_o = 2'd0;
  end
  assign late_o = retire_i && steps + 64'd1 > deadline_i;
  assign enqueue_o = enqueues;
  assign in_read_o = enqueues && loop.streamIn_on;
  assign in_end_o = end_o;
  assign in_position_o = end_o ? owned : 48'(in_at);
  assign in_bytes_o = in_bytes;
  assign in_scalar_bytes_o = stream_bytes;
  assign in_scalar_at_o = stream_at;
  assign out_write_o = enqueues && loop.streamOut_on;
  assign out_end_o = end_o;
  assign out_bytes_o = out_bytes;
  assign out_scalar_bytes_o = CountBits'(1) << word_i[8:7];
  assign out_data_o = b_i;
  assign vl_o = vl;
  assign vtype_o = {1'b0, lmul_q, sew_q};
  assign vpemask_o = vpemask;
  assign vpestride_o = vpestride;
  logic [31:0] tiles;
  acis_idle_tile u_idle_tile (
    .clk_i, .rst_ni, .advance_i(retire_i && ask_i && is_tile), .current_i(a_i),
    .required_i(value_o), .skipped_o(tiles), .total_o(tiles_total_o)
  );
  assign trace_tile_o = is_tile ? tiles : '0;

  always_ff @(posedge clk_i) begin
    if (packet_i)
      lengths_q[put_q] <= packet_bytes_i;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {in_position_q, out_position_q, owned_q, length_q, written_length_q, vl_q} <= '0;
      {vpemask_q, vpestride_q, length_written_q, vtype_valid_q, read_pending_q} <= '0;
      {vector_pending_q, conditional_q, lmul_q, sew_q, steps_q, vector_left_q} <= '0;
      {vector_position_q, set_q, get_q, put_q, lengths_count_q} <= '0;
      for (int k = 0; k < int'(MaxArgs); ++k)
        arg_q[k] <= '0;
    end else begin
      in_position_q <= in_position;
      // Nothing else moves the position while such a loop sends.
      out_position_q <= out_position - 48'(out_left_i);
      length_q <= length_now;
      owned_q <= walks ? owned_q + 48'(lengths_q[get_q]) : owned;
      get_q <= get_q + 5'(owns);
      put_q <= put_q + 5'(packet_i);
      lengths_count_q <= lengths_count_q + 6'(packet_i) - 6'(owns);
      vl_q <= vl;
      vpemask_q <= vpemask;
      vpestride_q <= vpestride;
      vtype_valid_q <= vtype_valid;
      length_written_q <= length_written;
      steps_q <= steps + 64'(retire_i) + (enqueues ? 64'(launch.iterations) : 64'd0);
      if (begins_i)
        conditional_q <= 1'b0;
      if (ask_i && done_o && is(AcisArgMask, AcisArgMatch))
        arg_q[word_i[24:20]] <= a_i;
      if (ask_i && is_csr && done_o && csr_writes)
        case (word_i[31:20])
          12'h800: begin
            written_length_q <= csr_value;
            length_written_q <= 1'b1;
          end
          12'h801: vpemask_q <= csr_value;
          12'h802: vpestride_q <= csr_value;
          default: ;
        endcase
      if (ask_i && done_o && opcode == 7'h57 && funct3 == 3'd7) begin
        vl_q <= vl_new;
        lmul_q <= word_i[22:20];
        sew_q <= word_i[24:23];
        vtype_valid_q <= 1'b1;
      end
      if (enqueues) begin
        if (launch.kind == LaunchLoop)
          set_q <= set_q + 4'd1;
        if (loop.streamIn_on)
          in_position_q <= 48'(in_at) + in_bytes;
        if (loop.streamOut_on)
          {conditional_q, out_position_q} <= {extra.sendsConditionally, out_position + out_bytes};
        if (is_vector) begin
          vector_pending_q <= !vector_last;
          vector_left_q <= vector_rest;
          vector_position_q <= args[0] + (vl << sew_q);
        end
      end
      if (ask_i && (is_tile || is_streamin) && in_scalar_o) begin
        read_pending_q <= !in_ready_i;
        if (!read_pending_q)
          in_position_q <= 48'(stream_at) + 48'(stream_bytes);
      end
      if (out_scalar_o)
        out_position_q <= out_position + 48'(out_scalar_bytes_o);
    end
  end
endmodule
