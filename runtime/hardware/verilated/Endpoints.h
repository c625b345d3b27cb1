// What stands around the overlay in a simulation: off-chip memory behind AXI4 ports. Without
// disturbances it takes the time that engine `model` gives it (docs/timing.md); with a seed it
// also delays what it likes to, as real memory does.
#pragma once

#include "backend/overlay/Overlay.h"
#include "runtime/engine/model/Memory.h"

#include <cstdint>
#include <deque>
#include <random>
#include <span>
#include <vector>

namespace acis::rtl {

/// Random gaps by seed; seed 0: none.
class Disturbance {
public:
  explicit Disturbance(uint64_t seed = 0) : on(seed != 0), random(seed) {}
  /// Whether something that could happen now waits for another cycle.
  bool holds() { return on && random() % 4 == 0; }
  unsigned extra() { return on ? unsigned(random() % 24) : 0; }

private:
  bool on;
  std::mt19937_64 random;
};

/// The memory side of one AXI port pair. A cycle: begin() says what arrives, then address
/// requests are offered in the order of the masters, then data is taken.
class MemoryPort {
public:
  MemoryPort(unsigned readLatency, unsigned writeLatency)
      : readLatency(readLatency), writeLatency(writeLatency) {}

  struct Arrival {
    bool valid = false, last = false;
    uint64_t beat = 0;
  };
  /// The read beat of cycle `now`; at most one.
  Arrival arrive(uint64_t now, Disturbance &disturbance);
  bool acknowledge(uint64_t now);
  bool acknowledgePending(uint64_t now) const { return !acks.empty() && acks.back() > now; }

  void grantRead(const model::Burst &burst, uint64_t now, Disturbance &disturbance);
  void grantWrite(const model::Burst &burst) { writes.push_back(burst); }
  /// The beat that the next write data goes to; true with the last one of its burst, which is
  /// then acknowledged after the write latency.
  bool takeWriteBeat(uint64_t now, uint64_t &beat, Disturbance &disturbance);
  void acknowledgeAt(uint64_t cycle) { acks.push_back(cycle); }

private:
  unsigned readLatency, writeLatency;
  struct Flight {
    uint64_t beat = 0, firstArrival = 0;
    unsigned count = 0;
  };
  std::deque<Flight> flights;
  uint64_t portFree = 0;
  std::deque<model::Burst> writes;
  std::deque<uint64_t> acks;
};

} // namespace acis::rtl
