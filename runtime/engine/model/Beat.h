// Storage for beats: Overlay::beatBytes() each, padded to 8 bytes.
#pragma once

#include "backend/overlay/Overlay.h"

#include <cstdint>
#include <cstring>
#include <vector>

namespace acis::model {

class Beats {
public:
  void reset(size_t count, unsigned wordsPerBeat) {
    words = wordsPerBeat;
    storage.assign(count * words, 0);
  }
  uint64_t *at(size_t index) { return storage.data() + index * words; }
  const uint64_t *at(size_t index) const { return storage.data() + index * words; }
  void set(size_t index, const uint64_t *from) {
    std::memcpy(at(index), from, words * sizeof(uint64_t));
  }
  void clear(size_t index) { std::memset(at(index), 0, words * sizeof(uint64_t)); }
  size_t size() const { return words == 0 ? 0 : storage.size() / words; }

private:
  unsigned words = 0;
  std::vector<uint64_t> storage;
};

inline unsigned beatWords(const Overlay &overlay) { return (overlay.beatBytes() + 7) / 8; }

inline uint64_t laneOf(const uint64_t *beat, unsigned laneBits, unsigned lane) {
  if (laneBits == 64)
    return beat[lane];
  uint32_t value;
  std::memcpy(&value, reinterpret_cast<const char *>(beat) + 4 * lane, 4);
  return value;
}
inline void setLane(uint64_t *beat, unsigned laneBits, unsigned lane, uint64_t value) {
  if (laneBits == 64) {
    beat[lane] = value;
    return;
  }
  const uint32_t low = uint32_t(value);
  std::memcpy(reinterpret_cast<char *>(beat) + 4 * lane, &low, 4);
}

} // namespace acis::model
