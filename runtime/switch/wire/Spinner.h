// Whether it pays to poll before sleeping. A waiter that polls gets its packet a wakeup
// sooner, if its core has nothing else to do; on a busy core it is the reason why whoever
// should send the packet does not run, and it is itself in nobody's queue to be woken.
//
// Where yields take much of the time, they give the core to somebody who computes: then waits
// sleep at once for a while, longer each time it is found again. A yield that takes a little has
// let whoever polls or serves on the same core do its work, which is what it is for: sleeping
// there would cost a wakeup of tens of microseconds a packet. One that takes long now and then is
// the system's own work, or that of the machine below a virtual one.
#pragma once

#include "runtime/switch/wire/Clock.h"

#include <algorithm>
#include <cstdint>

namespace acis::wire {

class Spinner {
public:
  explicit Spinner(Time budget) : budget(budget) {}

  /// A wait begins, or goes on after something has come, at `now`.
  void begin(Time now) {
    if (now < busyUntil) {
      until = now;
      return;
    }
    until = now + budget;
    if (now - calmSince < CalmPauses * pause)
      return;
    pause = std::max(pause / 2, ShortestPause);
    calmSince = now;
  }
  /// Whether to poll once more instead of sleeping.
  bool polls(Time now) const { return now < until; }
  /// The core was offered to others between these two times.
  void yielded(Time before, Time after) {
    if (after - before < TakenAway)
      return;
    const Time forgiven = before > lostUntil ? (before - lostUntil) / Bearable : 0;
    lost = (lost > forgiven ? lost - forgiven : 0) + (after - before);
    lostUntil = after;
    if (lost < Slice)
      return;
    lost = Slice;
    calmSince = busyUntil = after + pause;
    pause = std::min(2 * pause, LongestPause);
    until = 0;
  }

private:
  /// Longer than a batch of datagrams takes whoever serves them, shorter than the slice of
  /// the system's scheduler.
  static constexpr Time TakenAway = 200 * Microsecond;
  static constexpr Time Bearable = 8;                ///< an eighth of the time may be lost
  static constexpr Time Slice = 5 * Millisecond / 2; ///< what who computes takes at least
  static constexpr Time ShortestPause = 2 * Millisecond, LongestPause = 256 * Millisecond;
  static constexpr Time CalmPauses = 4; ///< so many pauses of calm make the next one shorter

  Time budget, until = 0;
  Time busyUntil = 0; ///< waits that begin before sleep at once
  Time calmSince = 0; ///< the core has not been taken since, and no pause was shortened
  Time pause = ShortestPause;
  Time lost = 0, lostUntil = 0; ///< in long yields, less what was forgiven; the end of the last
};

} // namespace acis::wire
