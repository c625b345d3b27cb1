// The input stream: disassembler, FIFO, aligner, and the commands that say
// which bytes belong to which loop and where an invocation ends.
//
// Wire: AXI4-Stream beats, header first, packets back to back. wire_bytes_i is the payload's
// length and is looked at with the first beat of a packet; the network layer knows it.
//
// A command is a read (position in the invocation, bytes) or an end (bytes of the packets
// that the invocation owned). The first one is worked on: bytes before a read's position,
// and what is left at an end, are dropped. At most one end is completed in a cycle.
`include "acis_assert.svh"

module acis_stream_in
  import acis_overlay_pkg::*;
  import acis_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 wire_valid_i,
  output logic                 wire_ready_o,
  input  beat_t                wire_data_i,
  input  logic                 wire_last_i,
  input  logic [31:0]          wire_bytes_i,
  output logic                 packet_o,       // a packet's first beat was taken
  output logic [31:0]          packet_bytes_o,
  input  logic                 packet_room_i,  // for its length

  // The grid
  output logic                 ready_o,        // pop_bytes_i can be popped
  input  logic [CountBits-1:0] pop_bytes_i,
  input  logic                 pop_i,
  output beat_t                data_o,

  // The scalar unit: commands, and reads of its own
  output logic                 space_post_o,   // for a command, after this cycle's pop
  output logic                 idle_o,         // no command, at the start of the cycle
  input  logic                 read_i,
  input  logic                 end_i,
  input  logic [47:0]          position_i,     // of a read; bytes of the packets of an end
  input  logic [47:0]          bytes_i,
  input  logic [31:0]          pc_i,
  input  logic                 scalar_i,       // the scalar unit reads scalar_bytes_i at position
  input  logic [2:0]           scalar_bytes_i,
  input  logic [31:0]          scalar_at_i,
  input  logic                 scalar_first_i, // it asks for the first time
  output logic                 scalar_ready_o,

  output logic                 busy_o,         // not everything was consumed or dropped
  output logic                 exhausted_o,    // nothing on the way to the aligner
  output logic [31:0]          waiting_pc_o,
  output logic [CountBits-1:0] taken_o         // bytes put into the FIFO in this cycle
);
  localparam int unsigned MaxCommands = 8;
  localparam int unsigned FillBits = CountBits + 1;
  typedef struct packed {
    logic is_end;
    logic [47:0] position;
    logic [47:0] left;
    logic [31:0] pc;
  } command_t;
  typedef struct packed {
    beat_t data;
    logic [CountBits-1:0] bytes;
  } piece_t;

  localparam int unsigned FifoBits = $clog2(FifoBeats + 1);
  localparam int unsigned PlaceBits = FifoBeats > 1 ? $clog2(FifoBeats) : 1;

  // Header off, payload in pieces
  logic [FifoBits-1:0] fifo_count_q;
  logic refills;
  piece_t moved;
  logic piece_valid, quiet, moves;
  acis_disassembler #(.Bytes(BeatBytes), .HeaderBytes(HeaderBytes)) u_disassembler (
    .clk_i, .rst_ni, .wire_valid_i, .wire_ready_o, .wire_data_i, .wire_last_i, .wire_bytes_i,
    .packet_o, .packet_room_i, .piece_valid_o(piece_valid),
    .piece_ready_i(fifo_count_q - FifoBits'(refills) < FifoBits'(FifoBeats)),
    .piece_data_o(moved.data), .piece_bytes_o(moved.bytes), .quiet_o(quiet)
  );
  assign packet_bytes_o = wire_bytes_i;
  assign moves = piece_valid && fifo_count_q - FifoBits'(refills) < FifoBits'(FifoBeats);
  assign taken_o = moves ? moved.bytes : '0;

  // FIFO
  piece_t fifo_q[FifoBeats];
  logic [PlaceBits-1:0] put_q, get_q;
  piece_t front;
  assign front = fifo_q[get_q];
  function automatic logic [PlaceBits-1:0] after(logic [PlaceBits-1:0] place);
    return 32'(place) == FifoBeats - 1 ? '0 : place + 1'b1;
  endfunction

  // Commands, the oldest first
  command_t commands_q[MaxCommands], commands_a[MaxCommands], commands_b[MaxCommands];
  logic [3:0] count_q, count_a, count_b;
  logic [47:0] consumed_q, base_q, consumed_a, consumed_b;
  logic [2*BeatBits-1:0] aligned_q;
  logic [FillBits-1:0] aligned_bytes_q, aligned_a, aligned_b, dropped;
  logic at_front, pops, scalar_pops;
  logic [CountBits-1:0] popped;
  assign at_front = count_q != '0 && !commands_q[0].is_end
                 && consumed_q == base_q + commands_q[0].position;
  assign ready_o = at_front && aligned_bytes_q >= FillBits'(pop_bytes_i);
  assign data_o = aligned_q[BeatBits-1:0];
  assign idle_o = count_q == '0;
  assign scalar_ready_o = aligned_bytes_q >= FillBits'(scalar_bytes_i)
      && (scalar_first_i ? consumed_q == base_q + 48'(scalar_at_i) : at_front);
  assign scalar_pops = scalar_i && scalar_ready_o;
  assign pops = pop_i || (scalar_pops && !scalar_first_i);
  assign popped = pop_i ? pop_bytes_i : scalar_pops ? CountBits'(scalar_bytes_i) : '0;

  always_comb begin
    // Pops
    logic leaves;
    for (int i = 0; i < int'(MaxCommands); ++i)
      commands_a[i] = commands_q[i];
    commands_a[0].left = commands_q[0].left - 48'(popped);
    commands_a[0].position = commands_q[0].position + 48'(popped);
    leaves = pops && commands_a[0].left == '0;
    if (!pops)
      commands_a[0] = commands_q[0];
    if (leaves)
      for (int i = 0; i < int'(MaxCommands) - 1; ++i)
        commands_a[i] = commands_q[i + 1];
    count_a = count_q - 4'(leaves);
    consumed_a = consumed_q + 48'(popped);
    aligned_a = aligned_bytes_q - FillBits'(popped);
  end
  assign space_post_o = count_a < 4'(MaxCommands);

  logic adds;
  assign adds = read_i || end_i || (scalar_i && scalar_first_i && !scalar_ready_o);
  logic [47:0] until_;
  logic ends;
  always_comb begin
    for (int i = 0; i < int'(MaxCommands); ++i)
      commands_b[i] = commands_a[i];
    if (adds)
      commands_b[count_a[2:0]] = '{is_end: end_i, position: scalar_i ? 48'(scalar_at_i) : position_i,
                                   left: scalar_i ? 48'(scalar_bytes_i) : bytes_i, pc: pc_i};
    count_b = count_a + 4'(adds);
    // The first command
    until_ = base_q + commands_b[0].position;
    dropped = '0;
    if (count_b != '0 && until_ > consumed_a)
      dropped = until_ - consumed_a > 48'(aligned_a) ? aligned_a : FillBits'(until_ - consumed_a);
    consumed_b = consumed_a + 48'(dropped);
    aligned_b = aligned_a - dropped;
    ends = count_b != '0 && commands_b[0].is_end && consumed_b == until_;
    refills = fifo_count_q != '0 && aligned_b + FillBits'(front.bytes) <= FillBits'(2 * BeatBytes);
  end

  logic [2*BeatBits-1:0] aligned_d;
  always_comb begin
    aligned_d = aligned_q >> {FillBits'(popped) + dropped, 3'b000};
    if (refills)
      aligned_d |= (2*BeatBits)'(front.data) << {aligned_b, 3'b000};
  end

  assign busy_o = count_q != '0;
  assign exhausted_o = quiet && fifo_count_q == '0;
  assign waiting_pc_o = count_q != '0 ? commands_q[0].pc : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {put_q, get_q, fifo_count_q, count_q, consumed_q, base_q} <= '0;
      {aligned_q, aligned_bytes_q} <= '0;
      for (int i = 0; i < int'(MaxCommands); ++i)
        commands_q[i] <= '0;
    end else begin
      if (moves)
        put_q <= after(put_q);
      if (refills)
        get_q <= after(get_q);
      fifo_count_q <= fifo_count_q + FifoBits'(moves) - FifoBits'(refills);
      for (int i = 0; i < int'(MaxCommands) - 1; ++i)
        commands_q[i] <= ends ? commands_b[i + 1] : commands_b[i];
      commands_q[MaxCommands-1] <= commands_b[MaxCommands-1];
      count_q <= count_b - 4'(ends);
      if (ends)
        base_q <= until_;
      consumed_q <= consumed_b;
      aligned_q <= aligned_d;
      aligned_bytes_q <= aligned_b + (refills ? FillBits'(front.bytes) : '0);
    end
  end
  always_ff @(posedge clk_i)
    if (moves)
      fifo_q[put_q] <= moved;

  `ACIS_ASSERT(PopIsReady_A, !pop_i || ready_o)
  `ACIS_ASSERT(CommandRoom_A, !adds || count_a < 4'(MaxCommands))
endmodule
