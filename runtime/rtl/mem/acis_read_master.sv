// The read side of a PE's memory port: turns the accesses of jobs into bursts, keeps what
// arrives, and gives the bytes of one access per cycle in order.
//
// A job's accesses fall into segments of consecutive bytes: all of them, those of an inner
// loop, or each alone. A segment register holds the beats that are still to be asked for;
// it takes one segment per cycle. A burst is the longest run of its beats that does not
// cross an interleave block. A beat that the access before needed too is not read again.
//
// AXI4: read address and read data channels, one id, bursts of whole beats, RREADY always
// high because room is kept for what is asked for.
`include "acis_assert.svh"

module acis_read_master
  import acis_overlay_pkg::*;
  import acis_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 start_i,
  input  job_t                 job_i,

  output logic                 ready_o,    // the next access is there
  output logic                 user_o,     // whose it is
  output logic [31:0]          address_o,
  output logic [CountBits-1:0] bytes_o,
  output beat_t                data_o,     // its bytes from bit 0 on
  input  logic                 pop_i,
  output logic                 idle_o,     // no access is left, pop_i and start_i included
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
  localparam int unsigned BlockBeats =
      (MemInterleaveBytes > BeatBytes) ? MemInterleaveBytes / BeatBytes : 1;
  localparam int unsigned BlockBits = $clog2(BlockBeats);

  // Jobs
  job_t jobs_q[MemJobs];
  logic [JobBits:0] write_q, fetch_q, consume_q;   // with a wrap bit
  always_ff @(posedge clk_i)
    if (start_i)
      jobs_q[write_q[JobBits-1:0]] <= job_i;

  // Segments: [address, address + length)
  job_t job;
  assign job = jobs_q[fetch_q[JobBits-1:0]];
  logic [31:0] seg_base_q, left_q, inner_run;
  logic begun_q, inner_dense, all_dense;
  logic [31:0] base, left, accesses;
  logic [39:0] length, first, last;
  logic last_segment, take;
  logic [33:0] next_q, end_q;      // beats to ask for: next_q .. end_q - 1
  logic [33:0] held_q;
  logic holds_q;
  always_comb begin
    base = begun_q ? seg_base_q : job.base;
    left = begun_q ? left_q : job.iterations;
    inner_run = {16'd0, job.inner} * 32'(job.full);
    inner_dense = job.inner == 16'd1 || job.stride0 == 32'(job.full);
    all_dense = inner_dense && (job.stride1 == inner_run || job.iterations <= 32'(job.inner));
    if (all_dense)
      accesses = left;
    else if (inner_dense)
      accesses = left < 32'(job.inner) ? left : 32'(job.inner);
    else
      accesses = 32'd1;
    last_segment = accesses == left;
    length = 40'(accesses) * 40'(job.full) - (last_segment ? 40'(job.full) - 40'(job.last) : 40'd0);
    first = 40'(base) >> ByteBits;
    last = (40'(base) + length - 40'd1) >> ByteBits;
  end

  // Which place in the inner loop an access has, where accesses are taken one by one
  logic [15:0] place_q;
  logic [31:0] outer_q, outer;
  assign outer = begun_q ? outer_q : job.base;

  // The burst
  logic [33:0] beats, block_left;
  logic granted;
  assign block_left = {2'd0, 32'(BlockBeats)}
                    - (BlockBits == 0 ? 34'd0 : next_q & {2'd0, 32'(BlockBeats - 1)});
  always_comb begin
    beats = end_q - next_q;
    if (beats > 34'(MemBurstBeats))
      beats = 34'(MemBurstBeats);
    if (beats > block_left)
      beats = block_left;
  end
  logic [31:0] requested_q, arrived_q, consumed_q, consumed_d;
  logic [15:0] flights_q;
  assign arvalid_o = next_q != end_q
                  && flights_q - 16'(rvalid_i && rlast_i) < 16'(MemOutstanding)
                  && requested_q - consumed_d + 32'(beats) <= 32'(Capacity);
  assign araddr_o = 32'(next_q << ByteBits);
  assign arlen_o = 8'(beats - 34'd1);
  assign granted = arvalid_o && arready_i;
  logic [33:0] next_d;
  assign next_d = granted ? next_q + beats : next_q;
  assign take = next_d == end_q && fetch_q != write_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {write_q, fetch_q, next_q, end_q, held_q} <= '0;
      {holds_q, begun_q, seg_base_q, left_q, place_q, outer_q} <= '0;
      {requested_q, arrived_q, flights_q} <= '0;
    end else begin
      if (start_i)
        write_q <= write_q + 1'b1;
      next_q <= next_d;
      if (granted)
        requested_q <= requested_q + 32'(beats);
      if (rvalid_i)
        arrived_q <= arrived_q + 32'd1;
      flights_q <= flights_q + 16'(granted) - 16'(rvalid_i && rlast_i);
      if (take) begin
        next_q <= 34'(first) + 34'(holds_q && begun_q && 34'(first) == held_q);
        end_q <= 34'(last) + 34'd1;
        held_q <= 34'(last);
        holds_q <= 1'b1;
        begun_q <= !last_segment;
        left_q <= left - accesses;
        if (inner_dense || place_q + 16'd1 == job.inner) begin
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
      buffer_q[BufBits'(arrived_q)] <= rdata_i;

  // The access at hand
  logic valid_q;
  job_t at_q;
  logic [31:0] address_q, at_outer_q, at_left_q;
  logic [15:0] at_place_q;
  logic [33:0] last_beat_q, at_first, at_last;
  logic kept_q;
  beat_t kept_data_q, low, high;
  logic [1:0] needed;
  logic reuse;
  logic finishes;
  assign address_o = address_q;
  assign user_o = at_q.user;
  assign bytes_o = at_left_q == 32'd1 ? at_q.last : at_q.full;
  assign at_first = 34'(address_q) >> ByteBits;
  assign at_last = (34'(address_q) + 34'(bytes_o) - 34'd1) >> ByteBits;
  assign reuse = kept_q && at_first == last_beat_q;
  assign needed = 2'(at_last - at_first) + (reuse ? 2'd0 : 2'd1);
  assign ready_o = valid_q && arrived_q - consumed_q >= 32'(needed);
  assign consumed_d = pop_i ? consumed_q + 32'(needed) : consumed_q;
  assign low = reuse ? kept_data_q : buffer_q[BufBits'(consumed_q)];
  assign high = buffer_q[BufBits'(consumed_q + (reuse ? 32'd0 : 32'd1))];
  logic [2*BeatBits-1:0] window;
  assign window = {high, low} >> {address_q[ByteBits-1:0], 3'b000};
  assign data_o = window[BeatBits-1:0];
  logic unused;
  assign unused = ^{window[2*BeatBits-1:BeatBits], first[39:34], last[39:34]};
  assign finishes = pop_i && at_left_q == 32'd1;
  assign idle_o = (!valid_q || finishes) && consume_q == write_q && !start_i;

  assign quiet_o = !valid_q && consume_q == write_q;
  logic load;
  job_t loaded;
  assign load = (!valid_q || finishes) && (consume_q != write_q || start_i);
  assign loaded = consume_q != write_q ? jobs_q[consume_q[JobBits-1:0]] : job_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {valid_q, kept_q, consume_q, consumed_q} <= '0;
      {at_q, address_q, at_outer_q, at_left_q, at_place_q, last_beat_q} <= '0;
      kept_data_q <= '0;
    end else begin
      consumed_q <= consumed_d;
      if (pop_i) begin
        last_beat_q <= at_last;
        kept_q <= 1'b1;
        kept_data_q <= at_last == at_first ? low : high;
        at_left_q <= at_left_q - 32'd1;
        if (at_place_q + 16'd1 == at_q.inner) begin
          at_place_q <= '0;
          address_q <= at_outer_q + at_q.stride1;
          at_outer_q <= at_outer_q + at_q.stride1;
        end else begin
          at_place_q <= at_place_q + 16'd1;
          address_q <= address_q + at_q.stride0;
        end
      end
      if (finishes)
        valid_q <= 1'b0;
      if (load) begin
        valid_q <= 1'b1;
        kept_q <= 1'b0;
        at_q <= loaded;
        address_q <= loaded.base;
        at_outer_q <= loaded.base;
        at_left_q <= loaded.iterations;
        at_place_q <= '0;
        consume_q <= consume_q + 1'b1;
      end
    end
  end

  `ACIS_ASSERT(PopIsReady_A, !pop_i || ready_o)
  `ACIS_ASSERT(RoomForJob_A, !start_i || write_q - consume_q <= (JobBits+1)'(MemJobs - 1))
  `ACIS_ASSERT(RoomForBeat_A, !rvalid_i || arrived_q - consumed_q < 32'(Capacity))
endmodule
