// Whether it pays to poll before sleeping. A waiter that polls gets its packet a wakeup
// sooner, if its core has nothing else to do; on a busy core it is the reason why whoever
// should send the packet does not run, and it is itself in nobody's queue to be woken.
//
// A yield that takes long has given the core to somebody else: then waits sleep at once
// for a while, longer each time it is found again.
#pragma once

#include "runtime/wire/Clock.h"

#include <algorithm>
#include <cstdint>

namespace acis::wire {

class Spinner {
public:
  explicit Spinner(Time budget) : budget(budget) {}

  /// A wait begins, or goes on after something has come, at `now`.
  void begin(Time now) { until = busy > 0 ? now : now + budget; }
  /// Whether to poll once more instead of sleeping.
  bool polls(Time now) const { return now < until; }
  /// The core was offered to others between these two times.
  void yielded(Time before, Time after) {
    if (after - before < TakenAway)
      return;
    busy = pause;
    pause = std::min(2 * pause, LongestPause);
    until = 0;
  }
  /// A wait is over; `polled`: it ended while polling.
  void end(bool polled) {
    if (busy > 0)
      --busy;
    else if (polled)
      pause = std::max(pause / 2, ShortestPause);
  }

private:
  /// Longer than a switch to a thread that has nothing to do.
  static constexpr Time TakenAway = 15 * Microsecond;
  static constexpr uint32_t ShortestPause = 16, LongestPause = 4096; ///< waits

  Time budget, until = 0;
  uint32_t busy = 0; ///< waits that still sleep at once
  uint32_t pause = ShortestPause;
};

} // namespace acis::wire
