// What the scalar unit's instructions ask of the rest of the overlay: launches, stream
// commands, CSRs, scratch and off-chip memory, and where an invocation's packets end.
//
// ask_i presents an instruction; done_o, trap_o or neither (wait) is the answer of the same
// cycle. An instruction that waits changes nothing but what *pending_q remembers.
//
// With a pipeline what it asks (acis_ask) is a register, and so is the length of its stream accesses:
// it is looked at for a cycle, a launch for two, before it is answered. What its answer depends on is
// then a register of the array, too (space_i and the like: at the start of the cycle).
module acis_control
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_bus_pkg::*;
  import acis_isa_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  // Tables of contexts, see acis_ask
  input  config_t      cfg_i,            // of the scratch memory, too: words that are cleared
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

  // Single beats, address and data together
  output memory_request_t  memory_o,
  input  memory_response_t memory_i,

  output logic [31:0] trace_tile_o,       // tiles skipped by the tile that retires
  output logic [31:0] tiles_total_o       // and by all since reset
);
  localparam bit Pipelined = ScalarPipeline != 0;

  // State of an invocation
  logic [31:0] arg_q[Arguments];
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
  logic [31:0] lengths_q[PacketLengths];
  logic [4:0] get_q, put_q;
  logic [5:0] lengths_count_q;

  // What an invocation that begins in this cycle finds; with a pipeline it asks nothing in it
  logic begins;
  assign begins = begins_i && !Pipelined;
  logic [47:0] in_position, out_position, owned;
  logic [31:0] vl, vpemask, vpestride;
  logic vtype_valid, length_written;
  logic [63:0] steps;
  assign in_position = begins ? '0 : in_position_q;
  assign out_position = begins ? '0 : out_position_q;
  assign length_now = begins ? lengths_q[get_q] : length_q;
  assign owned = begins ? 48'(lengths_q[get_q]) : owned_q;
  assign vl = begins ? '0 : vl_q;
  assign vpemask = begins ? '1 : vpemask_q;
  assign vpestride = begins ? '0 : vpestride_q;
  assign vtype_valid = !begins && vtype_valid_q;
  assign length_written = !begins && length_written_q;
  assign steps = begins ? '0 : steps_q;

  logic walks, owns;
  assign packet_waiting_o = lengths_count_q != '0;
  assign walks = running_i && !begins_i && in_position_q > owned_q && lengths_count_q != '0;
  assign owns = begins_i || walks;
  assign owns_o = owns;
  assign packet_room_o = lengths_count_q - 6'(owns) < 6'(PacketLengths);

  // What is asked, and when it may be answered
  asked_t asked_d, asked;
  logic asks, is_argument;
  logic [47:0] in_bytes_d, out_bytes_d, in_bytes, out_bytes;
  args_t args;
  always_comb
    for (int k = 0; k < int'(Arguments); ++k)
      args[k] = arg_q[k];
  acis_ask i_ask (
    .clk_i, .cfg_we_i(ofContexts(cfg_i)), .cfg_table_i(2'(cfg_i.table_)), .cfg_index_i(cfg_i.index[7:0]),
    .cfg_data_i(cfg_i.data[159:0]), .first_context_i, .context_count_i,
    .word_i, .pc_i, .a_i, .b_i, .rd_i, .rs1_i, .cycle_i(Pipelined ? cycle_i + 64'd1 : cycle_i),
    .steps_i(steps), .deadline_i, .length_i(length_now), .in_position_i(in_position), .args_i(args),
    .set_i(set_q), .vtype_valid_i(vtype_valid), .vl_i(vl), .sew_i(sew_q), .lmul_i(lmul_q),
    .vpemask_i(vpemask), .vpestride_i(vpestride), .pending_i(vector_pending_q),
    .left_i(vector_left_q), .at_i(vector_position_q), .asked_o(asked_d)
  );
  assign in_bytes_d = 48'(asked.in_times) * 48'(asked.in_bytes);
  assign out_bytes_d = 48'(asked.out_times) * 48'(asked.out_bytes);
  assign is_argument = (word_i & AcisArgMask) == AcisArgMatch;
  logic enqueues;
  if (Pipelined) begin : g_pipeline
    logic [1:0] looked_q;          // cycles, at most 2
    assign asks = ask_i && !is_argument && (asked.launches ? looked_q[1] : looked_q != '0);
    always_ff @(posedge clk_i or negedge rst_ni)
      if (!rst_ni)
        looked_q <= '0;
      else if (!ask_i || done_o || trap_o || enqueues)
        looked_q <= '0;
      else
        looked_q <= looked_q[1] ? looked_q : looked_q + 2'd1;
    always_ff @(posedge clk_i) begin
      asked <= asked_d;
      {in_bytes, out_bytes} <= {in_bytes_d, out_bytes_d};
    end
  end else begin : g_one_cycle
    assign asks = ask_i;
    assign asked = asked_d;
    assign {in_bytes, out_bytes} = {in_bytes_d, out_bytes_d};
  end

  // Memory accesses
  logic memory_done, misaligned, outside, settled;
  logic [31:0] loaded;
  logic [2:0] bytes;
  acis_scalar_memory i_memory (
    .clk_i, .rst_ni, .clear_i(cfg_i.we && cfg_i.table_ == TableClear), .clear_index_i(cfg_i.index),
    .memory_bytes_i,
    .load_i(asks && asked.load), .store_i(asks && asked.store), .funct3_i(word_i[14:12]),
    .address_i(asked.address), .data_i(b_i),
    .done_o(memory_done), .value_o(loaded), .misaligned_o(misaligned), .outside_o(outside),
    .bytes_o(bytes), .quiet_i(idle_i && ports_idle_i), .store_idle_o,
    .settled_o(settled), .memory_o, .memory_i
  );
  always_comb begin
    launch_o = asked.launch;
    args_o = args;
    if (asked.launch.isVector) begin
      args_o = '0;
      args_o[0] = asked.vector_at;
      args_o[1] = asked.in_at;
    end
  end

  // The answer
  logic [31:0] stream_value;
  logic [47:0] sent;               // where the output is behind the launch
  logic position_known, room;
  assign in_scalar_o = asks && asked.kind == AskRead && (read_pending_q || (in_idle_i && !asked.passed));
  assign in_first_o = !read_pending_q;
  always_comb
    case (asked.bytes)
      3'd1: stream_value = {{24{word_i[22] & !asked.tile & in_data_i[7]}}, in_data_i[7:0]};
      3'd2: stream_value = {{16{word_i[22] & !asked.tile & in_data_i[15]}}, in_data_i[15:0]};
      default: stream_value = in_data_i;
    endcase
  // Behind a loop that leaves elements out the position is known when nothing is left to push.
  assign position_known = begins || !conditional_q || out_idle_i;
  assign room = space_i && (!asked.reads || in_space_i)
             && (!asked.sends || (out_space_i && position_known));
  assign sent = out_position + out_bytes;

  always_comb begin
    done_o = ask_i && is_argument;
    end_o = 1'b0;
    trap_o = 1'b0;
    {trap_code_o, trap_value_o, trap_other_o} =
        {asked.trap_code, asked.trap_value, asked.trap_other};
    waiting_o = 2'd0;
    enqueues = 1'b0;
    out_scalar_o = 1'b0;
    if (asks && !is_argument) begin
      waiting_o = 2'd3;
      unique case (asked.kind)
        AskValue: done_o = 1'b1;
        AskTrap: trap_o = 1'b1;
        AskMemory:
          if (misaligned)
            {trap_o, trap_code_o, trap_value_o} = {1'b1, TrapMisaligned, 32'd0, asked.address};
          else if (outside)
            {trap_o, trap_code_o, trap_value_o, trap_other_o} =
                {1'b1, TrapOutside, 32'd0, asked.address, 61'd0, bytes};
          else
            done_o = memory_done;
        AskResult: done_o = loops_idle_i;
        AskSync: done_o = idle_i && ports_idle_i && settled;
        AskRead: begin
          waiting_o = 2'd2;
          if (!read_pending_q && in_idle_i && asked.passed)
            {trap_o, trap_code_o, trap_value_o, trap_other_o} =
                {1'b1, TrapPassed, 32'd0, asked.at, 16'd0, in_position};
          else
            done_o = in_scalar_o && in_ready_i;
        end
        AskWrite:
          if (position_known && a_i != out_position[31:0]) begin
            {trap_o, trap_code_o, trap_value_o, trap_other_o} =
                {1'b1, TrapGap, 32'd0, a_i, 16'd0, out_position};
          end else if (position_known && out_idle_i && out_room_i) begin
            out_scalar_o = 1'b1;
            done_o = 1'b1;
          end
        AskEnd:
          if (position_known && length_written && 48'(written_length_q) != out_position) begin
            {trap_o, trap_code_o, trap_value_o, trap_other_o} =
                {1'b1, TrapLength, 32'd0, written_length_q, 16'd0, out_position};
          end else if (position_known && in_space_i && out_space_i) begin
            waiting_o = 2'd2;
            if (in_position <= owned)
              {done_o, end_o} = 2'b11;
          end
        default:
          if (!room)
            waiting_o = 2'd3;
          else if (asked.too_late)
            {trap_o, trap_code_o, trap_value_o} =
                {1'b1, TrapDeadlineLoop, 32'd0, asked.launch.iterations};
          else if (asked.reads && asked.passed)
            {trap_o, trap_code_o, trap_value_o, trap_other_o} =
                {1'b1, TrapPassed, 32'd0, asked.in_at, 16'd0, in_position};
          else if (asked.sends && asked.out_at != out_position[31:0])
            {trap_o, trap_code_o, trap_value_o, trap_other_o} =
                {1'b1, TrapGap, 32'd0, asked.out_at, 16'd0, out_position};
          else if (asked.sends && sent > MaxPacketBytes)
            {trap_o, trap_code_o, trap_value_o} = {1'b1, TrapTooLong, 16'd0, sent};
          else begin
            enqueues = 1'b1;
            done_o = asked.vector_last;
          end
      endcase
    end
    if (done_o || trap_o)
      waiting_o = 2'd0;
  end
  always_comb
    unique case (asked.kind)
      AskMemory: value_o = loaded;
      AskResult: value_o = results_i[word_i[23:20]];
      AskRead: value_o = stream_value;
      default: value_o = asked.value;
    endcase
  assign late_o = retire_i && steps + 64'd1 > deadline_i;
  assign enqueue_o = enqueues;
  assign in_read_o = enqueues && asked.reads;
  assign in_end_o = end_o;
  assign in_position_o = end_o ? owned : 48'(asked.in_at);
  assign in_bytes_o = in_bytes;
  assign in_scalar_bytes_o = asked.bytes;
  assign in_scalar_at_o = asked.at;
  assign out_write_o = enqueues && asked.sends;
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
    .clk_i, .rst_ni, .advance_i(retire_i && ask_i && asked.tile), .current_i(a_i),
    .required_i(stream_value), .skipped_o(tiles), .total_o(tiles_total_o)
  );
  assign trace_tile_o = asked.tile ? tiles : '0;

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
      for (int k = 0; k < int'(Arguments); ++k)
        arg_q[k] <= '0;
    end else begin
      in_position_q <= begins_i ? '0 : in_position;
      // Nothing else moves the position while such a loop sends.
      out_position_q <= begins_i ? '0 : out_position - 48'(out_left_i);
      length_q <= begins_i ? lengths_q[get_q] : length_q;
      owned_q <= begins_i ? 48'(lengths_q[get_q]) : walks ? owned_q + 48'(lengths_q[get_q]) : owned_q;
      get_q <= get_q + 5'(owns);
      put_q <= put_q + 5'(packet_i);
      lengths_count_q <= lengths_count_q + 6'(packet_i) - 6'(owns);
      vl_q <= begins_i ? '0 : vl;
      vpemask_q <= begins_i ? '1 : vpemask;
      vpestride_q <= begins_i ? '0 : vpestride;
      vtype_valid_q <= !begins_i && vtype_valid;
      length_written_q <= !begins_i && length_written;
      steps_q <= (begins_i ? '0 : steps) + 64'(retire_i)
               + (enqueues ? 64'(asked.launch.iterations) : 64'd0);
      if (begins_i)
        conditional_q <= 1'b0;
      if (ask_i && is_argument && 32'(word_i[24:20]) < Arguments)   // no context takes others
        arg_q[ArgBits'(word_i[24:20])] <= a_i;
      if (asks && asked.kind == AskValue) begin
        if (asked.csr_writes[0]) begin
          written_length_q <= asked.csr_value;
          length_written_q <= 1'b1;
        end
        if (asked.csr_writes[1])
          vpemask_q <= asked.csr_value;
        if (asked.csr_writes[2])
          vpestride_q <= asked.csr_value;
        if (asked.sets_vl) begin
          vl_q <= asked.value;
          lmul_q <= word_i[22:20];
          sew_q <= word_i[24:23];
          vtype_valid_q <= 1'b1;
        end
      end
      if (enqueues) begin
        if (asked.launch.kind == LaunchLoop)
          set_q <= set_q + 4'd1;
        if (asked.reads)
          in_position_q <= 48'(asked.in_at) + in_bytes;
        if (asked.sends)
          {conditional_q, out_position_q} <= {asked.conditional, sent};
        if (asked.launch.isVector) begin
          vector_pending_q <= !asked.vector_last;
          vector_left_q <= asked.vector_rest;
          vector_position_q <= asked.vector_at + (vl << sew_q);
        end
      end
      if (in_scalar_o) begin
        read_pending_q <= !in_ready_i;
        if (!read_pending_q)
          in_position_q <= 48'(asked.at) + 48'(asked.bytes);
      end
      if (out_scalar_o)
        out_position_q <= out_position + 48'(out_scalar_bytes_o);
    end
  end
endmodule
