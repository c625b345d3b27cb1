// Packet captures in the pcapng format (draft-ietf-opsawg-pcapng), with what the ACiS tools put
// into them: a direction and a comment for each packet, which Wireshark and tshark show.
//
// Own code, since libpcap neither writes pcapng nor gives comments to who reads it.
#pragma once

#include "backend/support/Result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace acis::capture {

inline constexpr uint16_t LinkEthernet = 1;

enum class Direction : uint8_t { Unknown, Inbound, Outbound };

struct PacketInfo {
  uint64_t nanoseconds = 0; ///< since 1970
  uint32_t interface = 0;
  Direction direction = Direction::Unknown;
  std::string comment; ///< UTF-8; "" is none
};

/// What became of a packet, as its comment: "cycles=12", "dropped: why", both, or "".
std::string packetComment(uint64_t cycles, std::string_view dropped);

/// Builds a file block by block; the blocks so far are a file that can be read. The owner
/// takes bytes() to a file and clears them.
class Writer {
public:
  /// Begins a file; `application` wrote it.
  explicit Writer(std::string_view application);

  /// One more interface, Ethernet, times in nanoseconds; returns its number.
  uint32_t addInterface(std::string_view name);
  /// A whole packet. Its interface was added before; a comment longer than an option holds
  /// (65,535 bytes) is cut.
  void addPacket(const PacketInfo &info, std::span<const uint8_t> frame);

  std::vector<uint8_t> &bytes() { return out; }
  size_t size() const { return out.size(); }

private:
  size_t open(uint32_t type);
  void close(size_t start);
  void option(uint16_t code, std::span<const uint8_t> value);
  void option(uint16_t code, std::string_view text);

  std::vector<uint8_t> out;
  uint32_t interfaces = 0;
};

struct Packet {
  PacketInfo info;
  uint16_t linkType = LinkEthernet;
  uint32_t originalBytes = 0;     ///< on the wire; frame has fewer if the capture was cut
  std::span<const uint8_t> frame; ///< within the file
};

/// Whether the bytes start as a pcapng file does.
bool isPcapNg(std::span<const uint8_t> file);

/// All packets, in the file's order, of files in either byte order and of several sections;
/// blocks of other types are skipped. Errors have no `where`, but name the block by its first
/// byte's position in the file.
Result<std::vector<Packet>> readPcapNg(std::span<const uint8_t> file);

} // namespace acis::capture
