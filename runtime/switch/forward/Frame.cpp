#include "runtime/switch/forward/Frame.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace acis::forward {

namespace {

using Bytes = std::span<const uint8_t>;
constexpr uint16_t TypeV4 = 0x0800, TypeV6 = 0x86dd, TagC = 0x8100, TagS = 0x88a8;
constexpr uint8_t ProtocolUdp = 17;
constexpr size_t UdpHeader = 8, V4Header = 20, V6Header = 40;
constexpr unsigned MostTags = 4;

uint16_t load(Bytes bytes, size_t at) { return uint16_t(bytes[at] << 8 | bytes[at + 1]); }

void store(std::span<uint8_t> bytes, size_t at, uint16_t value) {
  bytes[at] = uint8_t(value >> 8);
  bytes[at + 1] = uint8_t(value);
}

/// RFC 1071, not folded to the end.
uint32_t sum(Bytes bytes, uint32_t start = 0) {
  uint64_t all = start;
  for (size_t i = 0; i + 1 < bytes.size(); i += 2)
    all += load(bytes, i);
  if (bytes.size() % 2)
    all += uint32_t(bytes.back() << 8);
  while (all >> 16)
    all = (all & 0xffff) + (all >> 16);
  return uint32_t(all);
}

uint16_t finish(uint32_t sum) { return uint16_t(~sum); }

/// Of the pseudo header and the datagram, as its checksum field is.
uint32_t udpSum(Bytes frame, const Datagram &d) {
  const size_t length = UdpHeader + d.payloadBytes;
  const Bytes addresses = d.isV4 ? frame.subspan(d.ip + 12, 8) : frame.subspan(d.ip + 8, 32);
  return sum(frame.subspan(d.udp, length), sum(addresses) + ProtocolUdp + uint32_t(length));
}

wire::Address addressAt(Bytes frame, size_t at, bool isV4, uint16_t port) {
  wire::Address out;
  if (isV4) {
    out.ip[10] = out.ip[11] = 0xff;
    std::copy_n(frame.begin() + long(at), 4, out.ip.begin() + 12);
  } else {
    std::copy_n(frame.begin() + long(at), 16, out.ip.begin());
  }
  out.port = port;
  return out;
}

Inside bad(std::string_view why) { return {Inside::What::Bad, {}, why}; }

/// UDP from `d.udp` on, in `bytes` bytes of IP's payload.
Inside udp(Bytes frame, Datagram d, size_t bytes) {
  if (bytes < UdpHeader)
    return bad("no room for a UDP header");
  const size_t length = load(frame, d.udp + 4);
  if (length < UdpHeader || length > bytes)
    return bad("the UDP length does not fit");
  d.payload = d.udp + UdpHeader;
  d.payloadBytes = length - UdpHeader;
  const size_t addresses = d.ip + (d.isV4 ? 12 : 8);
  d.from = addressAt(frame, addresses, d.isV4, load(frame, d.udp));
  d.to = addressAt(frame, addresses + (d.isV4 ? 4 : 16), d.isV4, load(frame, d.udp + 2));
  return {Inside::What::Udp, d, ""};
}

Inside v4(Bytes frame, size_t at) {
  const size_t room = frame.size() - at;
  if (room < V4Header || frame[at] >> 4 != 4)
    return {};
  if (frame[at + 9] != ProtocolUdp)
    return {};
  const size_t header = size_t(frame[at] & 15) * 4, total = load(frame, at + 2);
  if (header < V4Header || total < header || total > room)
    return bad("the IPv4 lengths do not fit");
  if ((load(frame, at + 6) & 0x3fff) != 0) // more follow, or it does not begin here
    return {Inside::What::Fragment, {}, ""};
  Datagram d;
  d.ip = at;
  d.udp = at + header;
  return udp(frame, d, total - header);
}

Inside v6(Bytes frame, size_t at) {
  const size_t room = frame.size() - at;
  if (room < V6Header || frame[at] >> 4 != 6 || frame[at + 6] != ProtocolUdp)
    return {};
  const size_t payload = load(frame, at + 4);
  if (payload > room - V6Header)
    return bad("the IPv6 length does not fit");
  Datagram d;
  d.isV4 = false;
  d.ip = at;
  d.udp = at + V6Header;
  return udp(frame, d, payload);
}

} // namespace

