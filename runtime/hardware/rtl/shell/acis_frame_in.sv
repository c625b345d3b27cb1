// What comes from the network: tells the handler's packets from other frames, checks them
// whole, and lets go of a frame only when it has come to its end.
//
// A packet of the handler is IPv4 without options or fragments and UDP, to port_i if that is
// not 0, with lengths that fit into the frame and right checksums (UDP's may be 0, none), and
// at least as long as the header. Other frames are passed through (forward_i) as they are, or
// dropped. With handle_i low every frame is another one: pass-through mode.
//
// Four stages, which stand still together: beat and fields; masked bytes added up; sums;
// verdict, with which the frame's beats are committed in one of the two stores or in none.
`include "acis_assert.svh"

module acis_frame_in
  import acis_net_pkg::*;
#(
  parameter int unsigned Bytes       = 64,    // of a beat, a power of two
  parameter int unsigned HeaderBytes = 42,    // what the handler does not see
  parameter int unsigned Beats       = 256,   // of a store, and the most of a frame
  parameter int unsigned Packets     = 32     // that wait, at most
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       handle_i,
  input  logic                       forward_i,
  input  logic [15:0]                port_i,

  // Frames: AXI4-Stream
  input  logic                       in_valid_i,
  output logic                       in_ready_o,
  input  logic [Bytes*8-1:0]         in_data_i,
  input  logic [Bytes-1:0]           in_keep_i,
  input  logic                       in_last_i,

  // Packets of the handler, header first, without the frame's padding
  output logic                       packet_valid_o,   // packet_*_o, while the beats go out
  output logic [HeaderBytes*8-1:0]   packet_header_o,
  output logic [31:0]                packet_bytes_o,   // of the payload
  output logic                       beat_valid_o,
  input  logic                       beat_ready_i,
  output logic [Bytes*8-1:0]         beat_data_o,
  output logic                       beat_last_o,

  // Frames that pass through
  output logic                       forward_valid_o,
  input  logic                       forward_ready_i,
  output logic [Bytes*8-1:0]         forward_data_o,
  output logic [Bytes-1:0]           forward_keep_o,
  output logic                       forward_last_o,

  output logic                       handled_o,        // counted in this cycle
  output logic                       forwarded_o,
  output logic                       dropped_o
);
  localparam int unsigned HeadBeats = (HeaderBytes + Bytes - 1) / Bytes;
  localparam int unsigned HeadBits  = HeadBeats * Bytes * 8;
  localparam int unsigned AppBytes  = HeaderBytes - NetBytes;   // of the header behind UDP's
  localparam int unsigned Index     = $clog2(Beats + 1);
  localparam int unsigned Count     = $clog2(Bytes + 1);
  localparam int unsigned SumFrom   = AtPortFrom;               // bytes that UDP's sum is of

  // What goes through the stages beside the beat
  typedef struct packed {
    logic [Bytes*8-1:0] data;
    logic [Bytes-1:0] keep;
    logic first, last, stored, oversize;
    logic handle, forward;         // as they stood at the first beat
    logic [16:0] frame_bytes;      // up to this beat
    logic [HeadBits-1:0] header;   // as far as it has come
  } stage_t;

  logic moves, valid1_q, valid2_q, valid3_q, valid4_q;
  stage_t s1_q, s2_q, s3_q, s4_q;
  assign in_ready_o = moves;

  // Stage 1: place in the frame, header
  logic [Index-1:0] index_q;
  logic [Count-1:0] kept;
  stage_t s1_d;
  logic first_q;
  always_comb begin
    kept = '0;
    for (int b = 0; b < int'(Bytes); ++b)
      kept += Count'(in_keep_i[b]);
    s1_d = '{data: in_data_i, keep: in_keep_i, first: first_q, last: in_last_i, stored: 1'b0,
             oversize: index_q == Index'(Beats), handle: first_q ? handle_i : s1_q.handle,
             forward: first_q ? forward_i : s1_q.forward,
             frame_bytes: 17'(index_q) * 17'(Bytes) + 17'(kept),
             header: first_q ? '0 : s1_q.header};
    for (int h = 0; h < int'(HeadBeats); ++h)
      if (index_q == Index'(h))
        s1_d.header[h*Bytes*8 +: Bytes*8] = in_data_i;
  end

  // Stage 2: which bytes of the beat UDP's sum is of
  logic [16:0] base, end_;
  logic [Bytes*8-1:0] masked_d, masked_q;
  assign base = (s1_q.frame_bytes - 17'd1) & ~17'(Bytes - 1);
  assign end_ = 17'(EthernetBytes) + 17'(get16(s1_q.header[NetBytes*8-1:0], AtIpLength));
  always_comb
    for (int b = 0; b < int'(Bytes); ++b)
      masked_d[b*8 +: 8] = base + 17'(b) >= 17'(SumFrom) && base + 17'(b) < end_
                         ? s1_q.data[b*8 +: 8] : 8'd0;

  // Stage 3: sums and fields
  logic [31:0] beat_sum, sum_q, pseudo_q, ip_q;
  logic fields_d, fields_q, handle_d;
  net_header_t net;
  logic [15:0] ip_length, udp_length;
  acis_beat_sum #(.Bytes(Bytes)) u_sum (.data_i(masked_q), .sum_o(beat_sum));
  assign net = s2_q.header[NetBytes*8-1:0];
  assign ip_length = get16(net, AtIpLength);
  assign udp_length = get16(net, AtUdpLength);
  assign handle_d = s2_q.handle && (port_i == '0 || port_i == get16(net, AtPortTo));
  assign fields_d = handle_d && get16(net, AtEtherType) == 16'h0800
                 && net[AtVersion*8 +: 8] == 8'h45 && net[AtProtocol*8 +: 8] == 8'd17
                 && (get16(net, AtFragment) & 16'hbfff) == '0    // DF may be set
                 && udp_length >= 16'(UdpBytes + AppBytes)
                 && 17'(ip_length) == 17'(udp_length) + 17'(IpBytes)
                 && 17'(ip_length) + 17'(EthernetBytes) <= s2_q.frame_bytes;

  // Stage 4: the verdict
  logic sum_right, ours, others, passes, ends;
  assign sum_right = get16(s4_q.header[NetBytes*8-1:0], AtUdpSum) == '0
                  || fold(sum_q + pseudo_q) == 16'hffff;
  assign ours = fields_q && !s4_q.oversize && sum_right && fold(ip_q) == 16'hffff;
  // A frame that claims to be ours but is wrong is passed on as any other: it is not ours to judge.
  assign others = !ours && passes;
  assign passes = s4_q.forward && !s4_q.oversize;
  assign ends = valid4_q && s4_q.last;

  logic beats_ready, forward_ready, packets_ready, beat_valid;
  assign moves = !valid4_q || ((beats_ready || !s4_q.stored) && (forward_ready || !passes)
                               && (packets_ready || !s4_q.handle));
  assign handled_o = moves && ends && ours;
  assign forwarded_o = moves && ends && others;
  assign dropped_o = moves && ends && !ours && !others;

  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      {valid1_q, valid2_q, valid3_q, valid4_q, index_q} <= '0;
      first_q <= 1'b1;
    end else if (moves) begin
      valid1_q <= in_valid_i;
      valid2_q <= valid1_q;
      valid3_q <= valid2_q;
      valid4_q <= valid3_q;
      if (in_valid_i) begin
        first_q <= in_last_i;
        index_q <= in_last_i ? '0 : index_q == Index'(Beats) ? index_q : index_q + 1'b1;
      end
    end
  logic [31:0] sum3_q, pseudo3_q, ip3_q;
  logic fields3_q;
  always_ff @(posedge clk_i)
    if (moves) begin
      if (in_valid_i)
        s1_q <= s1_d;
      if (valid1_q) begin
        s2_q <= s1_q;
        // Its own beats: those with a part of the header or of the payload.
        s2_q.stored <= s1_q.handle && !s1_q.oversize && (base < 17'(HeaderBytes) || base < end_);
        masked_q <= masked_d;
      end
      if (valid2_q) begin
        s3_q <= s2_q;
        sum3_q <= beat_sum;
        pseudo3_q <= pseudoSum(net);
        ip3_q <= ipSum(net);
        fields3_q <= fields_d;
      end
      if (valid3_q) begin
        s4_q <= s3_q;
        sum_q <= (s3_q.first ? '0 : sum_q) + sum3_q;
        pseudo_q <= pseudo3_q;
        ip_q <= ip3_q;
        fields_q <= fields3_q;
      end
    end

  // The two stores
  logic [31:0] payload;
  assign payload = 32'(get16(s4_q.header[NetBytes*8-1:0], AtUdpLength)) - 32'(UdpBytes + AppBytes);
  acis_packet_fifo #(.Width(Bytes * 8), .Depth(Beats)) u_beats (
    .clk_i, .rst_ni, .in_valid_i(valid4_q && moves && s4_q.stored), .in_ready_o(beats_ready),
    .in_data_i(s4_q.data), .commit_i(moves && ends && ours), .drop_i(moves && ends && !ours),
    .out_valid_o(beat_valid), .out_ready_i(beat_ready_i && packet_valid_o),
    .out_data_o(beat_data_o)
  );
  acis_fifo #(.Width(HeaderBytes * 8 + 32), .Depth(Packets)) u_packets (
    .clk_i, .rst_ni, .in_valid_i(moves && ends && ours), .in_ready_o(packets_ready),
    .in_data_i({s4_q.header[HeaderBytes*8-1:0], payload}), .out_valid_o(packet_valid_o),
    .out_ready_i(beat_valid_o && beat_ready_i && beat_last_o),
    .out_data_o({packet_header_o, packet_bytes_o})
  );
  acis_packet_fifo #(.Width(Bytes * 9 + 1), .Depth(Beats)) u_forward (
    .clk_i, .rst_ni, .in_valid_i(valid4_q && moves && passes), .in_ready_o(forward_ready),
    .in_data_i({s4_q.last, s4_q.keep, s4_q.data}), .commit_i(moves && ends && others),
    .drop_i(moves && ends && !others), .out_valid_o(forward_valid_o),
    .out_ready_i(forward_ready_i), .out_data_o({forward_last_o, forward_keep_o, forward_data_o})
  );

  logic unused;
  assign unused = ^{s4_q.first, s4_q.frame_bytes};

  // Beats of a packet on their way out
  logic [31:0] gone_q;
  assign beat_valid_o = beat_valid && packet_valid_o;
  assign beat_last_o = gone_q + Bytes >= packet_bytes_o + HeaderBytes;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni)
      gone_q <= '0;
    else if (beat_valid_o && beat_ready_i)
      gone_q <= beat_last_o ? '0 : gone_q + Bytes;

  `ACIS_ASSERT_INIT(Header_A, HeaderBytes >= NetBytes)
  `ACIS_ASSERT(KeepFromTheFirst_A, !in_valid_i || (in_keep_i & (in_keep_i + 1'b1)) == '0)
  `ACIS_ASSERT(KeepAll_A, !in_valid_i || in_last_i || (in_keep_i == '1))
  `ACIS_ASSERT(KeepAny_A, !in_valid_i || in_keep_i[0])
endmodule
