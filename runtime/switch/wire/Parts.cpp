#include "runtime/switch/wire/Parts.h"

#include <utility>

namespace acis::wire {

bool isCut(PacketType type) {
  switch (type) {
  case PacketType::Report:
  case PacketType::Order:
  case PacketType::Move:
  case PacketType::Moved:
  case PacketType::Share:
  case PacketType::Sum:
  case PacketType::Access:
  case PacketType::Outcome:
    return true;
  default:
    return false;
  }
}

namespace {

bool isOfSame(const Header &a, const Header &b) {
  return a.type == b.type && a.context == b.context && a.slot == b.slot && a.root == b.root &&
         a.parts == b.parts && a.count == b.count && a.fragment == b.fragment &&
         a.handle == b.handle;
}

/// Whether this is a part of the length that it has to have.
bool isSound(const Header &header, size_t payload, uint32_t packetBytes) {
  if (packetBytes == 0 || header.count > MaxPacketPayload)
    return false;
  const size_t parts = (size_t(header.count) + packetBytes - 1) / packetBytes;
  const size_t from = size_t(header.part) * packetBytes;
  return parts == header.parts && header.part < parts &&
         payload == std::min<size_t>(packetBytes, header.count - from);
}

} // namespace

Assembler::At Assembler::find(const Header &header) {
  return std::find_if(kept.begin(), kept.end(),
                      [&](const Whole &one) { return isOfSame(one.header, header); });
}

void Assembler::drop(At at, const Charge &charge) {
  if (charge)
    (void)charge(-int64_t(at->header.count));
  kept.erase(at);
}

void Assembler::forget(const Charge &charge) {
  while (!kept.empty())
    drop(kept.begin(), charge);
}

std::optional<std::vector<uint8_t>> Assembler::take(Header &header,
                                                    std::span<const uint8_t> payload,
                                                    uint32_t packetBytes, const Charge &charge) {
  if (!isSound(header, payload.size(), packetBytes))
    return std::nullopt;
  At at = find(header);
  if (at == kept.end()) {
    if (kept.size() >= MostKept)
      drop(kept.begin(), charge);
    if (charge && !charge(int64_t(header.count)))
      return std::nullopt; // it is said again
    at = kept.insert(kept.end(), {header, 0, std::vector<uint8_t>(header.count)});
  }
  std::copy(payload.begin(), payload.end(),
            at->bytes.begin() + long(size_t(header.part) * packetBytes));
  at->seen |= uint64_t(1) << header.part;
  if (at->seen != (header.parts == 64 ? ~uint64_t(0) : (uint64_t(1) << header.parts) - 1))
    return std::nullopt;
  std::vector<uint8_t> whole = std::move(at->bytes);
  drop(at, charge);
  const uint64_t sum = checksum(whole.data(), whole.size()).low;
  if (uint32_t(sum) != header.fragment || uint32_t(sum >> 32) != header.handle)
    return std::nullopt; // of no good end
  header.length = header.count;
  header.part = 0;
  header.parts = 1;
  header.count = header.fragment = header.handle = 0;
  return whole;
}

} // namespace acis::wire
