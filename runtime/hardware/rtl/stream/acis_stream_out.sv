// The output stream: packer, FIFO, and the commands that say how many bytes belong together
// and where a packet ends.
//
// A full beat goes into the FIFO in the cycle of the push and may leave in it. An end puts
// a partial beat into the FIFO; if there is none it marks the newest beat, and if that has
// left, eop_o tells it alone. The header is put on outside (acis_assembler).
//
// The grid decides a push StallLatency cycles before it is made (acis_given_out).
`include "acis_assert.svh"

module acis_stream_out
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // The grid
  output logic                 ready_o,        // a push of push_bytes_i can be decided,
  input  logic [CountBits-1:0] push_bytes_i,
  input  logic                 push_i,         // and is
  input  logic                 sends_i,        // of the push that is made; else its bytes are left out
  input  beat_t                push_data_i,
  output logic [CountBits-1:0] kept_o,         // bytes of the push that is made,
  output logic [CountBits-1:0] left_out_o,     // or that are left out

  // The scalar unit
  output logic                 space_post_o,   // for a command, after this cycle's push
  output logic                 space_o,        // at the start of the cycle
  output logic                 idle_o,         // nothing was to be pushed at the start of the cycle
  output logic                 room_o,         // for scalar_bytes_i
  input  logic                 write_i,        // bytes_i will be pushed
  input  logic                 end_i,
  input  logic [47:0]          bytes_i,
  input  logic                 scalar_i,       // pushes scalar_bytes_i, needs no command
  input  logic [CountBits-1:0] scalar_bytes_i,
  input  logic [31:0]          scalar_data_i,

  // Out
  output logic                 valid_o,
  input  logic                 ready_i,
  output beat_t                data_o,
  output logic [CountBits-1:0] bytes_o,
  output logic                 last_o,
  output logic                 eop_o,          // the packet ended with the beat before
  output logic                 busy_o,
  output logic                 full_beat_o,    // counted in this cycle
  output logic                 partial_beat_o
);
  localparam int unsigned FifoBits = $clog2(FifoBeats + 2);
  // One more than FifoBeats for the beat that passes through, and as many in each bank
  localparam int unsigned Entries = (FifoBeats + 2) / 2 * 2;
  localparam int unsigned PlaceBits = $clog2(Entries);
  typedef struct packed {
    logic is_end;
    logic [47:0] left;
  } command_t;
  typedef struct packed {
    beat_t data;
    logic [CountBits-1:0] bytes;
  } entry_t;

  beat_t partial_q, partial_a;
  logic [CountBits-1:0] partial_bytes_q, partial_bytes_a, pushed;
  logic [CountBits:0] sum;
  beat_t turned, full;
  // Whether something is pushed at all comes last: from an operand of the slot, or when array time goes on.
  // What it would be, and what would be left of it, is found beside that.
  logic any_push, reaches, fills, keeps;
  logic [CountBits-1:0] behind_push;   // bytes that it leaves
  beat_t push_data;
  logic made;                      // a push of the grid
  logic [CountBits-1:0] made_bytes;
  acis_follow #(.Width(1)) i_pushes (.clk_i, .rst_ni, .d_i(push_i), .q_o(made));
  acis_pipe #(.Width(CountBits), .Depth(StallLatency)) i_bytes
    (.clk_i, .en_i(1'b1), .d_i(push_bytes_i), .q_o(made_bytes));
  assign keeps = made && sends_i;
  assign kept_o = keeps ? made_bytes : '0;
  assign left_out_o = made && !sends_i ? made_bytes : '0;
  assign any_push = keeps || scalar_i;
  assign pushed = scalar_i ? scalar_bytes_i : made_bytes;
  always_comb begin
    push_data = scalar_i ? BeatBits'(scalar_data_i) : push_data_i;
    for (int b = 0; b < int'(BeatBytes); ++b)
      if (CountBits'(b) >= pushed)
        push_data[b*8 +: 8] = '0;
    turned = BeatBits'(({push_data, push_data} << {partial_bytes_q[ByteBits-1:0], 3'b000}) >> BeatBits);
    sum = (CountBits+1)'(partial_bytes_q) + (CountBits+1)'(pushed);
    reaches = sum >= (CountBits+1)'(BeatBytes);
    behind_push = reaches ? CountBits'(sum - (CountBits+1)'(BeatBytes)) : CountBits'(sum);
    fills = any_push && reaches;
    // What a full beat leaves, or what there is with the push behind it
    for (int b = 0; b < int'(BeatBytes); ++b) begin
      logic behind, comes, stays;
      behind = CountBits'(b) >= partial_bytes_q;
      comes = any_push && behind != reaches;
      stays = !any_push || !(behind || reaches);
      full[b*8 +: 8] = behind ? turned[b*8 +: 8] : partial_q[b*8 +: 8];
      partial_a[b*8 +: 8] = comes ? turned[b*8 +: 8] : stays ? partial_q[b*8 +: 8] : '0;
    end
    partial_bytes_a = any_push ? behind_push : partial_bytes_q;
  end

  // Commands, the oldest first. What the first one is behind a push that it ends with is known before
  // it is known whether the push does that.
  command_t added, first_q, second_q, first_d, second_d, third, fourth;
  logic [3:0] count_q, count_a;
  logic adds, leaves, is_end, ends;
  assign leaves = made && first_q.left == 48'(made_bytes);
  assign adds = write_i || end_i;
  assign count_a = count_q - 4'(leaves);
  assign is_end = leaves ? (count_q > 4'd1 ? second_q.is_end : end_i)
                         : (count_q != '0 ? first_q.is_end : end_i);
  assign added = '{is_end: end_i, left: bytes_i};
  acis_command_ring #(.Width($bits(command_t)), .Places(StreamCommands)) i_commands (
    .clk_i, .rst_ni, .adds_i(adds), .added_i(added), .leaves_i(2'(leaves) + 2'(ends)),
    .count_o(count_q), .third_o(third), .fourth_o(fourth)
  );
  logic [3:0] left_over;           // commands that stay
  assign left_over = count_a - 4'(ends);
  always_comb begin
    {first_d, second_d} = leaves && ends ? {third, fourth}
                        : leaves || ends ? {second_q, third} : {first_q, second_q};
    if (made && !leaves)
      first_d.left = first_q.left - 48'(made_bytes);
    if (adds && left_over == 4'd0)
      first_d = added;
    if (adds && left_over == 4'd1)
      second_d = added;
  end

  // FIFO: entries from get_q to put_q. A cycle can put in a full beat and the partial one behind it, so
  // even and odd places are a memory each; which of them end a packet may be known later.
  entry_t even_q[Entries / 2], odd_q[Entries / 2];
  logic [Entries-1:0] last_q;
  logic [PlaceBits-1:0] get_q, put_q, put_a;
  logic [FifoBits-1:0] fifo_count_q, fifo_c;
  logic leaves_now, flushes;
  // What stands there behind a full beat that comes and one that leaves, which are known late
  typedef struct packed {
    logic [FifoBits-1:0] count, more;   // more: with a partial beat behind them
    logic empty, room;
  } fill_t;
  function automatic fill_t filled(logic [FifoBits-1:0] count);
    return '{count: count, more: count + 1'b1, empty: count == '0, room: 32'(count) < FifoBeats};
  endfunction
  fill_t one_less, as_before, one_more, fill;
  assign one_less = filled(fifo_count_q - 1'b1);
  assign as_before = filled(fifo_count_q);
  assign one_more = filled(fifo_count_q + 1'b1);
  function automatic logic [PlaceBits-1:0] after(logic [PlaceBits-1:0] place);
    return 32'(place) == Entries - 1 ? '0 : place + 1'b1;
  endfunction
  function automatic logic [PlaceBits-1:0] ahead(logic [PlaceBits-1:0] place);
    return place == '0 ? PlaceBits'(Entries - 1) : place - 1'b1;
  endfunction
  assign put_a = fills ? after(put_q) : put_q;
  entry_t full_entry, rest_entry, head;
  assign full_entry = '{data: full, bytes: CountBits'(BeatBytes)};
  assign rest_entry = '{data: partial_a, bytes: partial_bytes_a};
  assign head = fifo_count_q == '0 ? full_entry
              : get_q[0] ? odd_q[get_q[PlaceBits-1:1]] : even_q[get_q[PlaceBits-1:1]];
  assign valid_o = fills || !as_before.empty;
  assign leaves_now = valid_o && ready_i;
  assign fill = fills == leaves_now ? as_before : fills ? one_more : one_less;
  logic rest;                      // there is a partial beat
  assign rest = any_push ? behind_push != '0 : partial_bytes_q != '0;
  assign flushes = is_end && rest && fill.room;
  assign ends = is_end && (!rest || fill.room);
  assign fifo_c = flushes ? fill.more : fill.count;

  logic finished, marks;           // the packet ends with the newest beat, which becomes the last of its packet
  assign finished = is_end && !rest;
  assign marks = finished && !fill.empty;
  assign data_o = head.data;
  assign bytes_o = head.bytes;
  assign last_o = (fifo_count_q != '0 && last_q[get_q]) || (finished && fill.empty);
  assign eop_o = finished && fill.empty && !leaves_now;

  function automatic logic roomFor(logic [CountBits-1:0] bytes);
    return (CountBits+1)'(partial_bytes_q) + (CountBits+1)'(bytes) < (CountBits+1)'(BeatBytes)
        || 32'(fifo_count_q) < FifoBeats;
  endfunction
  logic [CountBits-1:0] partial_bytes;   // in the next cycle
  assign partial_bytes = flushes ? '0 : partial_bytes_a;
  if (StallLatency != 0) begin : g_given
    acis_given_out #(.FifoBits(FifoBits)) i_given (
      .clk_i, .rst_ni, .ready_o, .given_i(push_bytes_i), .gives_i(push_i), .adds_i(adds), .end_i,
      .bytes_i, .ends_i(ends), .partial_i(partial_bytes), .fifo_i(fifo_c)
    );
  end else begin : g_ready
    assign ready_o = count_q != '0 && !first_q.is_end && roomFor(push_bytes_i);
  end
  assign space_post_o = count_a < 4'(StreamCommands);
  assign space_o = count_q < 4'(StreamCommands);
  assign idle_o = count_q == '0;
  assign room_o = roomFor(scalar_bytes_i);
  assign busy_o = count_q != '0 || fifo_count_q != '0;
  assign full_beat_o = fills;
  assign partial_beat_o = flushes;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {partial_q, partial_bytes_q, get_q, put_q, fifo_count_q, first_q, second_q} <= '0;
    end else begin
      partial_q <= flushes ? '0 : partial_a;
      partial_bytes_q <= partial_bytes;
      get_q <= leaves_now ? after(get_q) : get_q;
      put_q <= flushes ? after(put_a) : put_a;
      fifo_count_q <= fifo_c;
      {first_q, second_q} <= {first_d, second_d};
    end
  end
  always_ff @(posedge clk_i) begin
    if (fills && !put_q[0])
      even_q[put_q[PlaceBits-1:1]] <= full_entry;
    else if (flushes && !put_a[0])
      even_q[put_a[PlaceBits-1:1]] <= rest_entry;
    if (fills && put_q[0])
      odd_q[put_q[PlaceBits-1:1]] <= full_entry;
    else if (flushes && put_a[0])
      odd_q[put_a[PlaceBits-1:1]] <= rest_entry;
    if (fills)
      last_q[put_q] <= 1'b0;
    if (flushes)
      last_q[put_a] <= 1'b1;
    if (marks)
      last_q[fills ? put_q : ahead(put_q)] <= 1'b1;
  end

  `ACIS_ASSERT(PushIsReady_A, !push_i || ready_o)
  `ACIS_ASSERT(PushHasRoom_A, !made || (count_q != '0 && !first_q.is_end && roomFor(made_bytes)))
  `ACIS_ASSERT(OnePush_A, !(made && scalar_i))
endmodule
