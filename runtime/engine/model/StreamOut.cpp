// See StreamOut.h.
#include "runtime/engine/model/StreamOut.h"

namespace acis::model {

void StreamOut::reset(const Overlay &overlay) {
  *this = StreamOut();
  beatBytes = overlay.beatBytes();
  fifoBeats = overlay.fifoBeats;
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
