// Ethernet frames that pass a switch: what of them is a UDP datagram, and the same frame round
// another payload. Every byte is hostile; nothing here reads past a frame's end.
#pragma once

#include "backend/support/Result.h"
#include "runtime/switch/wire/Address.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace acis::forward {

struct Mac {
  std::array<uint8_t, 6> bytes{};
  bool isGroup() const { return bytes[0] & 1; }
  std::string str() const;
  auto operator<=>(const Mac &) const = default;
};
/// "02:00:00:00:00:01"
Result<Mac> parseMac(std::string_view text);

constexpr size_t MacHeader = 14;        ///< both addresses and a type
constexpr size_t ShortestFrame = 60;    ///< on Ethernet, without the check sequence
constexpr size_t LongestFrame = 65'550; ///< what a system gives where it cuts frames later

/// What systems put off: a frame between two of them may have a checksum that is yet to be
/// completed, or be several datagrams of one flow that are yet to be cut. Fields as in struct
/// virtio_net_hdr of Linux.
struct Offload {
  enum : uint8_t { None = 0, TcpV4 = 1, TcpV6 = 4, UdpSegments = 5, Ecn = 0x80 };
  bool needsChecksum = false;
  uint8_t segmentation = None;
  uint16_t headerBytes = 0, segmentBytes = 0;
  uint16_t checksumStart = 0, checksumOffset = 0;
  bool operator==(const Offload &) const = default;
};

struct Frame {
  std::span<const uint8_t> bytes;
  Offload offload;
};

/// Where a whole UDP datagram lies in a frame.
struct Datagram {
  wire::Address from, to;
  bool isV4 = true;
  size_t ip = 0, udp = 0, payload = 0, payloadBytes = 0;
};

/// What a frame has inside.
struct Inside {
  enum class What : uint8_t { Other, Fragment, Bad, Udp } what = What::Other;
  Datagram datagram;    ///< Udp
  std::string_view why; ///< Bad: what is wrong, in a frame that says it is UDP
};
/// Behind any number of up to four VLAN tags. IPv6 with extension headers is Other.
Inside inspect(std::span<const uint8_t> frame);

/// Whether IPv4's and UDP's checksums hold; one that was put off does.
bool hasGoodChecksums(const Frame &frame, const Datagram &datagram);

/// The frame with this payload: lengths and checksums are right, all other headers the same; what
/// is too short for Ethernet is filled up. At most 65,507 bytes of payload (IPv6: 65,527). A
/// datagram without checksum (IPv4) has none afterwards.
std::vector<uint8_t> withPayload(std::span<const uint8_t> frame, const Datagram &datagram,
                                 std::span<const uint8_t> payload);

/// The frames that a network takes in place of one for which work was put off: cut, with all
/// checksums. None: it is not what it says to be.
std::vector<std::vector<uint8_t>> cut(const Frame &frame);

} // namespace acis::forward
