// Puts headers on what the core sends. The header is that of the packet that the invocation
// began with; lengths and checksums are made new, and in attached mode (swap_i) source and
// destination change places, so that the packet goes back to where it came from.
//
// UDP's checksum stands before the data that it is of, and its length before that is known: a
// packet is stored until the core has ended it. An invocation that sends nothing sends no
// packet. One that sends more than the store holds sends none either, and too_long_o says so.
`include "acis_assert.svh"

module acis_assembler
  import acis_net_pkg::*;
#(
  parameter int unsigned Bytes       = 64,    // of a beat, a power of two
  parameter int unsigned HeaderBytes = 42,
  parameter int unsigned Beats       = 256,   // of the store
  parameter int unsigned Waiting     = 64,    // packets that no invocation owns yet
  parameter int unsigned Open        = 64     // invocations that have begun and not ended
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       swap_i,

  // The core
  input  logic                       packet_i,      // takes a packet with this header
  input  logic [HeaderBytes*8-1:0]   header_i,
  input  logic                       owns_i,        // an invocation gets the oldest packet,
  input  logic                       begins_i,      // and begins with it
  input  logic                       core_valid_i,
  output logic                       core_ready_o,
  input  logic [Bytes*8-1:0]         core_data_i,   // bytes past core_bytes_i are 0
  input  logic [$clog2(Bytes+1)-1:0] core_bytes_i,
  input  logic                       core_last_i,
  input  logic                       core_eop_i,    // the packet ended with the beat before

  // Frames: AXI4-Stream
  output logic                       out_valid_o,
  input  logic                       out_ready_i,
  output logic [Bytes*8-1:0]         out_data_o,
  output logic [Bytes-1:0]           out_keep_o,
  output logic                       out_last_o,

  output logic                       busy_o,        // something is on its way out
  output logic                       too_long_o     // a packet was thrown away
);
  localparam int unsigned AppBytes = HeaderBytes - NetBytes;
  localparam int unsigned Whole    = HeaderBytes / Bytes;
  localparam int unsigned Offset   = HeaderBytes % Bytes;
  localparam int unsigned Index    = $clog2(Beats + 1);
  localparam int unsigned Count    = $clog2(Bytes + 1);
  localparam int unsigned HeadBits = HeaderBytes * 8;
  typedef struct packed {
    logic [HeadBits-1:0] header;
    logic [31:0] bytes;            // of the payload
    logic [31:0] sum;              // of its words; later of all that UDP's checksum is of
    logic [31:0] ip;               // of the IPv4 header
  } packet_t;

  // Headers: of packets that wait, of invocations that have begun
  logic [HeadBits-1:0] waiting_header, open_header;
  logic waiting_valid, open_valid, waiting_ready, open_ready, ends;
  acis_block_fifo #(.Width(HeadBits), .Depth(Waiting)) u_waiting (
    .clk_i, .rst_ni, .in_valid_i(packet_i), .in_ready_o(waiting_ready), .in_data_i(header_i),
    .out_valid_o(waiting_valid), .out_ready_i(owns_i), .out_data_o(waiting_header)
  );
  acis_block_fifo #(.Width(HeadBits), .Depth(Open)) u_open (
    .clk_i, .rst_ni, .in_valid_i(owns_i && begins_i), .in_ready_o(open_ready),
    .in_data_i(waiting_header), .out_valid_o(open_valid), .out_ready_i(ends),
    .out_data_o(open_header)
  );

  // The core's beats. Only the end of a packet makes a packet_t, so that there is room for it
  // when eop_i comes, which cannot be held back.
  logic [Index-1:0] index_q, index;
  logic [31:0] bytes_q, bytes, beat_sum;
  logic takes, full_q, any_q, any, sends, beats_ready, made_ready, beat_valid, beat_pops;
  logic [Bytes*8-1:0] beat;
  logic end_q, part_q, first_q, made_first_q, too_long_q;
  logic [31:0] part_sum_q, sum_q, sum;
  packet_t end_packet_q, made, front, p1_q, p2_q, p3_q;
  logic p1_valid_q, p2_valid_q, p3_valid_q, p1_moves, p2_moves, p3_moves;
  logic made_valid;
  assign core_ready_o = (beats_ready || full_q) && made_ready && !end_q;
  assign takes = core_valid_i && core_ready_o;
  assign index = takes && !full_q ? index_q + 1'b1 : index_q;
  assign bytes = takes ? bytes_q + 32'(core_bytes_i) : bytes_q;
  assign ends = (takes && core_last_i) || core_eop_i;
  assign any = any_q || (takes && core_bytes_i != '0);     // of `bytes`
  assign sends = ends && any && !(takes && full_q) && !too_long_q;
  acis_packet_fifo #(.Width(Bytes * 8), .Depth(Beats)) u_beats (
    .clk_i, .rst_ni, .in_valid_i(takes && !full_q), .in_ready_o(beats_ready),
    .in_data_i(core_data_i), .commit_i(sends), .drop_i(ends && !sends),
    .out_valid_o(beat_valid), .out_ready_i(beat_pops), .out_data_o(beat)
  );
  assign too_long_o = ends && any && !sends;
  acis_beat_sum #(.Bytes(Bytes)) u_sum (.data_i(core_data_i), .sum_o(beat_sum));
  assign sum = (made_first_q ? '0 : sum_q) + (part_q ? part_sum_q : '0);

  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      {index_q, full_q, bytes_q, any_q, end_q, part_q, too_long_q, sum_q} <= '0;
      {first_q, made_first_q} <= '1;
    end else begin
      index_q <= ends ? '0 : index;
      full_q <= !ends && index == Index'(Beats);
      bytes_q <= ends ? '0 : bytes;
      any_q <= !ends && any;
      too_long_q <= !ends && (too_long_q || (takes && full_q));
      part_q <= takes;
      end_q <= sends;
      if (takes || ends)
        first_q <= ends;
      made_first_q <= first_q;
      sum_q <= sum;
    end
  always_ff @(posedge clk_i) begin
    part_sum_q <= beat_sum;
    if (ends)
      end_packet_q <= '{header: open_header, bytes: bytes, sum: '0, ip: '0};
  end
  always_comb begin
    made = end_packet_q;
    made.sum = sum;
  end
  acis_fifo #(.Width($bits(packet_t)), .Depth(4)) u_made (
    .clk_i, .rst_ni, .in_valid_i(end_q), .in_ready_o(made_ready), .in_data_i(made),
    .out_valid_o(made_valid), .out_ready_i(!p1_valid_q || p1_moves), .out_data_o(front)
  );

  // The new header: addresses and lengths, then sums, then checksums
  function automatic packet_t readdressed(packet_t packet, logic swap);
    packet_t p;
    logic [15:0] udp, ip;
    p = packet;
    if (swap) begin
      p.header[AtMacTo*8 +: 48] = packet.header[AtMacFrom*8 +: 48];
      p.header[AtMacFrom*8 +: 48] = packet.header[AtMacTo*8 +: 48];
      p.header[AtIpFrom*8 +: 32] = packet.header[AtIpTo*8 +: 32];
      p.header[AtIpTo*8 +: 32] = packet.header[AtIpFrom*8 +: 32];
      p.header[AtPortFrom*8 +: 16] = packet.header[AtPortTo*8 +: 16];
      p.header[AtPortTo*8 +: 16] = packet.header[AtPortFrom*8 +: 16];
    end
    udp = 16'(packet.bytes + UdpBytes + AppBytes);
    ip = udp + 16'(IpBytes);
    p.header[AtIpLength*8 +: 16] = swap16(ip);
    p.header[AtUdpLength*8 +: 16] = swap16(udp);
    p.header[AtIpSum*8 +: 16] = '0;
    p.header[AtUdpSum*8 +: 16] = '0;
    return p;
  endfunction
  function automatic packet_t summed(packet_t packet);
    packet_t p;
    p = packet;
    p.ip = ipSum(packet.header[NetBytes*8-1:0]);
    p.sum = packet.sum + pseudoSum(packet.header[NetBytes*8-1:0]);
    for (int unsigned i = AtPortFrom; i < HeaderBytes; i += 2)
      p.sum += {16'd0, packet.header[i*8 +: 8],
                i + 1 < HeaderBytes ? packet.header[(i+1)*8 +: 8] : 8'd0};
    return p;
  endfunction
  function automatic packet_t checked(packet_t packet);
    packet_t p;
    logic [15:0] udp;
    p = packet;
    udp = ~fold(packet.sum);
    p.header[AtIpSum*8 +: 16] = swap16(~fold(packet.ip));
    p.header[AtUdpSum*8 +: 16] = swap16(udp == '0 ? 16'hffff : udp);   // 0 means none
    return p;
  endfunction
  assign p1_moves = !p2_valid_q || p2_moves;
  assign p2_moves = !p3_valid_q || p3_moves;
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      {p1_valid_q, p2_valid_q, p3_valid_q} <= '0;
    end else begin
      if (!p1_valid_q || p1_moves)
        p1_valid_q <= made_valid;
      if (p1_moves)
        p2_valid_q <= p1_valid_q;
      if (p2_moves)
        p3_valid_q <= p2_valid_q;
    end
  always_ff @(posedge clk_i) begin
    if (!p1_valid_q || p1_moves)
      p1_q <= readdressed(front, swap_i);
    if (p1_moves)
      p2_q <= summed(p1_q);
    if (p2_moves)
      p3_q <= checked(p2_q);
  end

  // Beats: the header's, then the payload's shifted by what is left of it
  logic [31:0] at_q, total, frame, left;     // bytes that have gone; of packet and frame
  logic [Bytes*8-1:0] rest_q, rest, payload;
  logic [2*Bytes*8-1:0] merged;
  logic header_beat, needs, leaves;
  logic [(Whole+1)*Bytes*8-1:0] header;
  assign total = p3_q.bytes + HeaderBytes;
  assign frame = total < MinFrame ? MinFrame : total;
  assign left = frame - at_q;
  assign header_beat = at_q + 32'd1 <= Whole * Bytes;
  assign needs = !header_beat && at_q + Offset < total;
  assign header = ((Whole+1)*Bytes*8)'(p3_q.header);
  assign payload = needs ? beat : '0;
  assign rest = at_q == Whole * Bytes ? header[Whole*Bytes*8 +: Bytes*8] : rest_q;
  assign merged = ((2*Bytes*8)'(payload) << (Offset * 8)) | (2*Bytes*8)'(rest);
  assign out_valid_o = p3_valid_q && (!needs || beat_valid);
  assign out_last_o = left <= Bytes;
  assign leaves = out_valid_o && out_ready_i;
  assign beat_pops = leaves && needs;
  assign p3_moves = leaves && out_last_o;
  always_comb begin
    out_data_o = merged[Bytes*8-1:0];
    for (int h = 0; h < int'(Whole); ++h)
      if (at_q == 32'(h) * Bytes)
        out_data_o = header[h*Bytes*8 +: Bytes*8];
    for (int b = 0; b < int'(Bytes); ++b)
      out_keep_o[b] = !out_last_o || Count'(b) < Count'(left);
  end
  always_ff @(posedge clk_i or negedge rst_ni)
    if (!rst_ni)
      {at_q, rest_q} <= '0;
    else if (leaves) begin
      at_q <= out_last_o ? '0 : at_q + Bytes;
      rest_q <= merged[2*Bytes*8-1:Bytes*8];
    end

  logic unused;
  assign unused = ^{p3_q.sum, p3_q.ip};   // in the header by now
  assign busy_o = end_q || made_valid || p1_valid_q || p2_valid_q || p3_valid_q;

  `ACIS_ASSERT_INIT(Header_A, HeaderBytes >= NetBytes)
  `ACIS_ASSERT(HeaderRoom_A, (!packet_i || waiting_ready) && (!(owns_i && begins_i) || open_ready))
  `ACIS_ASSERT(HeaderThere_A, (!owns_i || waiting_valid) && (!ends || open_valid))
  `ACIS_ASSERT(EndHasRoom_A, !end_q || made_ready)
endmodule
