// See StreamOut.h.
#include "runtime/engine/model/StreamOut.h"

#include <algorithm>

namespace acis::model {

void StreamOut::reset(const Overlay &overlay) {
  *this = StreamOut();
  beatBytes = overlay.beatBytes();
  fifoBeats = overlay.fifoBeats;
  pushes.reset(overlay.stallLatency);
}

void StreamOut::addWrite(uint64_t bytes) { commands.push_back({.left = bytes}); }
void StreamOut::addEnd() { commands.push_back({.end = true}); }

uint8_t *StreamOut::push(unsigned bytes, Counters &counters) {
  current.resize(current.size() + bytes);
  counters.bytesOut += bytes;
  partial += bytes;
  if (partial >= beatBytes) {
    partial -= beatBytes;
    ++fifo;
    ++counters.beatsOut;
  }
  skip(bytes);
  return current.data() + current.size() - bytes;
}

uint8_t *StreamOut::decide(unsigned bytes, Counters &counters) {
  if (pushes.cycles() == 0)
    return push(bytes, counters);
  onTheirWay += bytes;
  return pushes.add({bytes, std::vector<uint8_t>(bytes)}).data.data();
}

void StreamOut::decideSkip(unsigned bytes) {
  if (pushes.cycles() == 0)
    return skip(bytes);
  onTheirWay += bytes;
  pushes.add({bytes, {}});
}

void StreamOut::begin(Counters &counters) {
  ahead = lookAhead();
  pushes.begin([&](const Push &made) {
    onTheirWay -= made.bytes;
    if (made.data.empty())
      skip(made.bytes);
    else
      std::copy(made.data.begin(), made.data.end(), push(made.bytes, counters));
  });
}

/// An end of an invocation takes the cycle of the push before it, or this one, so that there is one
/// at most behind what is on its way; what it sends needs room, too.
StreamOut::Ahead StreamOut::lookAhead() const {
  uint64_t before = onTheirWay;
  Ahead found = {.open = true, .beats = fifo, .filled = partial};
  bool ended = false;
  for (const Command &command : commands) {
    if (command.end) {
      if (ended)
        return {};
      found.beats += found.filled != 0;
      found.filled = 0;
      ended = true;
      continue;
    }
    const uint64_t taken = std::min(before, command.left);
    found.beats += (found.filled + taken) / beatBytes;
    found.filled = (found.filled + taken) % beatBytes;
    if (taken < command.left)
      return found;
    before -= taken;
    ended = false;
  }
  return {};
}

void StreamOut::skip(unsigned bytes) {
  Command &command = commands.front();
  command.left -= bytes;
  pushed = true;
  if (command.left == 0)
    commands.pop_front();
}

void StreamOut::cycle(Counters &counters) {
  pushed = false;
  if (fifo != 0)
    --fifo;
  if (commands.empty() || !commands.front().end)
    return;
  if (partial != 0) {
    if (fifo >= fifoBeats)
      return;
    partial = 0;
    ++fifo;
    ++counters.beatsOut;
  }
  if (!current.empty()) {
    packets.push_back(std::move(current));
    current.clear();
    ++counters.packetsOut;
  }
  commands.pop_front();
}

bool StreamOut::popPacket(std::vector<uint8_t> &payload) {
  if (packets.empty())
    return false;
  payload = std::move(packets.front());
  packets.pop_front();
  return true;
}

} // namespace acis::model
