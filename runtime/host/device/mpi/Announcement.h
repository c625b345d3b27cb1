// The message that announces a large one. It is sent where the program's own would be (its
// communicator, tag and mode), so matching and order are MPI's. Its header is at its end.
#pragma once

#include "runtime/host/device/Choices.h"

#include <array>
#include <cstdint>

namespace acis::device {

/// As it is in memory: ranks of one job have the same layout of data.
struct Header {
  std::array<uint64_t, 2> cookie{}; ///< the job's
  uint64_t bytes = 0;               ///< of the message
  uint64_t chunk = 0;               ///< bytes of all chunks but the last
  uint32_t sender = 0;              ///< its rank in MPI_COMM_WORLD
  uint32_t tag = 0;                 ///< of the chunks
  uint32_t slot = 0;                ///< of Way::Peer: where both ends see its state
  uint32_t way = 0;
  uint64_t memory = 0; ///< of Way::Peer: the number of the sender's exported memory
  uint64_t offset = 0; ///< in it

  uint64_t numChunks() const { return (bytes + chunk - 1) / chunk; }
  uint64_t chunkAt(uint64_t i) const { return i + 1 < numChunks() ? chunk : bytes - i * chunk; }
};

struct Announcement {
  std::array<char, AnnouncementBytes - sizeof(Header)> filler{};
  Header header;
};
static_assert(sizeof(Announcement) == AnnouncementBytes);

} // namespace acis::device