std::string Mac::str() const {
  char text[18];
  std::snprintf(text, sizeof text, "%02x:%02x:%02x:%02x:%02x:%02x", bytes[0], bytes[1], bytes[2],
                bytes[3], bytes[4], bytes[5]);
  return text;
}

Result<Mac> parseMac(std::string_view text) {
  const Error error{"", "'" + std::string(text) + "' is no MAC address such as 02:00:00:00:00:01"};
  if (text.size() != 17)
    return error;
  Mac mac;
  for (size_t i = 0; i < 6; ++i) {
    const char *first = text.data() + 3 * i;
    const auto [end, code] = std::from_chars(first, first + 2, mac.bytes[i], 16);
    if (code != std::errc() || end != first + 2 || (i < 5 && *end != ':'))
      return error;
  }
  return mac;
}

Inside inspect(Bytes frame) {
  size_t at = MacHeader - 2;
  for (unsigned tags = 0; at + 2 <= frame.size(); at += 4, ++tags) {
    const uint16_t type = load(frame, at);
    if (type == TypeV4)
      return v4(frame, at + 2);
    if (type == TypeV6)
      return v6(frame, at + 2);
    if ((type != TagC && type != TagS) || tags == MostTags)
      break;
  }
  return {};
}

bool hasGoodChecksums(const Frame &frame, const Datagram &d) {
  if (d.isV4 && sum(frame.bytes.subspan(d.ip, d.udp - d.ip)) != 0xffff)
    return false;
  if (frame.offload.needsChecksum)
    return true;
  const bool hasNone = load(frame.bytes, d.udp + 6) == 0;
  return hasNone ? d.isV4 : udpSum(frame.bytes, d) == 0xffff;
}

std::vector<uint8_t> withPayload(Bytes frame, const Datagram &d, Bytes payload) {
  const bool hasNone = d.isV4 && load(frame, d.udp + 6) == 0;
  std::vector<uint8_t> out(frame.begin(), frame.begin() + long(d.payload));
  out.insert(out.end(), payload.begin(), payload.end());
  Datagram made = d;
  made.payloadBytes = payload.size();
  if (d.isV4) {
    store(out, d.ip + 2, uint16_t(out.size() - d.ip));
    store(out, d.ip + 10, 0);
    store(out, d.ip + 10, finish(sum(Bytes(out).subspan(d.ip, d.udp - d.ip))));
  } else {
    store(out, d.ip + 4, uint16_t(out.size() - d.udp));
  }
  store(out, d.udp + 4, uint16_t(UdpHeader + payload.size()));
  store(out, d.udp + 6, 0);
  if (!hasNone) {
    const uint16_t checksum = finish(udpSum(out, made));
    store(out, d.udp + 6, checksum == 0 ? 0xffff : checksum);
  }
  out.resize(std::max(out.size(), ShortestFrame));
  return out;
}

