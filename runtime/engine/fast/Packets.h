// The input stream: packets one after the other, of which an invocation owns the
// shortest run that holds what it reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace acis::fast {

class Packets {
public:
  void clear() { *this = Packets(); }
  void push(std::span<const uint8_t> payload);
  bool empty() const { return sizes.empty(); }

  /// Bytes from the start of the first packet on, over packet boundaries.
  std::span<const uint8_t> bytes() const { return std::span(data).subspan(begin); }
  /// Payload length of the first packet.
  uint32_t firstLength() const { return uint32_t(sizes.front()); }

  struct Taken {
    uint64_t packets = 0, bytes = 0, beats = 0;
  };
  /// Drops the shortest run of packets, at least one, with `end` bytes or more.
  Taken take(uint64_t end, unsigned beatBytes);

private:
  std::vector<uint8_t> data;
  size_t begin = 0; ///< of the first packet in data
  std::deque<size_t> sizes;
};

} // namespace acis::fast
