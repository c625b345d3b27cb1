// Ethernet II, IPv4 without options, UDP (RFC 894, 791, 768): where the fields of a header
// are, and sums of 16-bit words in ones' complement (RFC 1071). Byte k of a frame is bits
// 8k+7:8k of a vector; fields of several bytes are big-endian.
package acis_net_pkg;

  parameter int unsigned EthernetBytes = 14;
  parameter int unsigned IpBytes       = 20;
  parameter int unsigned UdpBytes      = 8;
  parameter int unsigned NetBytes      = EthernetBytes + IpBytes + UdpBytes;
  parameter int unsigned MinFrame      = 60;   // without the frame check sequence

  // Places in the frame
  parameter int unsigned AtMacTo       = 0;
  parameter int unsigned AtMacFrom     = 6;
  parameter int unsigned AtEtherType   = 12;
  parameter int unsigned AtVersion     = 14;
  parameter int unsigned AtIpLength    = 16;
  parameter int unsigned AtFragment    = 20;
  parameter int unsigned AtProtocol    = 23;
  parameter int unsigned AtIpSum       = 24;
  parameter int unsigned AtIpFrom      = 26;
  parameter int unsigned AtIpTo        = 30;
  parameter int unsigned AtPortFrom    = 34;
  parameter int unsigned AtPortTo      = 36;
  parameter int unsigned AtUdpLength   = 38;
  parameter int unsigned AtUdpSum      = 40;

  typedef logic [NetBytes*8-1:0] net_header_t;

  function automatic logic [15:0] get16(net_header_t header, int unsigned at);
    return {header[at*8 +: 8], header[at*8+8 +: 8]};
  endfunction

  function automatic logic [15:0] swap16(logic [15:0] value);
    return {value[7:0], value[15:8]};
  endfunction

  // A sum of words, to 16 bits, carries added at the end.
  function automatic logic [15:0] fold(logic [31:0] sum);
    logic [16:0] once;
    once = {1'b0, sum[15:0]} + {1'b0, sum[31:16]};
    return once[15:0] + 16'(once[16]);
  endfunction

  // The words of the IPv4 header, its checksum included.
  function automatic logic [31:0] ipSum(net_header_t header);
    logic [31:0] sum;
    sum = '0;
    for (int unsigned i = 0; i < IpBytes; i += 2)
      sum += 32'(get16(header, EthernetBytes + i));
    return sum;
  endfunction

  // What UDP sums beside its own header and data: addresses, protocol, length.
  function automatic logic [31:0] pseudoSum(net_header_t header);
    logic [31:0] sum;
    sum = 32'd17 + 32'(get16(header, AtUdpLength));
    for (int unsigned i = 0; i < 8; i += 2)
      sum += 32'(get16(header, AtIpFrom + i));
    return sum;
  endfunction

endpackage
