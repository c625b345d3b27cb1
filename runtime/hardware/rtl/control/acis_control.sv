// What the scalar unit's instructions ask of the rest of the overlay: launches, stream
// commands, CSRs, scratch and off-chip memory, and where an invocation's packets end.
//
// ask_i presents an instruction; answer_o.done, trap_o or neither (wait) is the answer of the same
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
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // Tables of contexts, see acis_ask
  input  config_t              cfg_i,             // of the scratch memory, too: words that are cleared
  input  handler_t             handler_i,
  input  logic [63:0]          cycle_i,

  // Packets: lengths of those whose header was seen
  input  packet_t              packet_i,
  output logic                 packet_room_o,
  output logic                 packet_waiting_o,
  output logic                 owns_o,

  // Scalar unit
  input  logic                 begins_i,
  input  logic                 running_i,
  input  logic                 retire_i,
  input  instruction_t         ask_i,
  output answer_t              answer_o,
  output scalar_trap_t         trap_o,
  output logic                 late_o,            // the instruction that retires is past the deadline

  output vector_state_t        vector_o,

  // Sequencer
  output enqueue_t             enqueue_o,
  output args_t                args_o,
  input  queue_t               queue_i,
  input  logic [15:0][31:0]    results_i,

  // Streams
  input  logic                 in_space_i,        // for a command
  input  logic                 in_idle_i,
  output in_command_t          in_command_o,
  output scalar_read_t         in_read_o,
  input  logic                 in_ready_i,
  input  logic [31:0]          in_data_i,
  input  logic                 out_space_i,
  input  logic                 out_idle_i,
  input  logic                 out_room_i,        // for what the scalar unit writes
  input  logic [CountBits-1:0] out_left_i,        // bytes that a loop leaves out in this cycle
  output out_command_t         out_command_o,
  output logic                 out_scalar_o,      // writes out_write_o
  output scalar_write_t        out_write_o,

  // Memory ports of the PEs have nothing to do, this cycle's work included
  input  logic                 ports_idle_i,
  output logic                 store_idle_o,      // the scalar unit's stores are acknowledged

  // Single beats, address and data together
  output memory_request_t      memory_o,
  input  memory_response_t     memory_i,

  output tiles_t               tiles_o
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
  logic signed [64:0] steps_left_q; // until the deadline, behind which a launch may go by one
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
  logic signed [64:0] steps_left, deadline;
  assign in_position = begins ? '0 : in_position_q;
  assign out_position = begins ? '0 : out_position_q;
  assign length_now = begins ? lengths_q[get_q] : length_q;
  assign owned = begins ? 48'(lengths_q[get_q]) : owned_q;
  assign vl = begins ? '0 : vl_q;
  assign vpemask = begins ? '1 : vpemask_q;
  assign vpestride = begins ? '0 : vpestride_q;
  assign vtype_valid = !begins && vtype_valid_q;
  assign length_written = !begins && length_written_q;
  assign deadline = $signed({1'b0, handler_i.deadline});
  assign steps_left = begins ? deadline : steps_left_q;

  logic walks, owns;
  assign packet_waiting_o = lengths_count_q != '0;
  assign walks = running_i && !begins_i && in_position_q > owned_q && lengths_count_q != '0;
  assign owns = begins_i || walks;
  assign owns_o = owns;
  assign packet_room_o = lengths_count_q - 6'(owns) < 6'(PacketLengths);

  // What is asked, and when it may be answered
  logic done, ends, traps;
  logic [1:0] waiting;
  logic [4:0] trap_code;
  logic [63:0] trap_value, trap_other;
  logic [31:0] value;
  asked_t asked_d, asked;
  logic asks, is_argument;
  logic [47:0] in_bytes_d, out_bytes_d, in_bytes, out_bytes;
  args_t args;
  always_comb
    for (int k = 0; k < int'(Arguments); ++k)
      args[k] = arg_q[k];
  acis_ask i_ask (
    .clk_i, .cfg_we_i(ofContexts(cfg_i)), .cfg_table_i(2'(cfg_i.table_)), .cfg_index_i(cfg_i.index[7:0]),
    .cfg_data_i(cfg_i.data[159:0]), .first_context_i(handler_i.first_context),
    .context_count_i(handler_i.context_count), .word_i(ask_i.word), .pc_i(ask_i.pc), .a_i(ask_i.a),
    .b_i(ask_i.b),
    .rd_i(ask_i.rd), .rs1_i(ask_i.rs1), .cycle_i(Pipelined ? cycle_i + 64'd1 : cycle_i),
    .steps_left_i(steps_left), .length_i(length_now), .in_position_i(in_position),
    .args_i(args),
    .set_i(set_q), .vtype_valid_i(vtype_valid), .vl_i(vl), .sew_i(sew_q), .lmul_i(lmul_q),
    .vpemask_i(vpemask), .vpestride_i(vpestride), .pending_i(vector_pending_q),
    .left_i(vector_left_q), .at_i(vector_position_q), .asked_o(asked_d)
  );
  assign in_bytes_d = 48'(asked.in_times) * 48'(asked.in_bytes);
  assign out_bytes_d = 48'(asked.out_times) * 48'(asked.out_bytes);
  assign is_argument = (ask_i.word & AcisArgMask) == AcisArgMatch;
  logic enqueues;
  if (Pipelined) begin : g_pipeline
    logic [1:0] looked_q;          // cycles, at most 2
    assign asks = ask_i.on && !is_argument && (asked.launches ? looked_q[1] : looked_q != '0);
    always_ff @(posedge clk_i or negedge rst_ni)
      if (!rst_ni)
        looked_q <= '0;
      else if (!ask_i.on || done || traps || enqueues)
        looked_q <= '0;
      else
        looked_q <= looked_q[1] ? looked_q : looked_q + 2'd1;
    always_ff @(posedge clk_i) begin
      asked <= asked_d;
      {in_bytes, out_bytes} <= {in_bytes_d, out_bytes_d};
    end
  end else begin : g_one_cycle
    assign asks = ask_i.on;
    assign asked = asked_d;
    assign {in_bytes, out_bytes} = {in_bytes_d, out_bytes_d};
  end

  // Memory accesses
  logic memory_done, misaligned, outside, settled;
  logic [31:0] loaded;
  logic [2:0] bytes;
  acis_scalar_memory i_memory (
    .clk_i, .rst_ni, .clear_i(cfg_i.we && cfg_i.table_ == TableClear), .clear_index_i(cfg_i.index),
    .memory_bytes_i(handler_i.memory_bytes),
    .load_i(asks && asked.load), .store_i(asks && asked.store), .funct3_i(ask_i.word[14:12]),
    .address_i(asked.address), .data_i(ask_i.b),
    .done_o(memory_done), .value_o(loaded), .misaligned_o(misaligned), .outside_o(outside),
    .bytes_o(bytes), .quiet_i(queue_i.idle && ports_idle_i), .store_idle_o,
    .settled_o(settled), .memory_o, .memory_i
  );
  always_comb begin
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
  logic position_known, room, in_scalar;
  assign in_scalar = asks && asked.kind == AskRead && (read_pending_q || (in_idle_i && !asked.passed));
  always_comb
    case (asked.bytes)
      3'd1: stream_value = {{24{ask_i.word[22] & !asked.tile & in_data_i[7]}}, in_data_i[7:0]};
      3'd2: stream_value = {{16{ask_i.word[22] & !asked.tile & in_data_i[15]}}, in_data_i[15:0]};
      default: stream_value = in_data_i;
    endcase
  // Behind a loop that leaves elements out the position is known when nothing is left to push.
  assign position_known = begins || !conditional_q || out_idle_i;
  assign room = queue_i.space && (!asked.reads || in_space_i)
             && (!asked.sends || (out_space_i && position_known));
  assign sent = out_position + out_bytes;

  always_comb begin
    done = ask_i.on && is_argument;
    ends = 1'b0;
    traps = 1'b0;
    {trap_code, trap_value, trap_other} =
        {asked.trap_code, asked.trap_value, asked.trap_other};
    waiting = 2'd0;
    enqueues = 1'b0;
    out_scalar_o = 1'b0;
    if (asks && !is_argument) begin
      waiting = 2'd3;
      unique case (asked.kind)
        AskValue: done = 1'b1;
        AskTrap: traps = 1'b1;
        AskMemory:
          if (misaligned)
            {traps, trap_code, trap_value} = {1'b1, TrapMisaligned, 32'd0, asked.address};
          else if (outside)
            {traps, trap_code, trap_value, trap_other} =
                {1'b1, TrapOutside, 32'd0, asked.address, 61'd0, bytes};
          else
            done = memory_done;
        AskResult: done = queue_i.loops_idle;
        AskSync: done = queue_i.idle && ports_idle_i && settled;
        AskRead: begin
          waiting = 2'd2;
          if (!read_pending_q && in_idle_i && asked.passed)
            {traps, trap_code, trap_value, trap_other} =
                {1'b1, TrapPassed, 32'd0, asked.at, 16'd0, in_position};
          else
            done = in_scalar && in_ready_i;
        end
        AskWrite:
          if (position_known && ask_i.a != out_position[31:0]) begin
            {traps, trap_code, trap_value, trap_other} =
                {1'b1, TrapGap, 32'd0, ask_i.a, 16'd0, out_position};
          end else if (position_known && out_idle_i && out_room_i) begin
            out_scalar_o = 1'b1;
            done = 1'b1;
          end
        AskEnd:
          if (position_known && length_written && 48'(written_length_q) != out_position) begin
            {traps, trap_code, trap_value, trap_other} =
                {1'b1, TrapLength, 32'd0, written_length_q, 16'd0, out_position};
          end else if (position_known && in_space_i && out_space_i) begin
            waiting = 2'd2;
            if (in_position <= owned)
              {done, ends} = 2'b11;
          end
        default:
          if (!room)
            waiting = 2'd3;
          else if (asked.too_late)
            {traps, trap_code, trap_value} =
                {1'b1, TrapDeadlineLoop, 32'd0, asked.launch.iterations};
          else if (asked.reads && asked.passed)
            {traps, trap_code, trap_value, trap_other} =
                {1'b1, TrapPassed, 32'd0, asked.in_at, 16'd0, in_position};
          else if (asked.sends && asked.out_at != out_position[31:0])
            {traps, trap_code, trap_value, trap_other} =
                {1'b1, TrapGap, 32'd0, asked.out_at, 16'd0, out_position};
          else if (asked.sends && sent > MaxPacketBytes)
            {traps, trap_code, trap_value} = {1'b1, TrapTooLong, 16'd0, sent};
          else begin
            enqueues = 1'b1;
            done = asked.vector_last;
          end
      endcase
    end
    if (done || traps)
      waiting = 2'd0;
  end
  always_comb
    unique case (asked.kind)
      AskMemory: value = loaded;
      AskResult: value = results_i[ask_i.word[23:20]];
      AskRead: value = stream_value;
      default: value = asked.value;
    endcase
  assign late_o = retire_i && steps_left <= 65'sd0;
  assign answer_o = '{done: done, end_: ends, value: value, waiting: waiting};
  assign trap_o = '{on: traps, code: trap_code, value: trap_value, other: trap_other};
  assign enqueue_o = '{on: enqueues, launch: asked.launch};
  assign in_command_o = '{read: enqueues && asked.reads, end_: ends,
                          position: ends ? owned : 48'(asked.in_at), bytes: in_bytes};
  assign in_read_o = '{on: in_scalar, first: !read_pending_q, bytes: asked.bytes, at: asked.at};
  assign out_command_o = '{write: enqueues && asked.sends, end_: ends, bytes: out_bytes};
  assign out_write_o = '{bytes: CountBits'(1) << ask_i.word[8:7], data: ask_i.b};
  assign vector_o = '{vl: vl, vtype: {1'b0, lmul_q, sew_q}, vpemask: vpemask, vpestride: vpestride};
  logic [31:0] tiles, tiles_total;
  acis_idle_tile u_idle_tile (
    .clk_i, .rst_ni, .advance_i(retire_i && ask_i.on && asked.tile), .current_i(ask_i.a),
    .required_i(stream_value), .skipped_o(tiles), .total_o(tiles_total)
  );
  assign tiles_o = '{now: asked.tile ? tiles : '0, total: tiles_total};

  always_ff @(posedge clk_i) begin
    if (packet_i.on)
      lengths_q[put_q] <= packet_i.bytes;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {in_position_q, out_position_q, owned_q, length_q, written_length_q, vl_q} <= '0;
      {vpemask_q, vpestride_q, length_written_q, vtype_valid_q, read_pending_q} <= '0;
      {vector_pending_q, conditional_q, lmul_q, sew_q, steps_left_q, vector_left_q} <= '0;
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
      put_q <= put_q + 5'(packet_i.on);
      lengths_count_q <= lengths_count_q + 6'(packet_i.on) - 6'(owns);
      vl_q <= begins_i ? '0 : vl;
      vpemask_q <= begins_i ? '1 : vpemask;
      vpestride_q <= begins_i ? '0 : vpestride;
      vtype_valid_q <= !begins_i && vtype_valid;
      length_written_q <= !begins_i && length_written;
      steps_left_q <= (begins_i ? deadline : steps_left) - $signed({64'd0, retire_i})
                    - (enqueues ? $signed({33'd0, asked.launch.iterations}) : 65'sd0);
      if (begins_i)
        conditional_q <= 1'b0;
      if (ask_i.on && is_argument && 32'(ask_i.word[24:20]) < Arguments)   // no context takes others
        arg_q[ArgBits'(ask_i.word[24:20])] <= ask_i.a;
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
          lmul_q <= ask_i.word[22:20];
          sew_q <= ask_i.word[24:23];
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
      if (in_scalar) begin
        read_pending_q <= !in_ready_i;
        if (!read_pending_q)
          in_position_q <= 48'(asked.at) + 48'(asked.bytes);
      end
      if (out_scalar_o)
        out_position_q <= out_position + 48'(out_write_o.bytes);
    end
  end
endmodule
