// The write side of a PE's memory port: collects the accesses to one beat, beats into
// bursts, and sends these.
//
// An access touches one or two beats. The beat that is open closes when another one is
// written, and joins the open burst if it is the next beat of the same interleave block;
// flush_i closes both. A burst that is closed in a cycle is asked for from the next one on,
// when the one before it has been sent.
//
// AXI4: write address, write data (the beats follow from the cycle after the address on)
// and response channels, one id.
`include "acis_assert.svh"

module acis_write_master
  import acis_overlay_pkg::*;
  import acis_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,

  output logic                 ready_o,   // room for an access, and for those on their way
  input  logic                 coming_i,  // one of a loop, as write_i StallLatency cycles later
  input  logic                 write_i,
  input  logic [31:0]          address_i,
  input  logic [CountBits-1:0] bytes_i,   // of the access, whatever the strobes
  input  beat_t                data_i,    // from bit 0 on
  input  logic [BeatBytes-1:0] strobe_i,
  input  logic                 flush_i,   // after this access
  output logic                 idle_o,    // everything is acknowledged, at the start of the cycle

  output logic                 awvalid_o,
  input  logic                 awready_i,
  output logic [31:0]          awaddr_o,
  output logic [7:0]           awlen_o,
  output logic                 wvalid_o,
  input  logic                 wready_i,
  output beat_t                wdata_o,
  output logic [BeatBytes-1:0] wstrb_o,
  output logic                 wlast_o,
  input  logic                 bvalid_i
);
  localparam int unsigned Capacity = (2 * MemBurstBeats > 2) ? 2 * MemBurstBeats : 2;
  localparam int unsigned BufBits = Capacity > 16 ? $clog2(Capacity) : 4;
  localparam int unsigned BlockBeats =
      (MemInterleaveBytes > BeatBytes) ? MemInterleaveBytes / BeatBytes : 1;

  localparam int unsigned LengthBits = $clog2(MemBurstBeats + 1);
  typedef logic [31-ByteBits:0] beat_number_t;
  typedef struct packed {
    beat_number_t beat;
    logic [LengthBits-1:0] count;
  } burst_t;

  // The open beat, the open burst, and whether the beat continues it
  logic open_q, joins_q;
  beat_number_t beat_q, next_q;  // its number, and the one behind it
  beat_t data_q;
  logic [BeatBytes-1:0] strobe_q;
  burst_t burst_q;               // count 0: none

  // Closed beats, at most three in a cycle, and closed bursts, at most four. They stand in four banks
  // each, of which each takes one in a cycle.
  logic [BufBits-1:0] put_q, get_q, queue_put_q;
  logic [BufBits:0] queued_q, buffered_q;
  beat_t got_data[4];
  logic [BeatBytes-1:0] got_strobe[4];
  burst_t got_burst[4];

  // The access: what is in its first beat, and in the one behind it if it has two
  logic [2*BeatBits-1:0] wide_data;
  logic [2*BeatBytes-1:0] wide_strobe;
  beat_number_t first, last;
  logic two;
  assign wide_data = (2*BeatBits)'(data_i) << {address_i[ByteBits-1:0], 3'b000};
  assign wide_strobe = (2*BeatBytes)'(strobe_i) << address_i[ByteBits-1:0];
  assign first = beat_number_t'(address_i >> ByteBits);
  assign last = first + beat_number_t'(1);
  assign two = (CountBits+1)'(address_i[ByteBits-1:0]) + (CountBits+1)'(bytes_i)
             > (CountBits+1)'(BeatBytes);

  // What an access closes is found before it is known that there is one (write_i), which comes last: it
  // has waited for all ports and interlocks.
  // Three beats may close, in this order: the open one because the access is to another, the
  // access's first because it has two or is flushed, its last because it is flushed. What each makes
  // of the burst is found for all of them beside one another.
  logic hits, closes_open, closes_first, closes_last;
  assign hits = open_q && first == beat_q;
  assign closes_open = open_q && first != beat_q;
  assign closes_first = two || flush_i;
  assign closes_last = two && flush_i;
  function automatic logic begins_block(beat_number_t beat);
    return beat % beat_number_t'(BlockBeats) == '0;
  endfunction
  function automatic logic full(logic [LengthBits-1:0] count);
    return count == LengthBits'(MemBurstBeats);
  endfunction
  function automatic burst_t longer(burst_t burst);
    return '{beat: burst.beat, count: burst.count + LengthBits'(1)};
  endfunction
  burst_t open_burst, first_burst, last_burst;   // with this beat in it
  logic joins_first, joins_last;
  always_comb begin
    open_burst = joins_q ? longer(burst_q) : '{beat: beat_q, count: LengthBits'(1)};
    joins_first = hits ? joins_q
                : open_q && first == next_q && !begins_block(first) && !full(open_burst.count);
    if (hits)
      first_burst = open_burst;
    else
      first_burst = joins_first ? longer(open_burst) : '{beat: first, count: LengthBits'(1)};
    joins_last = !begins_block(last) && !full(first_burst.count);
    last_burst = joins_last ? longer(first_burst) : '{beat: last, count: LengthBits'(1)};
  end

  // Bursts that close, in this order: before the open beat or with it, before the access's first or with
  // it, likewise its last, and what a flush leaves. A beat that joins no burst does not fill one too,
  // unless bursts have one beat; then none is open before it.
  localparam int unsigned Closings = 4;
  logic [Closings-1:0] closes;
  burst_t closed[Closings];
  always_comb begin
    closes[0] = closes_open && (full(open_burst.count) || (burst_q.count != '0 && !joins_q));
    closed[0] = full(open_burst.count) ? open_burst : burst_q;
    closes[1] = closes_first && (full(first_burst.count)
        || (!joins_first && (hits ? burst_q.count != '0 : open_q && !full(open_burst.count))));
    closed[1] = full(first_burst.count) ? first_burst : hits ? burst_q : open_burst;
    closes[2] = closes_last && (full(last_burst.count)
                                || (!full(first_burst.count) && !joins_last));
    closed[2] = full(last_burst.count) ? last_burst : first_burst;
    closes[3] = flush_i && !full(two ? last_burst.count : first_burst.count);
    closed[3] = two ? last_burst : first_burst;
  end
  logic [2:0] bursts;            // how many
  logic [1:0] place[Closings];   // behind queue_put_q
  always_comb begin
    bursts = '0;
    for (int c = 0; c < int'(Closings); ++c) begin
      place[c] = bursts[1:0];
      bursts = bursts + 3'(closes[c]);
    end
  end

  // Sending
  burst_t front;
  logic [BufBits-1:0] queue_get;
  localparam int unsigned WaitBits = $clog2(MemOutstanding + 2);
  logic [LengthBits-1:0] sending_q;   // beats of the burst that is being sent
  logic [WaitBits-1:0] unacknowledged_q;
  logic granted, sent;
  assign queue_get = queue_put_q - BufBits'(queued_q);
  assign front = got_burst[queue_get[1:0]];
  assign sent = wvalid_o && wready_i;
  assign awvalid_o = queued_q != '0 && (sending_q == '0 || (sending_q == LengthBits'(1) && sent))
                  && unacknowledged_q - WaitBits'(bvalid_i) < WaitBits'(MemOutstanding);
  assign awaddr_o = {front.beat, ByteBits'(0)};
  assign awlen_o = 8'(front.count) - 8'd1;
  assign granted = awvalid_o && awready_i;
  assign wvalid_o = sending_q != '0;
  assign wlast_o = sending_q == LengthBits'(1);
  assign wdata_o = got_data[get_q[1:0]];
  assign wstrb_o = got_strobe[get_q[1:0]];

  // Each access on its way takes two beats, until it is known how many it does.
  logic moving;
  logic [BufBits:0] buffered_d;
  if (StallLatency != 0) begin : g_follows
    logic [StallLatency-1:0] way_q, way_d;
    logic room_q;
    assign way_d = StallLatency'({way_q, coming_i});
    always_ff @(posedge clk_i or negedge rst_ni)
      if (!rst_ni) begin
        way_q <= '0;
        room_q <= 1'b1;
      end else begin
        way_q <= way_d;
        room_q <= (BufBits+2)'(buffered_d) + (BufBits+2)'(2 * $countones(way_d))
               <= (BufBits+2)'(Capacity - 2);
      end
    assign ready_o = room_q;
    assign moving = way_q != '0;
  end else begin : g_now
    assign ready_o = buffered_q <= (BufBits+1)'(Capacity - 2);
    assign moving = 1'b0;
    logic unused;
    assign unused = coming_i;
  end
  assign idle_o = buffered_q == '0 && unacknowledged_q == '0 && !moving;

  // The room of a burst is free when all of it was sent.
  logic [LengthBits-1:0] burst_beats_q;
  logic [1:0] opened, beats;     // beats that open, and close
  assign opened = 2'(!hits) + 2'(two);
  assign beats = 2'(closes_open) + 2'(closes_first) + 2'(closes_last);
  logic [BufBits:0] queued_s, buffered_s;   // without the access
  assign queued_s = queued_q - (BufBits+1)'(granted);
  assign buffered_s = buffered_q - ((sent && wlast_o) ? (BufBits+1)'(burst_beats_q) : '0);
  assign buffered_d = write_i ? buffered_s + (BufBits+1)'(opened) : buffered_s;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {open_q, joins_q, beat_q, next_q, strobe_q, burst_q} <= '0;
      data_q <= '0;
      {put_q, get_q, queue_put_q, queued_q, buffered_q} <= '0;
      {sending_q, burst_beats_q, unacknowledged_q} <= '0;
    end else begin
      if (write_i) begin
        open_q <= !flush_i;
        beat_q <= two ? last : first;
        next_q <= first + (two ? beat_number_t'(2) : beat_number_t'(1));
        joins_q <= !flush_i && (two ? joins_last : joins_first);
        strobe_q <= two ? wide_strobe[2*BeatBytes-1:BeatBytes]
                  : wide_strobe[BeatBytes-1:0] | (hits ? strobe_q : '0);
        for (int b = 0; b < int'(BeatBytes); ++b)
          if (two || wide_strobe[b])
            data_q[b*8 +: 8] <= two ? wide_data[BeatBits + b*8 +: 8] : wide_data[b*8 +: 8];
        if (closes_first)
          burst_q <= first_burst;
        else if (closes_open)
          burst_q <= open_burst;
        if (flush_i || (closes_first ? full(first_burst.count) : closes_open && full(open_burst.count)))
          burst_q.count <= '0;
      end
      if (write_i) begin
        put_q <= put_q + BufBits'(beats);
        queue_put_q <= queue_put_q + BufBits'(bursts);
      end
      queued_q <= write_i ? queued_s + (BufBits+1)'(bursts) : queued_s;
      buffered_q <= buffered_d;
      if (sent) begin
        get_q <= get_q + 1'b1;
        sending_q <= sending_q - LengthBits'(1);
      end
      if (granted) begin
        sending_q <= front.count;
        burst_beats_q <= front.count;
      end
      unacknowledged_q <= unacknowledged_q + WaitBits'(granted) - WaitBits'(bvalid_i);
    end
  end
  // A bank takes the k-th beat that closes now, which is the open one, the access's first with what
  // the open one had of it, or its last.
  for (genvar b = 0; b < 4; ++b) begin : g_beats
    logic [BeatBytes+BeatBits-1:0] bank_q[1 << (BufBits - 2)];
    logic [1:0] k, at;
    logic takes_open, takes_last;
    beat_t data;
    logic [BeatBytes-1:0] strobe;
    assign k = 2'(b) - put_q[1:0];
    assign at = k - 2'(closes_open);
    assign takes_open = closes_open && k == 2'd0;
    assign takes_last = at == 2'd1;
    always_comb begin
      strobe = takes_open ? strobe_q : takes_last ? wide_strobe[2*BeatBytes-1:BeatBytes]
             : wide_strobe[BeatBytes-1:0] | (hits ? strobe_q : '0);
      for (int i = 0; i < int'(BeatBytes); ++i)
        data[i*8 +: 8] = takes_open ? data_q[i*8 +: 8]
                       : takes_last ? wide_data[BeatBits + i*8 +: 8]
                       : wide_strobe[i] ? wide_data[i*8 +: 8] : data_q[i*8 +: 8];
    end
    assign {got_strobe[b], got_data[b]} = bank_q[(BufBits-2)'(get_q >> 2)];
    always_ff @(posedge clk_i)
      if (write_i && k < beats)
        bank_q[(BufBits-2)'((put_q + BufBits'(k)) >> 2)] <= {strobe, data};
  end
  for (genvar b = 0; b < 4; ++b) begin : g_bursts
    burst_t bank_q[1 << (BufBits - 2)];
    logic [1:0] k;
    logic takes;
    burst_t taken;
    assign k = 2'(b) - queue_put_q[1:0];
    always_comb begin
      takes = 1'b0;
      taken = '0;
      for (int c = 0; c < int'(Closings); ++c)
        if (closes[c] && place[c] == k) begin
          takes = 1'b1;
          taken |= closed[c];
        end
    end
    assign got_burst[b] = bank_q[(BufBits-2)'(queue_get >> 2)];
    always_ff @(posedge clk_i)
      if (write_i && takes)
        bank_q[(BufBits-2)'((queue_put_q + BufBits'(k)) >> 2)] <= taken;
  end

  `ACIS_ASSERT(WriteHasRoom_A, !write_i || buffered_q <= (BufBits+1)'(Capacity - 2))
endmodule
