// Off-chip memory: banks, their arbitration, and the masters of the PEs. Only time
// is modelled here; the bytes are read and written by whoever is served.
//
// A master walks an access sequence (base + stride0 * i0 + stride1 * i1), turns it
// into aligned beats and asks for bursts of consecutive beats. See docs/timing.md.
#pragma once

#include "backend/overlay/Overlay.h"
#include "runtime/engine/model/Following.h"

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

/// What a sequence of accesses needs, as runs of consecutive beats: all accesses in one run
/// if each starts where the one before it ended, else those of an inner loop of which that is
/// true, else each access by itself. A beat that the run before ended with is left out.
class BeatRuns {
public:
  BeatRuns() = default;
  BeatRuns(uint64_t base, int64_t stride0, int64_t stride1, uint32_t innerCount,
           uint32_t iterations, unsigned bytes, unsigned lastBytes, unsigned beatBytes);
  bool done() const { return left == 0; }
  /// Sets [first, end) to the next run, which may be empty.
  void next(uint64_t &first, uint64_t &end);

private:
  uint32_t base = 0, outer = 0, stride0 = 0, stride1 = 0;
  uint32_t innerCount = 1, inner = 0, left = 0;
  unsigned full = 0, last = 0, beatBytes = 64;
  bool innerDense = false, allDense = false;
  uint64_t held = 0;
  bool holds = false;
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
  /// Beats from `beat` to the end of its interleave block.
  uint64_t blockLeft(uint64_t beat) const { return interleaveBeats - beat % interleaveBeats; }
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
  void start(const AccessWalk &accesses, const BeatRuns &runs, uint64_t user);
  /// One clock cycle begins: what was decided `stallLatency` cycles before is taken.
  void begin();
  /// The first access that was not consumed is `user`'s and has arrived, none is on its way, and
  /// none was taken in this cycle: the port gives one in a cycle.
  bool ready(uint64_t user) const { return !popped && decided.empty() && arrivedFor(user); }
  /// The same for what the grid will take in `stallLatency` cycles.
  bool mayDecide(uint64_t user) const {
    return decided.cycles() == 0 ? ready(user) : arrivedFor(user);
  }
  uint32_t address() const { return consumers.front().walk.address(); }
  unsigned bytes() const { return consumers.front().walk.bytes(); }
  void pop();
  /// An access of the grid, `stallLatency` cycles before it is taken; the next one is the first
  /// then.
  void decide();
  bool idle() const { return consumers.empty() && decided.empty(); }

  /// Asks the bank for the next burst; then takes the next run of beats of what was started
  /// before this cycle, which can be asked for from the next cycle on.
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
  void grant(Banks &banks, uint64_t now);
  void computeNeed();
  void advance();
  bool arrivedFor(uint64_t user) const {
    return !consumers.empty() && consumers.front().user == user && arrived >= needed;
  }

  unsigned beatBytes = 64, burstBeats = 64, outstanding = 16, latency = 0, capacity = 128;
  std::deque<BeatRuns> fetches;
  size_t known = 0; ///< of the fetches: started before this cycle
  std::deque<Consumer> consumers;
  std::deque<Flight> flights;
  bool popped = false;              ///< in this cycle
  uint64_t runBeat = 0, runEnd = 0; ///< beats to ask for
  uint64_t portFree = 0;
  uint64_t requested = 0, arrived = 0, needed = 0, consumed = 0; ///< beats, of all jobs
  uint64_t freed = 0;          ///< of the consumed: taken, so that their room is free
  Following<uint64_t> decided; ///< accesses of the grid: what they free
};

/// Write side of a PE's memory port.
class WriteMaster {
public:
  void reset(const Overlay &overlay);
  /// One clock cycle begins: what was decided `stallLatency` cycles before is written.
  void begin(const Banks &banks);
  /// There is room for the two beats of an access.
  bool ready() const { return buffered + 2 <= capacity; }
  /// The same for what the grid will write in `stallLatency` cycles, with two beats for each access
  /// that was on its way at the end of the cycle before.
  bool mayDecide() const { return decided.cycles() == 0 ? ready() : hadRoom; }
  /// An access of the grid, `stallLatency` cycles before it is made; `last`: flush() behind it.
  void decide(uint32_t address, unsigned bytes, bool last, const Banks &banks);
  void write(uint32_t address, unsigned bytes, const Banks &banks);
  /// No more writes follow soon: the open beat and burst are closed.
  void flush(const Banks &banks);
  bool idle() const { return buffered == 0 && queue.empty() && acks.empty() && decided.empty(); }
  /// Asks for a bank for the oldest burst and retires acknowledged ones.
  void cycle(Banks &banks, uint64_t now);

private:
  struct Access {
    uint32_t address = 0;
    unsigned bytes = 0;
    bool last = false;
  };
  void closeBeat(const Banks &banks);

  unsigned beatBytes = 64, burstBeats = 64, outstanding = 16, latency = 0, capacity = 128;
  uint64_t openBeat = 0;
  bool hasOpenBeat = false;
  Burst openBurst;
  std::deque<Burst> queue;
  size_t offered = 0;        ///< of the queue: closed before this cycle
  uint64_t sendingUntil = 0; ///< cycle in which the last beat is sent
  unsigned sending = 0;      ///< beats of the burst that is being sent
  std::deque<uint64_t> acks; ///< cycles of acknowledgement, in order
  unsigned buffered = 0;
  Following<Access> decided;
  bool hadRoom = true; ///< at the end of the cycle before
};

} // namespace acis::model
