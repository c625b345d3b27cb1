// Off-chip memory: banks, their arbitration, and the masters of the PEs. Only time
// is modelled here; the bytes are read and written by whoever is served.
//
// A master walks an access sequence (base + stride0 * i0 + stride1 * i1), turns it
// into aligned beats and asks for bursts of consecutive beats. See docs/timing.md.
#pragma once

#include "backend/overlay/Overlay.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace acis::model {

/// The byte addresses of a port's accesses, one per iteration.
class AccessWalk {
public:
  AccessWalk() = default;
  AccessWalk(uint64_t base, int64_t stride0, int64_t stride1, uint32_t innerCount,
             uint32_t iterations, unsigned bytes, unsigned lastBytes)
      : outer(base), current(base), stride0(stride0), stride1(stride1), innerCount(innerCount),
        left(iterations), full(bytes), last(lastBytes) {}

  bool done() const { return left == 0; }
  uint32_t address() const { return uint32_t(current); }
  unsigned bytes() const { return left == 1 ? last : full; }
  void next() {
    --left;
    if (++inner == innerCount) {
      inner = 0;
      outer += uint64_t(stride1);
      current = outer;
    } else {
      current += uint64_t(stride0);
    }
  }

private:
  uint64_t outer = 0, current = 0;
  int64_t stride0 = 0, stride1 = 0;
  uint32_t innerCount = 1, inner = 0, left = 0;
  unsigned full = 0, last = 0;
};

/// Which beats a sequence of accesses needs, each run of equal ones once.
class BeatWalk {
public:
  BeatWalk() = default;
  BeatWalk(AccessWalk accesses, unsigned beatBytes) : walk(accesses), beatBytes(beatBytes) {
    settle();
  }
  bool done() const { return finished; }
  uint64_t beat() const { return current; }
  void next() {
    held = current;
    holds = true;
    if (current < lastOfAccess) {
      ++current;
      return;
    }
    walk.next();
    settle();
  }

private:
  void settle();
  AccessWalk walk;
  unsigned beatBytes = 64;
  uint64_t current = 0, lastOfAccess = 0, held = 0;
  bool holds = false, finished = false;
};

struct Burst {
  uint64_t beat = 0; ///< first, in beats from address 0
  unsigned count = 0;
};

/// Banks: one beat per cycle each; a burst is not interrupted.
class Banks {
public:
  void reset(const Overlay &overlay);
  unsigned bankOf(uint64_t beat) const { return unsigned(beat / interleaveBeats % freeAt.size()); }
  bool free(uint64_t beat, uint64_t now) const { return freeAt[bankOf(beat)] <= now; }
  void take(const Burst &burst, uint64_t now) { freeAt[bankOf(burst.beat)] = now + burst.count; }
  /// Whether `next` may join a burst that ends with beat next - 1.
  bool sameBlock(uint64_t first, uint64_t next) const {
    return first / interleaveBeats == next / interleaveBeats;
  }

private:
  std::vector<uint64_t> freeAt;
  uint64_t interleaveBeats = 64;
};

/// Read side of a PE's memory port. Jobs are served in the order of their start.
class ReadMaster {
public:
  void reset(const Overlay &overlay);
  /// Begins to fetch for `user`; the accesses must be consumed in this order.
  void start(const AccessWalk &accesses, uint64_t user);
  /// The first access that was not consumed is `user`'s and has arrived.
  bool ready(uint64_t user) const {
    return !consumers.empty() && consumers.front().user == user && arrived >= needed;
  }
  uint32_t address() const { return consumers.front().walk.address(); }
  unsigned bytes() const { return consumers.front().walk.bytes(); }
  void pop();
  bool idle() const { return consumers.empty(); }

  /// Forms the next burst and asks its bank for it.
  void request(Banks &banks, uint64_t now);
  /// Counts the beats that arrive in cycle `now`.
  void receive(uint64_t now);

private:
  struct Consumer {
    AccessWalk walk;
    uint64_t user = 0;
    uint64_t lastBeat = 0;
    bool holds = false;
  };
  struct Flight {
    uint64_t firstArrival = 0;
    unsigned count = 0;
  };
  void form(const Banks &banks);
  void computeNeed();

  unsigned beatBytes = 64, burstBeats = 64, outstanding = 16, latency = 0, capacity = 128;
  std::deque<BeatWalk> fetches;
  std::deque<Consumer> consumers;
  std::deque<Flight> flights;
  Burst next;
  uint64_t portFree = 0;
  uint64_t requested = 0, arrived = 0, needed = 0, consumed = 0; ///< beats, of all jobs
};

/// Write side of a PE's memory port.
class WriteMaster {
public:
  void reset(const Overlay &overlay);
  bool ready() const { return buffered + 2 <= capacity; }
  void write(uint32_t address, unsigned bytes, const Banks &banks);
  /// No more writes follow soon: the open beat and burst are closed.
  void flush(const Banks &banks);
  bool idle() const { return buffered == 0 && queue.empty() && acks.empty(); }
  /// Asks for a bank for the oldest burst and retires acknowledged ones.
  void cycle(Banks &banks, uint64_t now);

private:
  void closeBeat(const Banks &banks);

  unsigned beatBytes = 64, burstBeats = 64, outstanding = 16, latency = 0, capacity = 128;
  uint64_t openBeat = 0;
  bool hasOpenBeat = false;
  Burst openBurst;
  std::deque<Burst> queue;
  std::deque<std::pair<uint64_t, unsigned>> sending; ///< last cycle at the bank, beats
  std::deque<uint64_t> acks;                         ///< cycles of acknowledgement, in order
  unsigned buffered = 0;
};

} // namespace acis::model
