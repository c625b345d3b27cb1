// The read side of a PE's memory port: turns the accesses of jobs into bursts, keeps what
// arrives, and gives the bytes of one access per cycle in order.
//
// A job's accesses fall into segments of consecutive bytes: all of them, those of an inner
// loop, or each alone. A segment register holds the beats that are still to be asked for;
// it takes one segment per cycle. A burst is the longest run of its beats that does not
// cross an interleave block. A beat that the access before needed too is not read again.
//
// The access at hand is the next one that is given out, and have_q the beats that are there for it and
// those behind it. The beats of a read of the grid leave the buffer when it is made.
//
// AXI4: read address and read data channels, one id, bursts of whole beats, RREADY always
// high because room is kept for what is asked for.
`include "acis_assert.svh"

module acis_read_master
  import acis_overlay_pkg::*;
  import acis_pkg::*;
  import acis_isa_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 start_i,
  input  job_t                 job_i,

  output logic                 ready_o,    // the next access is there
  output logic                 user_o,     // whose it is
  output logic                 free_o,     // it is a vector load's, there, and no read is on its way
  output logic [31:0]          address_o,
  output logic [CountBits-1:0] bytes_o,
  output beat_t                data_o,     // bytes of the access that is made, from bit 0 on
  input  logic                 read_i,     // of the grid, made StallLatency cycles later
  input  logic                 pop_i,      // of a vector load, made in this cycle
  output logic                 idle_o,     // no access is left, read_i, pop_i and start_i included
  output logic                 quiet_o,    // the same at the start of the cycle

  output logic                 arvalid_o,
  input  logic                 arready_i,
  output logic [31:0]          araddr_o,
  output logic [7:0]           arlen_o,
  input  logic                 rvalid_i,
  input  logic                 rlast_i,
  input  beat_t                rdata_i
);
  localparam int unsigned Capacity = (2 * MemBurstBeats > 2) ? 2 * MemBurstBeats : 2;
  localparam int unsigned BufBits = $clog2(Capacity);
  localparam int unsigned JobBits = $clog2(MemJobs);
  localparam int unsigned FlightBits = $clog2(MemOutstanding + 2);
  localparam int unsigned BlockBeats =
      (MemInterleaveBytes > BeatBytes) ? MemInterleaveBytes / BeatBytes : 1;
  localparam int unsigned BlockBits = $clog2(BlockBeats);
  typedef logic [BufBits:0] room_t;   // beats of the buffer, 0..Capacity
  typedef logic [39:0] length_t;      // bytes of a job

  // An access has a power of two bytes, except the last one of a job: a product with it is a shift.
  function automatic length_t times(logic [31:0] accesses, logic [CountBits-1:0] full);
    length_t product;
    product = '0;
    for (int k = 0; k < int'(CountBits); ++k)
      if (full[k])
        product |= length_t'(accesses) << k;
    return product;
  endfunction

  // Jobs, and what their segments are: found when the job comes, used from the next cycle on.
  typedef struct packed {
    logic one;                        // all accesses are one segment
    logic rows;                       // else those of an inner loop are, or each alone
    length_t total, segment;          // bytes of all, and of a segment that is not the last
  } segments_t;
  job_t jobs_q[MemJobs];
  segments_t segments_q[MemJobs], segments;
  logic [JobBits:0] write_q, fetch_q, consume_q;   // with a wrap bit
  length_t row;
  assign row = times({16'd0, job_i.inner}, job_i.full);
  logic rows;
  assign rows = job_i.inner == 16'd1 || job_i.stride0 == 32'(job_i.full);
  assign segments = '{
    one: rows && (job_i.stride1 == row[31:0] || job_i.iterations <= 32'(job_i.inner)),
    rows: rows,
    total: times(job_i.iterations, job_i.full) - (length_t'(job_i.full) - length_t'(job_i.last)),
    segment: rows ? row : length_t'(job_i.full)
  };
  always_ff @(posedge clk_i)
    if (start_i) begin
      jobs_q[write_q[JobBits-1:0]] <= job_i;
      segments_q[write_q[JobBits-1:0]] <= segments;
    end

  // Segments: [address, address + length)
  job_t job;
  segments_t how;
  assign job = jobs_q[fetch_q[JobBits-1:0]];
  assign how = segments_q[fetch_q[JobBits-1:0]];
  logic [31:0] seg_base_q, left_q, base, left, accesses;
  length_t bytes_q, bytes, length, first, last;   // bytes: that are left
  logic begun_q, last_segment, take;
  logic [33:0] next_q, end_q;      // beats to ask for: next_q .. end_q - 1
  logic [33:0] held_q;
  logic holds_q;
  always_comb begin
    base = begun_q ? seg_base_q : job.base;
    left = begun_q ? left_q : job.iterations;
    bytes = begun_q ? bytes_q : how.total;
    accesses = how.rows ? 32'(job.inner) : 32'd1;
    last_segment = how.one || left <= accesses;
    length = last_segment ? bytes : how.segment;
    first = length_t'(base) >> ByteBits;
    last = (length_t'(base) + length - length_t'(1)) >> ByteBits;
  end

  // Which place in the inner loop an access has, where accesses are taken one by one
  logic [15:0] place_q;
  logic [31:0] outer_q, outer;
  assign outer = begun_q ? outer_q : job.base;

  // The burst: up to the segment's end or its interleave block's
  localparam int unsigned StepBits = (BlockBits > $clog2(MemBurstBeats) ? BlockBits
                                      : $clog2(MemBurstBeats)) + 1;
  typedef logic [StepBits-1:0] step_t;
  logic [33:0] asked_for;
  step_t step, block_left;
  room_t beats;
  logic fits, completes, granted;   // the segment ends in the block; with this burst
  assign asked_for = end_q - next_q;
  assign block_left = step_t'(BlockBeats) - (step_t'(next_q) & step_t'(BlockBeats - 1));
  assign fits = asked_for <= 34'(block_left);
  assign step = fits ? step_t'(asked_for) : block_left;
  assign beats = step > step_t'(MemBurstBeats) ? room_t'(MemBurstBeats) : room_t'(step);
  assign completes = fits && step_t'(asked_for) <= step_t'(MemBurstBeats);
  logic [1:0] needed;              // beats that the access at hand takes from the buffer
  logic gives;                     // it is given out
  // Accesses on their way
  typedef struct packed {
    logic on;
    logic two, reuse;
    logic [1:0] needed;
    logic [ByteBits-1:0] from;     // where it begins in its first beat
  } access_t;
  access_t at_hand, made;          // made: in this cycle
  room_t room_q, have_q, room;     // not asked for; arrived
  logic [BufBits-1:0] arrived_q, consumed_q, behind_q;   // behind_q: consumed_q + 1
  logic [FlightBits-1:0] flights_q;
  assign room = room_q + room_t'(made.needed);
  assign arvalid_o = next_q != end_q
                  && flights_q - FlightBits'(rvalid_i && rlast_i) < FlightBits'(MemOutstanding)
                  && (made.on ? beats <= room : beats <= room_q);
  assign araddr_o = 32'(next_q << ByteBits);
  assign arlen_o = 8'(beats) - 8'd1;
  assign granted = arvalid_o && arready_i;
  assign take = (next_q == end_q || (granted && completes)) && fetch_q != write_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {write_q, fetch_q, next_q, end_q, held_q} <= '0;
      {holds_q, begun_q, seg_base_q, left_q, bytes_q, place_q, outer_q} <= '0;
      {arrived_q, flights_q, have_q} <= '0;
      room_q <= room_t'(Capacity);
    end else begin
      if (start_i)
        write_q <= write_q + 1'b1;
      if (granted)
        next_q <= next_q + 34'(beats);
      if (rvalid_i)
        arrived_q <= arrived_q + BufBits'(1);
      have_q <= have_q + room_t'(rvalid_i) - (gives ? room_t'(needed) : '0);
      room_q <= (made.on ? room : room_q) - (granted ? beats : '0);
      flights_q <= flights_q + FlightBits'(granted) - FlightBits'(rvalid_i && rlast_i);
      if (take) begin
        next_q <= 34'(first) + 34'(holds_q && begun_q && 34'(first) == held_q);
        end_q <= 34'(last) + 34'd1;
        held_q <= 34'(last);
        holds_q <= 1'b1;
        begun_q <= !last_segment;
        left_q <= left - accesses;
        bytes_q <= bytes - how.segment;
        if (how.rows || place_q + 16'd1 == job.inner) begin
          seg_base_q <= outer + job.stride1;
          outer_q <= outer + job.stride1;
          place_q <= '0;
        end else begin
          seg_base_q <= base + job.stride0;
          outer_q <= outer;
          place_q <= place_q + 16'd1;
        end
        if (last_segment) begin
          fetch_q <= fetch_q + 1'b1;
          place_q <= '0;
        end
      end
    end
  end

  // What has arrived
  beat_t buffer_q[1 << BufBits];
  always_ff @(posedge clk_i)
    if (rvalid_i)
      buffer_q[arrived_q] <= rdata_i;

  // The access at hand. What it has in common with the one before it was found when that was
  // popped.
  logic valid_q, reuse_q;          // its first beat is the last of the one before
  job_t at_q;
  logic [31:0] address_q, address_d, at_outer_q, at_left_q;
  logic [15:0] at_place_q;
  logic at_last_q, row_ends;       // the job's last access; the last of a row
  logic [33:0] at_first, at_end;   // its beats
  logic two;
  beat_t kept_q, front, behind, low, high;
  logic finishes;
  assign address_o = address_q;
  assign user_o = at_q.user;
  assign bytes_o = at_last_q ? at_q.last : at_q.full;
  assign two = (CountBits+1)'(address_q[ByteBits-1:0]) + (CountBits+1)'(bytes_o)
             > (CountBits+1)'(BeatBytes);
  assign at_first = 34'(address_q) >> ByteBits;
  assign at_end = at_first + 34'(two);
  assign needed = {two && !reuse_q, two == reuse_q};
  assign ready_o = valid_q && have_q >= room_t'(needed);
  assign gives = read_i || pop_i;
  assign at_hand = '{on: gives, two: two, reuse: reuse_q, needed: needed, from: address_q[ByteBits-1:0]};
  logic moving, stays;             // reads on their way: at the start of the cycle, and at its end
  if (StallLatency != 0) begin : g_follows
    access_t [StallLatency-1:0] way_q;   // the last one is made in this cycle
    logic [StallLatency-1:0] on;
    access_t entering;
    always_comb begin
      entering = at_hand;
      entering.on = read_i;
      for (int k = 0; k < int'(StallLatency); ++k)
        on[k] = way_q[k].on;
    end
    always_ff @(posedge clk_i or negedge rst_ni)
      if (!rst_ni)
        way_q <= '0;
      else
        way_q <= ($bits(way_q))'({way_q, entering});
    assign made = on[StallLatency-1] ? way_q[StallLatency-1] : '{
      on: pop_i, two: two, reuse: reuse_q, needed: needed, from: address_q[ByteBits-1:0]};
    assign moving = on != '0;
    assign stays = read_i || (StallLatency > 1 && on[0]);
  end else begin : g_now
    assign made = at_hand;
    assign {moving, stays} = '0;
  end
  assign free_o = ready_o && user_o && !moving;
  assign front = buffer_q[consumed_q];
  assign behind = buffer_q[behind_q];
  assign low = made.reuse ? kept_q : front;
  assign high = made.reuse ? front : behind;
  logic [2*BeatBits-1:0] window;
  assign window = {high, low} >> {made.from, 3'b000};
  assign data_o = window[BeatBits-1:0];
  logic unused;
  assign unused = ^{window[2*BeatBits-1:BeatBits], first[39:34], last[39:34], row[39:32]};
  assign finishes = gives && at_last_q;
  assign idle_o = (!valid_q || finishes) && consume_q == write_q && !start_i && !stays;
  assign row_ends = at_place_q + 16'd1 == at_q.inner;
  assign address_d = row_ends ? at_outer_q + at_q.stride1 : address_q + at_q.stride0;

  assign quiet_o = !valid_q && consume_q == write_q && !moving;
  logic load;
  job_t loaded;
  assign load = (!valid_q || finishes) && (consume_q != write_q || start_i);
  assign loaded = consume_q != write_q ? jobs_q[consume_q[JobBits-1:0]] : job_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {valid_q, reuse_q, at_last_q, consume_q, consumed_q} <= '0;
      {at_q, address_q, at_outer_q, at_left_q, at_place_q} <= '0;
      behind_q <= BufBits'(1);
      kept_q <= '0;
    end else begin
      if (made.on) begin
        consumed_q <= consumed_q + BufBits'(made.needed);
        behind_q <= behind_q + BufBits'(made.needed);
        kept_q <= made.two ? high : low;
      end
      if (gives) begin
        reuse_q <= 34'(address_d) >> ByteBits == at_end;
        at_left_q <= at_left_q - 32'd1;
        at_last_q <= at_left_q == 32'd2;
        at_place_q <= row_ends ? '0 : at_place_q + 16'd1;
        address_q <= address_d;
        if (row_ends)
          at_outer_q <= address_d;
      end
      if (finishes)
        valid_q <= 1'b0;
      if (load) begin
        valid_q <= 1'b1;
        reuse_q <= 1'b0;
        at_q <= loaded;
        address_q <= loaded.base;
        at_outer_q <= loaded.base;
        at_left_q <= loaded.iterations;
        at_last_q <= loaded.iterations == 32'd1;
        at_place_q <= '0;
        consume_q <= consume_q + 1'b1;
      end
    end
  end

  `ACIS_ASSERT(PopIsReady_A, !gives || ready_o)
  `ACIS_ASSERT(PopWaits_A, !pop_i || free_o)
  `ACIS_ASSERT(RoomForJob_A, !start_i || write_q - consume_q <= (JobBits+1)'(MemJobs - 1))
  `ACIS_ASSERT(RoomForBeat_A, !rvalid_i || have_q < room_t'(Capacity))
  `ACIS_ASSERT(PowerOfTwo_A, !start_i || $onehot(job_i.full))
endmodule
