// Random numbers of the mapper, the same on every host.
#pragma once

#include <cstdint>

namespace acis::map {

/// A small generator (splitmix64), the same on every host.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  unsigned below(unsigned bound) { return unsigned(next() % bound); }

private:
  uint64_t state;
};

} // namespace acis::map
