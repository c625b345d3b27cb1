// Packet captures in the older format, through libpcap.
#pragma once

#include "runtime/io/UdpFrame.h"

#include <cstdint>
#include <span>
#include <vector>

namespace acis::io {

struct Capture {
  std::vector<std::vector<uint8_t>> payloads; ///< of the UDP packets, in order
  std::vector<Flow> flows;                    ///< one per payload
  uint64_t others = 0;                        ///< packets that are not UDP over IPv4
};

/// Errors have no `where` but name the packet, counted from 1.
Result<Capture> parsePcap(std::span<const uint8_t> file);

/// The file that holds these frames, one microsecond apart.
Result<std::vector<uint8_t>> makePcap(std::span<const std::vector<uint8_t>> frames);

} // namespace acis::io