namespace {

/// A checksum whose field has the sum of the pseudo header.
bool completeChecksum(std::vector<uint8_t> &frame, const Offload &offload) {
  const size_t start = offload.checksumStart, field = start + offload.checksumOffset;
  if (start >= frame.size() || field + 2 > frame.size())
    return false;
  const uint16_t checksum = finish(sum(Bytes(frame).subspan(start)));
  store(frame, field, checksum == 0 ? 0xffff : checksum);
  return true;
}

/// Where IP begins, behind tags; 0: the frame has none of that version.
size_t networkOf(Bytes frame, bool isV4) {
  size_t at = MacHeader - 2;
  while (at + 4 <= frame.size() && (load(frame, at) == TagC || load(frame, at) == TagS))
    at += 4;
  const size_t header = isV4 ? V4Header : V6Header;
  const bool is = at + 2 + header <= frame.size() && load(frame, at) == (isV4 ? TypeV4 : TypeV6);
  return is ? at + 2 : 0;
}

struct Tcp {
  bool isV4;
  size_t ip, tcp, payload;
};

/// The segment of a flow that begins at `at` of its payload, number `number`.
std::vector<uint8_t> tcpSegment(Bytes frame, const Tcp &t, size_t at, size_t bytes,
                                unsigned number) {
  constexpr uint8_t finAndPush = 0x09, congestionReduced = 0x80;
  std::vector<uint8_t> out(frame.begin(), frame.begin() + long(t.payload));
  const Bytes part = frame.subspan(t.payload + at, bytes);
  out.insert(out.end(), part.begin(), part.end());
  const uint32_t sequence =
      (uint32_t(load(out, t.tcp + 4)) << 16 | load(out, t.tcp + 6)) + uint32_t(at);
  store(out, t.tcp + 4, uint16_t(sequence >> 16));
  store(out, t.tcp + 6, uint16_t(sequence));
  if (t.payload + at + bytes < frame.size())
    out[t.tcp + 13] &= uint8_t(~finAndPush); // of the last
  if (number > 0)
    out[t.tcp + 13] &= uint8_t(~congestionReduced); // of the first
  const size_t length = out.size() - t.tcp;
  if (t.isV4) {
    store(out, t.ip + 2, uint16_t(out.size() - t.ip));
    store(out, t.ip + 4, uint16_t(load(out, t.ip + 4) + number));
    store(out, t.ip + 10, 0);
    store(out, t.ip + 10, finish(sum(Bytes(out).subspan(t.ip, t.tcp - t.ip))));
  } else {
    store(out, t.ip + 4, uint16_t(out.size() - t.ip - V6Header));
  }
  constexpr uint32_t protocol = 6;
  const Bytes addresses = Bytes(out).subspan(t.ip + (t.isV4 ? 12 : 8), t.isV4 ? 8 : 32);
  store(out, t.tcp + 16, 0);
  store(out, t.tcp + 16,
        finish(sum(Bytes(out).subspan(t.tcp), sum(addresses) + protocol + uint32_t(length))));
  return out;
}

std::vector<std::vector<uint8_t>> cutTcp(const Frame &frame, bool isV4) {
  constexpr size_t leastTcp = 20;
  const Offload &offload = frame.offload;
  Tcp t{isV4, networkOf(frame.bytes, isV4), offload.checksumStart, 0};
  if (t.ip == 0 || t.tcp < t.ip + (isV4 ? V4Header : V6Header) ||
      t.tcp + leastTcp > frame.bytes.size())
    return {};
  t.payload = t.tcp + size_t(frame.bytes[t.tcp + 12] >> 4) * 4;
  if (t.payload < t.tcp + leastTcp || t.payload >= frame.bytes.size())
    return {};
  std::vector<std::vector<uint8_t>> out;
  for (size_t at = 0, all = frame.bytes.size() - t.payload; at < all; at += offload.segmentBytes)
    out.push_back(tcpSegment(frame.bytes, t, at, std::min<size_t>(offload.segmentBytes, all - at),
                             unsigned(out.size())));
  return out;
}

std::vector<std::vector<uint8_t>> cutUdp(const Frame &frame) {
  const Inside inside = inspect(frame.bytes);
  if (inside.what != Inside::What::Udp)
    return {};
  std::vector<std::vector<uint8_t>> out;
  const Bytes payload = frame.bytes.subspan(inside.datagram.payload, inside.datagram.payloadBytes);
  for (size_t at = 0; at < payload.size(); at += frame.offload.segmentBytes)
    out.push_back(withPayload(
        frame.bytes, inside.datagram,
        payload.subspan(at, std::min<size_t>(frame.offload.segmentBytes, payload.size() - at))));
  return out;
}

} // namespace

std::vector<std::vector<uint8_t>> cut(const Frame &frame) {
  const Offload &offload = frame.offload;
  if (offload.segmentation != Offload::None && offload.segmentBytes == 0)
    return {};
  switch (offload.segmentation & ~Offload::Ecn) {
  case Offload::TcpV4:
  case Offload::TcpV6:
    return cutTcp(frame, (offload.segmentation & ~Offload::Ecn) == Offload::TcpV4);
  case Offload::UdpSegments:
    return cutUdp(frame);
  case Offload::None:
    break;
  default:
    return {};
  }
  std::vector<std::vector<uint8_t>> out{{frame.bytes.begin(), frame.bytes.end()}};
  if (offload.needsChecksum && !completeChecksum(out.front(), offload))
    out.clear();
  return out;
}

} // namespace acis::forward
