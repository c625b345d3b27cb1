#include "runtime/engine/fast/Packets.h"

namespace acis::fast {

void Packets::push(std::span<const uint8_t> payload) {
  // Moves what is left to the front now and then, so that data does not only grow.
  if (begin > 4096 && begin > data.size() / 2) {
    data.erase(data.begin(), data.begin() + ptrdiff_t(begin));
    begin = 0;
  }
  data.insert(data.end(), payload.begin(), payload.end());
  sizes.push_back(payload.size());
}

Packets::Taken Packets::take(uint64_t end, unsigned beatBytes) {
  Taken taken;
  while (!sizes.empty() && (taken.packets == 0 || taken.bytes < end)) {
    ++taken.packets;
    taken.bytes += sizes.front();
    taken.beats += (sizes.front() + beatBytes - 1) / beatBytes;
    begin += sizes.front();
    sizes.pop_front();
  }
  if (sizes.empty()) { // the next packet goes to the same, warm place
    data.clear();
    begin = 0;
  }
  return taken;
}

} // namespace acis::fast
