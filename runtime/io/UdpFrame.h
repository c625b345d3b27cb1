// UDP over IPv4 over Ethernet: the payload of a frame, and a frame round a payload.
#pragma once

#include "backend/support/Result.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace acis::io {

/// Who sends to whom.
struct Flow {
  std::array<uint8_t, 6> fromMac{2, 0, 0, 0, 0, 1}, toMac{2, 0, 0, 0, 0, 2};
  uint32_t fromIp = 0x0a000001, toIp = 0x0a000002; ///< 10.0.0.1 to 10.0.0.2
  uint16_t fromPort = 0xac15, toPort = 0xac15;

  Flow reversed() const { return {toMac, fromMac, toIp, fromIp, toPort, fromPort}; }
  bool operator==(const Flow &) const = default;
};

struct UdpFrame {
  Flow flow;
  std::span<const uint8_t> payload; ///< within the frame
};

inline constexpr size_t MaxUdpPayload = 65507;

/// Takes an Ethernet frame apart (one VLAN tag is skipped). Nothing if it is whole but
/// not UDP over IPv4; an error if it claims to be and its lengths do not fit, or it is
/// a fragment. Checksums are not looked at: captures of a sending host often lack them.
Result<std::optional<UdpFrame>> parseUdpFrame(std::span<const uint8_t> frame);

/// A frame with correct lengths and checksums; at least 60 bytes, as Ethernet needs.
/// At most MaxUdpPayload bytes of payload.
std::vector<uint8_t> makeUdpFrame(const Flow &flow, std::span<const uint8_t> payload);
/// The same over IPv6, between the default MAC addresses.
std::vector<uint8_t> makeUdp6Frame(std::span<const uint8_t, 16> fromIp, uint16_t fromPort,
                                   std::span<const uint8_t, 16> toIp, uint16_t toPort,
                                   std::span<const uint8_t> payload);

} // namespace acis::io
