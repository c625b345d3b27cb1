// See StreamIn.h. Data stays in one buffer; what moves is the number of bytes that
// each place holds.
#include "runtime/engine/model/StreamIn.h"

#include <algorithm>

namespace acis::model {

void StreamIn::reset(const Overlay &overlay) {
  *this = StreamIn();
  beatBytes = overlay.beatBytes();
  headerBytes = overlay.headerBytes;
  fifoBeats = overlay.fifoBeats;
  alignerBytes = (2 + overlay.stallLatency) * beatBytes;
  pops.reset(overlay.stallLatency);
}

void StreamIn::push(std::span<const uint8_t> payload) {
  data.insert(data.end(), payload.begin(), payload.end());
  ends.push_back(data.size());
}

bool StreamIn::compact() {
  if (consumed != data.size() || wirePacket != ends.size() || !commands.empty())
    return false;
  data.clear();
  ends.clear();
  visible = owned = wirePacket = 0;
  wireBeat = shifted = consumed = base = 0;
  aligned = 0;
  return true;
}

size_t StreamIn::packetAfter(size_t first, uint64_t end) const {
  if (first >= ends.size())
    return ends.size() + 1;
  const auto last =
      std::lower_bound(ends.begin() + ptrdiff_t(first), ends.end(), begin(first) + end);
  return size_t(last - ends.begin()) + 1;
}

void StreamIn::addRead(uint64_t position, uint64_t bytes, uint32_t pc) {
  commands.push_back({.position = position, .left = bytes, .pc = pc});
}

void StreamIn::addEnd(size_t next) { commands.push_back({.end = true, .next = next}); }

bool StreamIn::ready(unsigned bytes) const {
  if (pops.cycles() != 0)
    return aligned >= onTheirWay + bytes && holdsNext();
  return !commands.empty() && !commands.front().end &&
         consumed == base + commands.front().position && aligned >= bytes;
}

/// Whether the byte behind what is on its way is of a command that is reached without dropping any.
/// An end of an invocation takes the cycle of the pop before it, or this one, so that there is one
/// at most.
bool StreamIn::holdsNext() const {
  uint64_t before = onTheirWay, at = consumed, start = base;
  bool ended = false;
  for (const Command &command : commands) {
    if (command.end) {
      if (ended || begin(command.next) != at)
        return false;
      start = at;
      ended = true;
      continue;
    }
    if (start + command.position != at)
      return false;
    if (before < command.left)
      return true;
    before -= command.left;
    at += command.left;
    ended = false;
  }
  return false;
}

void StreamIn::decide(unsigned bytes) {
  if (pops.cycles() == 0) {
    pop(bytes);
    return;
  }
  pops.add(bytes);
  onTheirWay += bytes;
}

void StreamIn::begin() {
  pops.begin([this](unsigned bytes) {
    onTheirWay -= bytes;
    pop(bytes);
  });
}

const uint8_t *StreamIn::pop(unsigned bytes) {
  Command &command = commands.front();
  const uint8_t *from = data.data() + consumed;
  popped = true;
  consumed += bytes;
  aligned -= bytes;
  command.position += bytes;
  command.left -= bytes;
  if (command.left == 0)
    commands.pop_front();
  return from;
}

bool StreamIn::exhausted() const {
  return wirePacket == ends.size() && pending.empty() && fifo.empty();
}

/// One beat of the wire: `headerBytes` of header, then payload. A payload beat is
/// complete when its last byte has come.
void StreamIn::takeWireBeat(Counters &counters) {
  if (wirePacket == ends.size() || pending.size() >= 2)
    return;
  if (wireBeat == 0 && visible - owned >= isa::PacketLengths)
    return;
  if (wireBeat == 0) {
    ++visible;
    ++counters.packetsIn;
  }
  const uint64_t bytes = packetBytes(wirePacket);
  ++wireBeat;
  const uint64_t seen = wireBeat * beatBytes;
  while (shifted < bytes) {
    const uint64_t next = std::min<uint64_t>(shifted + beatBytes, bytes);
    if (headerBytes + next > seen)
      break;
    pending.push_back(unsigned(next - shifted));
    shifted = next;
  }
  if (seen >= headerBytes + bytes) {
    ++wirePacket;
    wireBeat = shifted = 0;
  }
}

void StreamIn::discard(uint64_t until) {
  const unsigned bytes = unsigned(std::min<uint64_t>(aligned, until - consumed));
  consumed += bytes;
  aligned -= bytes;
}

/// Skips and drops what the first command asks for.
void StreamIn::work() {
  if (commands.empty())
    return;
  const Command &command = commands.front();
  if (!command.end)
    return discard(base + command.position);
  const uint64_t until = begin(command.next);
  discard(until);
  if (consumed != until)
    return;
  base = until;
  commands.pop_front();
}

void StreamIn::cycle(Counters &counters) {
  popped = false;
  work();
  if (!fifo.empty() && aligned + fifo.front() <= alignerBytes) {
    aligned += fifo.front();
    fifo.pop_front();
  }
  takeWireBeat(counters);
  if (!pending.empty() && fifo.size() < fifoBeats) {
    fifo.push_back(pending.front());
    counters.bytesIn += pending.front();
    pending.pop_front();
    ++counters.beatsIn;
  }
}

} // namespace acis::model
