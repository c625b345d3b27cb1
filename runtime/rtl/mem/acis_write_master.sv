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

  output logic                 ready_o,   // room for an access
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

  typedef struct packed {
    logic [31:0] beat;
    logic [15:0] count;
  } burst_t;

  // The open beat and the open burst
  logic open_q, open_d;
  logic [31:0] beat_q, beat_d;
  beat_t data_q, data_d;
  logic [BeatBytes-1:0] strobe_q, strobe_d;
  burst_t burst_q, burst_d;

  // Closed beats, at most three in a cycle, and closed bursts, at most five. They stand in four and
  // eight banks, of which each takes one in a cycle.
  logic [BufBits-1:0] put_q, get_q, queue_put_q;
  logic [BufBits:0] queued_q;
  logic [31:0] buffered_q, added;
  logic [1:0] beats;
  logic [2:0] bursts;
  beat_t put_data[4], got_data[4];
  logic [BeatBytes-1:0] put_strobe[4], got_strobe[4];
  burst_t put_burst[8], got_burst[8];

  logic [2*BeatBits-1:0] wide_data;
  logic [2*BeatBytes-1:0] wide_strobe;
  logic [31:0] first, last;
  assign wide_data = (2*BeatBits)'(data_i) << {address_i[ByteBits-1:0], 3'b000};
  assign wide_strobe = (2*BeatBytes)'(strobe_i) << address_i[ByteBits-1:0];
  assign first = address_i >> ByteBits;
  assign last = 32'((33'(address_i) + 33'(bytes_i) - 33'd1) >> ByteBits);

  always_comb begin
    logic [BeatBits-1:0] from;
    logic [BeatBytes-1:0] keep;
    from = '0;
    keep = '0;
    open_d = open_q;
    beat_d = beat_q;
    data_d = data_q;
    strobe_d = strobe_q;
    burst_d = burst_q;
    beats = '0;
    bursts = '0;
    added = '0;
    put_data = '{default: '0};
    put_strobe = '{default: '0};
    put_burst = '{default: '0};
    for (int step = 0; step < 3; ++step) begin
      logic [31:0] beat;
      logic wanted, closes;
      beat = step == 0 ? first : last;
      wanted = write_i && (step == 0 || (step == 1 && last != first));
      closes = step == 2 ? write_i && flush_i : wanted && !(open_d && beat == beat_d);
      if (closes && open_d) begin
        put_data[beats] = data_d;
        put_strobe[beats] = strobe_d;
        beats = beats + 2'd1;
        if (burst_d.count != '0 && burst_d.count < 16'(MemBurstBeats)
            && beat_d == burst_d.beat + 32'(burst_d.count)
            && beat_d / BlockBeats == burst_d.beat / BlockBeats) begin
          burst_d.count = burst_d.count + 16'd1;
        end else begin
          if (burst_d.count != '0) begin
            put_burst[bursts] = burst_d;
            bursts = bursts + 3'd1;
          end
          burst_d = '{beat: beat_d, count: 16'd1};
        end
        if (burst_d.count == 16'(MemBurstBeats)) begin
          put_burst[bursts] = burst_d;
          bursts = bursts + 3'd1;
          burst_d.count = '0;
        end
        open_d = 1'b0;
      end
      if (step == 2 && closes && burst_d.count != '0) begin
        put_burst[bursts] = burst_d;
        bursts = bursts + 3'd1;
        burst_d.count = '0;
      end
      if (wanted) begin
        from = step == 0 ? wide_data[BeatBits-1:0] : wide_data[2*BeatBits-1:BeatBits];
        keep = step == 0 ? wide_strobe[BeatBytes-1:0] : wide_strobe[2*BeatBytes-1:BeatBytes];
        if (!open_d) begin
          open_d = 1'b1;
          beat_d = beat;
          strobe_d = '0;
          added = added + 32'd1;
        end
        for (int b = 0; b < int'(BeatBytes); ++b)
          if (keep[b])
            data_d[b*8 +: 8] = from[b*8 +: 8];
        strobe_d |= keep;
      end
    end
  end

  // Sending
  burst_t front;
  logic [BufBits-1:0] queue_get;
  logic [15:0] sending_q;       // beats of the burst that is being sent
  logic [31:0] unacknowledged_q;
  logic granted, sent;
  assign queue_get = queue_put_q - BufBits'(queued_q);
  assign front = got_burst[queue_get[2:0]];
  assign sent = wvalid_o && wready_i;
  assign awvalid_o = queued_q != '0 && (sending_q == '0 || (sending_q == 16'd1 && sent))
                  && unacknowledged_q - 32'(bvalid_i) < MemOutstanding;
  assign awaddr_o = front.beat << ByteBits;
  assign awlen_o = 8'(front.count - 16'd1);
  assign granted = awvalid_o && awready_i;
  assign wvalid_o = sending_q != '0;
  assign wlast_o = sending_q == 16'd1;
  assign wdata_o = got_data[get_q[1:0]];
  assign wstrb_o = got_strobe[get_q[1:0]];

  assign ready_o = buffered_q + 32'd2 <= Capacity;
  assign idle_o = buffered_q == '0 && unacknowledged_q == '0;

  // The room of a burst is free when all of it was sent.
  logic [15:0] burst_beats_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {open_q, beat_q, strobe_q, burst_q} <= '0;
      data_q <= '0;
      {put_q, get_q, queue_put_q, queued_q, buffered_q} <= '0;
      {sending_q, burst_beats_q, unacknowledged_q} <= '0;
    end else begin
      open_q <= open_d;
      beat_q <= beat_d;
      data_q <= data_d;
      strobe_q <= strobe_d;
      burst_q <= burst_d;
      put_q <= put_q + BufBits'(beats);
      queue_put_q <= queue_put_q + BufBits'(bursts);
      queued_q <= queued_q + (BufBits+1)'(bursts) - (BufBits+1)'(granted);
      buffered_q <= buffered_q + added
                  - ((sent && sending_q == 16'd1) ? 32'(burst_beats_q) : 32'd0);
      if (sent) begin
        get_q <= get_q + 1'b1;
        sending_q <= sending_q - 16'd1;
      end
      if (granted) begin
        sending_q <= front.count;
        burst_beats_q <= front.count;
      end
      unacknowledged_q <= unacknowledged_q + 32'(granted) - 32'(bvalid_i);
    end
  end
  for (genvar b = 0; b < 4; ++b) begin : g_beats
    logic [BeatBytes+BeatBits-1:0] bank_q[1 << (BufBits - 2)];
    logic [1:0] k;               // of the beats closed now, the one that this bank takes
    assign k = 2'(b) - put_q[1:0];
    assign {got_strobe[b], got_data[b]} = bank_q[(BufBits-2)'(get_q >> 2)];
    always_ff @(posedge clk_i)
      if (k < beats)
        bank_q[(BufBits-2)'((put_q + BufBits'(k)) >> 2)] <= {put_strobe[k], put_data[k]};
  end
  for (genvar b = 0; b < 8; ++b) begin : g_bursts
    burst_t bank_q[1 << (BufBits - 3)];
    logic [2:0] k;
    assign k = 3'(b) - queue_put_q[2:0];
    assign got_burst[b] = bank_q[(BufBits-3)'(queue_get >> 3)];
    always_ff @(posedge clk_i)
      if (k < bursts)
        bank_q[(BufBits-3)'((queue_put_q + BufBits'(k)) >> 3)] <= put_burst[k];
  end

  `ACIS_ASSERT(WriteHasRoom_A, !write_i || ready_o)
endmodule
