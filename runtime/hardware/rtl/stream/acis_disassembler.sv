// Shifts the header off a packet across beats: beats with header in, the payload's bytes
// without gaps out. Headers of any length; the distance of the shift is fixed, so it is wires.
//
// A piece is a beat of payload, or what is left at a packet's end. A packet's last wire beat
// can complete two pieces, which then leave one after the other; the wire waits if the next
// beat could bring more than there is room for. A piece may leave in the cycle of its beat.
`include "acis_assert.svh"

module acis_disassembler #(
  parameter int unsigned Bytes       = 64,   // of a beat
  parameter int unsigned HeaderBytes = 42
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,

  input  logic                       wire_valid_i,
  output logic                       wire_ready_o,
  input  logic [Bytes*8-1:0]         wire_data_i,
  input  logic                       wire_last_i,
  input  logic [31:0]                wire_bytes_i,   // of the payload, beside the first beat
  output logic                       packet_o,       // the first beat was taken
  input  logic                       packet_room_i,  // may be

  output logic                       piece_valid_o,
  input  logic                       piece_ready_i,
  output logic [Bytes*8-1:0]         piece_data_o,   // bytes past piece_bytes_o are anything
  output logic [$clog2(Bytes+1)-1:0] piece_bytes_o,
  output logic                       quiet_o         // the same at the start of the cycle
);
  localparam int unsigned Whole  = HeaderBytes / Bytes;   // beats of header alone
  localparam int unsigned Offset = HeaderBytes % Bytes;   // of the payload in the beat behind
  localparam int unsigned Keep   = Offset == 0 ? 0 : Bytes - Offset;
  localparam int unsigned Count  = $clog2(Bytes + 1);
  typedef struct packed {
    logic [Bytes*8-1:0] data;
    logic [Count-1:0] bytes;
  } piece_t;

  // The beat of the wire
  localparam int unsigned IndexBits = $clog2(Whole + 2);
  logic [IndexBits-1:0] index_q;               // of the beat, up to Whole + 1
  logic [31:0] left_q, left;                   // wire bytes of the packet from this beat on
  logic first_q, taken, done, header, mixed;
  logic [Count-1:0] count;                     // bytes of the packet in this beat
  assign left = first_q ? wire_bytes_i + HeaderBytes : left_q;
  assign taken = wire_valid_i && wire_ready_o;
  assign done = left <= Bytes;
  assign count = done ? Count'(left) : Count'(Bytes);
  assign header = Whole != 0 && 32'(index_q) < Whole;
  assign mixed = Offset != 0 && 32'(index_q) == Whole;

  // What it completes, and what it leaves, which behind the header is a piece if the packet ends
  logic [Bytes*8-1:0] rest_q, rest;
  logic [2*Bytes*8-1:0] merged;
  logic [Count:0] sum;
  piece_t made[2];
  logic [1:0] number;
  assign merged = (2*Bytes*8)'(rest_q) | ((2*Bytes*8)'(wire_data_i) << (Keep * 8));
  assign rest = merged[2*Bytes*8-1:Bytes*8];
  always_comb begin
    sum = (Count+1)'(Keep) + (Count+1)'(count);
    made[0] = '{data: merged[Bytes*8-1:0], bytes: Count'(Bytes)};
    made[1] = '{data: rest, bytes: Count'(sum - (Count+1)'(Bytes))};
    number = '0;
    if (taken && mixed) begin
      made[0] = '{data: rest, bytes: count - Count'(Offset)};
      number = 2'(done && count > Count'(Offset));
    end else if (taken && !header) begin
      if (sum < (Count+1)'(Bytes))
        made[0].bytes = Count'(sum);
      number = done && sum > (Count+1)'(Bytes) ? 2'd2 : 2'(sum != '0);
    end
  end
  assign packet_o = taken && first_q;

  // Pieces that wait
  piece_t waiting_q[3], waiting[3];
  logic [1:0] waits_q, waits;
  logic moves;
  assign wire_ready_o = waits_q < 2'd2 && (!first_q || packet_room_i);
  always_comb begin
    for (int i = 0; i < 3; ++i)
      waiting[i] = waiting_q[i];
    waits = waits_q;
    for (int i = 0; i < 2; ++i)
      if (2'(i) < number) begin
        waiting[waits] = made[i];
        waits = waits + 2'd1;
      end
  end
  assign piece_valid_o = waits != '0;
  assign piece_data_o = waiting[0].data;
  assign piece_bytes_o = waiting[0].bytes;
  assign moves = piece_valid_o && piece_ready_i;
  assign quiet_o = waits_q == '0 && first_q;

  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      {index_q, left_q, rest_q, waits_q} <= '0;
      first_q <= 1'b1;
      for (int i = 0; i < 3; ++i)
        waiting_q[i] <= '0;
    end else begin
      if (taken) begin
        first_q <= done;
        index_q <= done ? '0 : index_q + IndexBits'(32'(index_q) <= Whole);
        left_q <= left - Bytes;
        if (!header)
          rest_q <= rest;
      end
      for (int i = 0; i < 2; ++i)
        waiting_q[i] <= moves ? waiting[i+1] : waiting[i];
      waiting_q[2] <= waiting[2];
      waits_q <= waits - 2'(moves);
    end

  `ACIS_ASSERT(LastIsLast_A, !taken || done == wire_last_i)
endmodule
