// Requests, answers and states that are longer than what a path takes in one piece: Report, Order,
// Move, Moved, Share, Sum, Access and Outcome. (Messages of collectives are cut by those who make
// them.) They travel in parts of equal length, of which the last may be shorter. Each says how long
// the whole is, and a checksum of it: so what is said again adds to the parts that have come, and
// parts of different contents are never mixed.
#pragma once

#include "runtime/switch/wire/Checksum.h"
#include "runtime/switch/wire/Header.h"

#include <algorithm>
#include <functional>
#include <list>
#include <optional>
#include <span>
#include <vector>

namespace acis::wire {

/// Whether payloads of this type are cut and put together here.
bool isCut(PacketType type);

/// Calls send(header, payload) for each part of a payload, of `packetBytes` (at least 1) at most;
/// for the whole of one that fits, or is not cut here.
template <typename Send>
void cut(const Header &header, std::span<const uint8_t> payload, uint32_t packetBytes, Send send) {
  const size_t parts = (payload.size() + packetBytes - 1) / packetBytes;
  if (parts < 2 || parts > MaxParts || !isCut(header.type))
    return send(header, payload);
  Header part = header;
  const uint64_t sum = checksum(payload.data(), payload.size()).low;
  part.parts = uint16_t(parts);
  part.count = uint32_t(payload.size());
  part.fragment = uint32_t(sum);
  part.handle = uint32_t(sum >> 32);
  for (size_t i = 0, from = 0; i < parts; ++i, from += packetBytes) {
    part.part = uint16_t(i);
    send(part, payload.subspan(from, std::min<size_t>(packetBytes, payload.size() - from)));
  }
}

/// Puts the parts of one session and direction together again. Of what is not whole the last
/// MostKept are kept.
class Assembler {
public:
  static constexpr size_t MostKept = 32;
  /// Takes, or with a negative number gives back, bytes; false: there are none left.
  using Charge = std::function<bool(int64_t bytes)>;

  /// A packet with several parts, of a session with packets of `packetBytes`. When with it the
  /// whole is here: that, and the header becomes what it was before it was cut.
  std::optional<std::vector<uint8_t>> take(Header &header, std::span<const uint8_t> payload,
                                           uint32_t packetBytes, const Charge &charge = {});
  void forget(const Charge &charge = {});
  bool isEmpty() const { return kept.empty(); }

private:
  struct Whole {
    Header header; ///< of any of its parts
    uint64_t seen = 0;
    std::vector<uint8_t> bytes;
  };
  using At = std::list<Whole>::iterator;

  At find(const Header &header);
  void drop(At at, const Charge &charge);

  std::list<Whole> kept; ///< the last one that was begun at the end
};

} // namespace acis::wire
