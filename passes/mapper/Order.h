// The order in which nodes are placed.
#pragma once

#include "passes/mapper/Problem.h"

#include <cstdint>
#include <vector>

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

/// By node: the longest way, in cycles, from the node to the end of its iteration.
std::vector<unsigned> heights(const Problem &problem, const Overlay &overlay);

enum class OrderKind {
  Neighbours, ///< each node right after a neighbour, its other operands right after it
  Height,     ///< the longest way first
};
/// All nodes. `jitter` disturbs the priorities by up to so many cycles.
std::vector<unsigned> placementOrder(const Problem &problem, const Overlay &overlay, OrderKind kind,
                                     unsigned jitter, Random &random);

} // namespace acis::map
