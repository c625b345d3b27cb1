// The input stream: disassembler, FIFO, aligner, and the commands that say
// which bytes belong to which loop and where an invocation ends.
//
// Wire: AXI4-Stream beats, header first, packets back to back. wire_bytes_i is the payload's
// length and is looked at with the first beat of a packet; the network layer knows it.
//
// A command is a read (position in the invocation, bytes) or an end (bytes of the packets
// that the invocation owned). The first one is worked on: bytes before a read's position,
// and what is left at an end, are dropped. At most one end is completed in a cycle.
//
// The grid decides a pop StallLatency cycles before it is made (acis_given_in).
`include "acis_assert.svh"

module acis_stream_in
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::*;
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
  output logic                 ready_o,        // a pop of pop_bytes_i can be decided,
  input  logic [CountBits-1:0] pop_bytes_i,
  input  logic                 pop_i,          // and is
  output beat_t                data_o,         // of the pop that is made

  // The scalar unit: commands, and reads of its own
  output logic                 space_post_o,   // for a command, after this cycle's pop
  output logic                 space_o,        // at the start of the cycle
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
  localparam int unsigned AlignerBeats = 2 + StallLatency;   // of a ring of two or four
  localparam int unsigned RingBits = ByteBits + (StallLatency == 0 ? 1 : 2);   // of a byte's place there
  localparam int unsigned FillBits = RingBits + 1;
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

  // Commands, the oldest first. What counts of a position is how many bytes came to the aligner from
  // there on (negative: are still to come). A pop does not change that, so what the next command finds
  // is known before this cycle's pop is. For the first two that is counted; the others wait with where
  // they are among all bytes, which does not change.
  localparam int unsigned PlaceOf = 49;
  typedef logic signed [PlaceOf-1:0] come_t;
  typedef struct packed {
    logic is_end;
    logic at_base;               // its position is 0
    logic [47:0] left;
    logic [31:0] pc;
  } command_t;
  typedef struct packed {
    command_t command;
    come_t place;                // of all bytes
  } waiting_t;
  logic ends;                    // the first command is an end whose packets have come
  command_t added, first_q, second_q, third, fourth;
  come_t added_come, added_place, first_come_q, second_come_q, third_come, fourth_come;
  waiting_t third_waits, fourth_waits;
  logic [3:0] count_q;
  come_t come_q;                 // since the end of the packets of all invocations that ended,
  come_t base_q, total_q;        // where that is of all bytes, and how many these are
  logic [47:0] tail_q;           // where the newest command ends
  logic at_front_q;              // the first one is a read whose first byte is the aligner's
  logic [FillBits-1:0] aligned_bytes_q;

  // Pops
  logic any, pops, scalar_pops, takes, leaves, grid_pops;
  logic [CountBits-1:0] grid_bytes, popped;  // if anything is
  acis_follow #(.Width(1)) i_pops (.clk_i, .rst_ni, .d_i(pop_i), .q_o(grid_pops));
  acis_pipe #(.Width(CountBits), .Depth(StallLatency)) i_bytes
    (.clk_i, .en_i(1'b1), .d_i(pop_bytes_i), .q_o(grid_bytes));
  assign any = count_q != '0;
  assign idle_o = !any;
  assign scalar_ready_o = aligned_bytes_q >= FillBits'(scalar_bytes_i)
      && (scalar_first_i ? !any && tail_q == 48'(scalar_at_i) : at_front_q);
  assign scalar_pops = scalar_i && scalar_ready_o;
  assign takes = grid_pops || scalar_pops;
  assign pops = grid_pops || (scalar_pops && !scalar_first_i);
  // Whether the grid pops comes last, so that how much that would be does not ask.
  assign popped = scalar_i ? CountBits'(scalar_bytes_i) : grid_bytes;
  assign leaves = pops && first_q.left == 48'(popped);
  assign space_o = count_q < 4'(StreamCommands);
  assign space_post_o = space_o || leaves;

  // The command that comes in this cycle
  logic adds;
  logic [47:0] position;
  assign adds = read_i || end_i || (scalar_i && scalar_first_i && !scalar_ready_o);
  assign position = scalar_i ? 48'(scalar_at_i) : position_i;
  assign added = '{is_end: end_i, at_base: position == '0,
                   left: scalar_i ? 48'(scalar_bytes_i) : bytes_i, pc: pc_i};
  assign added_come = come_q - come_t'({1'b0, position});
  assign added_place = base_q + come_t'({1'b0, position});
  acis_command_ring #(.Width($bits(waiting_t)), .Places(StreamCommands)) i_commands (
    .clk_i, .rst_ni, .adds_i(adds), .added_i({added, added_place}),
    .leaves_i(2'(leaves) + 2'(ends)), .count_o(count_q), .third_o(third_waits), .fourth_o(fourth_waits)
  );
  always_comb begin
    third = third_waits.command;
    third_come = total_q - third_waits.place;
    fourth = fourth_waits.command;
    fourth_come = total_q - fourth_waits.place;
  end

  // Bytes before the first command's place are dropped. What is left in the aligner then, and
  // whether the FIFO's first piece has room behind it, for each command that may be the first.
  logic second_first, added_first;
  logic [FillBits-1:0] aligned_b, room;
  assign second_first = leaves && count_q > 4'd1;
  assign added_first = adds && (leaves ? count_q == 4'd1 : !any);
  assign room = FillBits'(AlignerBeats * BeatBytes) - FillBits'(front.bytes);
  function automatic logic reached(come_t come);
    return !come[PlaceOf-1];
  endfunction
  function automatic logic [FillBits-1:0] kept(come_t come);
    return reached(come) ? come[FillBits-1:0] : '0;
  endfunction
  function automatic logic fits(come_t come);
    return !reached(come) || come[FillBits-1:0] <= room;
  endfunction
  always_comb begin
    logic fits_b;
    if (second_first)
      {aligned_b, fits_b} = {kept(second_come_q), fits(second_come_q)};
    else if (added_first)
      {aligned_b, fits_b} = {kept(added_come), fits(added_come)};
    else if (takes)
      {aligned_b, fits_b} = {aligned_bytes_q - FillBits'(popped),
                             aligned_bytes_q - FillBits'(popped) <= room};
    else if (any)
      {aligned_b, fits_b} = {kept(first_come_q), fits(first_come_q)};
    else
      {aligned_b, fits_b} = {aligned_bytes_q, aligned_bytes_q <= room};
    refills = fifo_count_q != '0 && fits_b;
    ends = second_first ? second_q.is_end && reached(second_come_q)
         : added_first ? end_i && reached(added_come)
         : any && first_q.is_end && reached(first_come_q);
  end

  // The front in the next cycle: a read that was reached, or one that begins where an end was.
  // What follows an end that is completed, or what comes in this cycle behind it, begins there.
  logic at_front, added_base, second_base, third_base;
  assign added_base = adds && added.at_base && !end_i;
  assign second_base = count_q > 4'd1 ? second_q.at_base && !second_q.is_end : added_base;
  assign third_base = count_q > 4'd2 ? third.at_base && !third.is_end : added_base;
  always_comb begin
    if (second_first)
      at_front = ends ? third_base
                      : reached(second_come_q) && !second_q.is_end;
    else if (added_first)
      at_front = reached(added_come) && !end_i;
    else if (any && !leaves)
      at_front = ends ? second_base
                      : reached(first_come_q) && !first_q.is_end;
    else
      at_front = 1'b0;
  end

  // The aligner is a ring of bytes: pieces go in at end_q, pops take from begin_q on. Only where
  // these are, not where the bytes stand, depends on this cycle's pop.
  localparam int unsigned RingBytes = 1 << RingBits;
  typedef logic [RingBits-1:0] ring_t;   // a place in the ring
  logic [RingBytes-1:0][7:0] ring_q;
  ring_t begin_q, end_q;
  // The ring is whole beats. A beat that begins in one and ends in the next has each byte at its place
  // in a beat (ringed), from which it is turned to the front; one that goes in is turned to its places.
  beat_t ringed, turned;
  logic [ByteBits-1:0] from, to;
  logic [2*BeatBits-1:0] fronted, placed;
  assign from = begin_q[ByteBits-1:0];
  assign to = end_q[ByteBits-1:0];
  always_comb
    for (int b = 0; b < int'(BeatBytes); ++b)
      ringed[b*8 +: 8] = ring_q[{begin_q[RingBits-1:ByteBits] + (RingBits - ByteBits)'(ByteBits'(b) < from),
                                 ByteBits'(b)}];
  assign fronted = {ringed, ringed} >> {from, 3'b000};
  assign data_o = fronted[BeatBits-1:0];
  assign placed = {front.data, front.data} << {to, 3'b000};
  assign turned = placed[2*BeatBits-1:BeatBits];
  logic [BeatBytes-1:0] bytes_on;
  logic [2*RingBytes-1:0] places;
  always_comb
    for (int b = 0; b < int'(BeatBytes); ++b)
      bytes_on[b] = CountBits'(b) < front.bytes;
  assign places = (2*RingBytes)'(bytes_on) << end_q;
  logic unused;
  assign unused = ^{fronted[2*BeatBits-1:BeatBits], placed[BeatBits-1:0]};
  always_ff @(posedge clk_i)
    for (int b = 0; b < int'(RingBytes); ++b)
      if (refills && (places[b] || places[b + int'(RingBytes)]))
        ring_q[b] <= turned[b % int'(BeatBytes) * 8 +: 8];

  assign busy_o = count_q != '0;
  assign exhausted_o = quiet && fifo_count_q == '0;
  assign waiting_pc_o = count_q != '0 ? first_q.pc : '0;

  logic [FillBits-1:0] more;       // bytes that come to the aligner
  assign more = refills ? FillBits'(front.bytes) : '0;

  // What the grid may take
  if (StallLatency != 0) begin : g_given
    acis_given_in #(.FillBits(FillBits)) i_given (
      .clk_i, .rst_ni, .ready_o, .given_i(pop_bytes_i), .gives_i(pop_i), .adds_i(adds), .end_i,
      .joins_i(position == tail_q), .bytes_i(added.left), .leaves_i(leaves && !grid_pops),
      .ends_i(ends), .count_i(count_q), .at_front_i(at_front_q), .aligned_i(aligned_b + more),
      .popped_i(grid_pops ? grid_bytes : '0)
    );
  end else begin : g_ready
    assign ready_o = at_front_q && aligned_bytes_q >= FillBits'(pop_bytes_i);
  end

  // The first two commands of the next cycle. The bytes of one that is popped of are the aligner's.
  command_t first_d, second_d;
  come_t first_come_d, second_come_d;
  logic [3:0] left_over;           // commands that stay
  assign left_over = count_q - 4'(leaves) - 4'(ends);
  always_comb begin
    unique case ({leaves && ends, leaves || ends})
      2'b11: {first_d, first_come_d, second_d, second_come_d} = {third, third_come, fourth, fourth_come};
      2'b01: {first_d, first_come_d, second_d, second_come_d} = {second_q, second_come_q, third, third_come};
      default: {first_d, first_come_d, second_d, second_come_d} =
          {first_q, pops ? come_t'({1'b0, aligned_b}) : first_come_q, second_q, second_come_q};
    endcase
    if (pops && !leaves)
      first_d.left = first_q.left - 48'(popped);
    if (adds && left_over == 4'd0)
      {first_d, first_come_d} = {added, added_come};
    if (adds && left_over == 4'd1)
      {second_d, second_come_d} = {added, added_come};
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {put_q, get_q, fifo_count_q, at_front_q, tail_q, come_q} <= '0;
      {begin_q, end_q, aligned_bytes_q, base_q, total_q} <= '0;
      {first_q, second_q, first_come_q, second_come_q} <= '0;
    end else begin
      if (moves)
        put_q <= after(put_q);
      if (refills)
        get_q <= after(get_q);
      fifo_count_q <= fifo_count_q + FifoBits'(moves) - FifoBits'(refills);
      first_q <= first_d;
      second_q <= second_d;
      first_come_q <= first_come_d + come_t'({1'b0, more});
      second_come_q <= second_come_d + come_t'({1'b0, more});
      come_q <= (end_i ? added_come : come_q) + come_t'({1'b0, more});
      base_q <= end_i ? added_place : base_q;
      total_q <= total_q + come_t'({1'b0, more});
      if (adds || (scalar_pops && scalar_first_i))   // which is at tail_q
        tail_q <= end_i ? '0 : position + added.left;
      at_front_q <= at_front;
      begin_q <= end_q - ring_t'(aligned_b);
      end_q <= end_q + ring_t'(more);
      aligned_bytes_q <= aligned_b + more;
    end
  end
  always_ff @(posedge clk_i)
    if (moves)
      fifo_q[put_q] <= moved;

  `ACIS_ASSERT(PopIsReady_A, !pop_i || ready_o)
  `ACIS_ASSERT(PopIsThere_A, !grid_pops || (at_front_q && aligned_bytes_q >= FillBits'(grid_bytes)))
  `ACIS_ASSERT(OnePop_A, !(grid_pops && scalar_i))
  `ACIS_ASSERT(CommandRoom_A, !adds || space_post_o)
  `ACIS_ASSERT(NotPassed_A, !adds || position >= tail_q)
  `ACIS_ASSERT(FrontIsAligned_A, !at_front_q || first_come_q == come_t'({1'b0, aligned_bytes_q}))
endmodule
