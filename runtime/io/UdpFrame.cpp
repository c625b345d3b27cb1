// Frames byte by byte: every length is compared with what is there before it is used.
#include "runtime/io/UdpFrame.h"

#include <algorithm>
#include <cassert>
#include <string>

namespace acis::io {

namespace {

constexpr size_t etherBytes = 14, vlanBytes = 4, ipBytes = 20, udpBytes = 8, minFrameBytes = 60;
constexpr unsigned etherIpv4 = 0x0800, etherIpv6 = 0x86dd, etherVlan = 0x8100;
constexpr uint8_t protocolUdp = 17;

unsigned get16(std::span<const uint8_t> bytes, size_t at) { return bytes[at] << 8 | bytes[at + 1]; }
uint32_t get32(std::span<const uint8_t> bytes, size_t at) {
  return uint32_t(get16(bytes, at)) << 16 | get16(bytes, at + 2);
}
void put16(std::span<uint8_t> bytes, size_t at, unsigned value) {
  bytes[at] = static_cast<uint8_t>(value >> 8);
  bytes[at + 1] = static_cast<uint8_t>(value);
}
void put32(std::span<uint8_t> bytes, size_t at, uint32_t value) {
  put16(bytes, at, value >> 16);
  put16(bytes, at + 2, value & 0xffff);
}

Error wrong(const std::string &what, size_t found, size_t needed) {
  return {"",
          what + " of " + std::to_string(found) + " bytes, needed are " + std::to_string(needed)};
}

/// The ones' complement sum of RFC 1071, not yet complemented.
uint32_t onesSum(std::span<const uint8_t> bytes, uint32_t sum = 0) {
  for (size_t i = 0; i + 1 < bytes.size(); i += 2)
    sum += get16(bytes, i);
  if (bytes.size() % 2)
    sum += bytes.back() << 8;
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return sum;
}

/// Header and payload; `addresses` is the sum over both addresses of the pseudo header.
void fillUdp(std::span<uint8_t> udp, uint16_t fromPort, uint16_t toPort,
             std::span<const uint8_t> payload, uint32_t addresses) {
  put16(udp, 0, fromPort);
  put16(udp, 2, toPort);
  put16(udp, 4, static_cast<unsigned>(udp.size()));
  std::ranges::copy(payload, udp.begin() + udpBytes);
  const uint32_t pseudo = addresses + protocolUdp + static_cast<uint32_t>(udp.size());
  const unsigned checksum = ~onesSum(udp, pseudo) & 0xffff;
  put16(udp, 6, checksum ? checksum : 0xffff); // 0 would mean "none"
}

} // namespace

Result<std::optional<UdpFrame>> parseUdpFrame(std::span<const uint8_t> frame) {
  constexpr std::optional<UdpFrame> none;
  if (frame.size() < etherBytes)
    return wrong("found a frame", frame.size(), etherBytes);
  UdpFrame result;
  std::copy_n(frame.begin(), 6, result.flow.toMac.begin());
  std::copy_n(frame.begin() + 6, 6, result.flow.fromMac.begin());
  size_t start = etherBytes;
  unsigned type = get16(frame, 12);
  if (type == etherVlan) {
    if (frame.size() < etherBytes + vlanBytes)
      return wrong("found a frame", frame.size(), etherBytes + vlanBytes);
    type = get16(frame, 16);
    start += vlanBytes;
  }
  if (type != etherIpv4)
    return none;

  std::span<const uint8_t> ip = frame.subspan(start);
  if (ip.size() < ipBytes)
    return wrong("found an IPv4 header", ip.size(), ipBytes);
  size_t headerBytes = (ip[0] & 15) * 4, totalBytes = get16(ip, 2);
  if (ip[0] >> 4 != 4 || headerBytes < ipBytes)
    return Error{"", "found an IPv4 header with first byte " + std::to_string(ip[0]) +
                         ", allowed are 69 to 79"};
  if (totalBytes < headerBytes || totalBytes > ip.size())
    return Error{"", "found an IPv4 length of " + std::to_string(totalBytes) + ", allowed are " +
                         std::to_string(headerBytes) + " to " + std::to_string(ip.size())};
  if (ip[9] != protocolUdp)
    return none;
  if (get16(ip, 6) & 0x3fff)
    return Error{"", "found a fragment of an IPv4 packet, allowed are whole packets"};
  result.flow.fromIp = get32(ip, 12);
  result.flow.toIp = get32(ip, 16);

  std::span<const uint8_t> udp = ip.subspan(headerBytes, totalBytes - headerBytes);
  if (udp.size() < udpBytes)
    return wrong("found a UDP header", udp.size(), udpBytes);
  size_t length = get16(udp, 4);
  if (length < udpBytes || length > udp.size())
    return Error{"", "found a UDP length of " + std::to_string(length) + ", allowed are " +
                         std::to_string(udpBytes) + " to " + std::to_string(udp.size())};
  result.flow.fromPort = static_cast<uint16_t>(get16(udp, 0));
  result.flow.toPort = static_cast<uint16_t>(get16(udp, 2));
  result.payload = udp.subspan(udpBytes, length - udpBytes);
  return std::optional<UdpFrame>(result);
}

std::vector<uint8_t> makeUdpFrame(const Flow &flow, std::span<const uint8_t> payload) {
  assert(payload.size() <= MaxUdpPayload);
  size_t udpLength = udpBytes + payload.size(), ipLength = ipBytes + udpLength;
  std::vector<uint8_t> frame(std::max(minFrameBytes, etherBytes + ipLength), 0);
  std::ranges::copy(flow.toMac, frame.begin());
  std::ranges::copy(flow.fromMac, frame.begin() + 6);
  put16(frame, 12, etherIpv4);

  std::span<uint8_t> ip = std::span(frame).subspan(etherBytes, ipLength);
  ip[0] = 0x45;
  put16(ip, 2, static_cast<unsigned>(ipLength));
  put16(ip, 6, 0x4000); // do not fragment
  ip[8] = 64;           // hops
  ip[9] = protocolUdp;
  put32(ip, 12, flow.fromIp);
  put32(ip, 16, flow.toIp);
  put16(ip, 10, ~onesSum(ip.first(ipBytes)) & 0xffff);

  fillUdp(ip.subspan(ipBytes), flow.fromPort, flow.toPort, payload, onesSum(ip.subspan(12, 8)));
  return frame;
}

std::vector<uint8_t> makeUdp6Frame(std::span<const uint8_t, 16> fromIp, uint16_t fromPort,
                                   std::span<const uint8_t, 16> toIp, uint16_t toPort,
                                   std::span<const uint8_t> payload) {
  assert(payload.size() <= MaxUdpPayload);
  constexpr size_t ip6Bytes = 40;
  const size_t udpLength = udpBytes + payload.size();
  std::vector<uint8_t> frame(std::max(minFrameBytes, etherBytes + ip6Bytes + udpLength), 0);
  const Flow macs;
  std::ranges::copy(macs.toMac, frame.begin());
  std::ranges::copy(macs.fromMac, frame.begin() + 6);
  put16(frame, 12, etherIpv6);
  std::span<uint8_t> ip = std::span(frame).subspan(etherBytes, ip6Bytes + udpLength);
  ip[0] = 0x60;
  put16(ip, 4, static_cast<unsigned>(udpLength));
  ip[6] = protocolUdp;
  ip[7] = 64; // hops
  std::ranges::copy(fromIp, ip.begin() + 8);
  std::ranges::copy(toIp, ip.begin() + 24);
  fillUdp(ip.subspan(ip6Bytes), fromPort, toPort, payload, onesSum(ip.subspan(8, 32)));
  return frame;
}

} // namespace acis::io
