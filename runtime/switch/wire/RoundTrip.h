// How long an answer takes, and after which silence to ask again: by measured round trips as in
// RFC 6298 (smoothed mean and variance, exponential back-off, Karn's rule). Pure arithmetic on
// times that the caller gives; one for each kind of answer, since what an answer waits for is in
// it.
#pragma once

#include "runtime/switch/wire/Clock.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace acis::wire {

class RoundTrip {
public:
  /// Never asks sooner: a parent may keep an answer back for 2 ms, and who answers has to wake up.
  static constexpr Time Least = 3 * Millisecond;
  /// Nor later, however often it has timed out.
  static constexpr Time Most = Second;

  /// `first`: how long to wait while nothing has been measured.
  explicit RoundTrip(Time first = Least) : base(first) {}

  /// To wait for an answer to what is sent now.
  Time timeout() const { return std::min(base << doublings, Most); }

  /// An answer took so long. Karn's rule: of what was sent once only, or it would not be known
  /// which one was answered.
  void measured(Time took) {
    const Time off = took > smoothed ? took - smoothed : smoothed - took;
    if (!isKnown) {
      smoothed = took;
      variation = took / 2;
    } else {
      variation = variation - variation / 4 + off / 4;
      smoothed = smoothed - smoothed / 8 + took / 8;
    }
    isKnown = true;
    doublings = 0;
    base = std::clamp(smoothed + 4 * variation, Least, Most);
  }

  /// What was sent at `sent` has no answer at `now`. All that were sent before the last time that
  /// this was so tell nothing new. Waits are twice as long until an answer is measured again.
  void timedOut(Time sent, Time now) {
    if (sent < lastTimeout || timeout() >= Most)
      return;
    lastTimeout = now;
    ++doublings;
  }

private:
  Time base;
  Time smoothed = 0, variation = 0, lastTimeout = 0;
  unsigned doublings = 0;
  bool isKnown = false;
};

/// How long something usually takes: the median of the last few, so that what takes longer now and
/// then (others have lost something, and ask again after as long) does not lengthen it.
class Usual {
public:
  void measured(Time took) {
    last[next++ % last.size()] = took;
    std::array<Time, Last> sorted = last;
    std::nth_element(sorted.begin(), sorted.begin() + Last / 2, sorted.end());
    median = sorted[Last / 2];
  }
  Time time() const { return median; }

private:
  static constexpr size_t Last = 8;
  std::array<Time, Last> last{};
  size_t next = 0;
  Time median = 0;
};

/// When one thing is sent again, until it is answered: then another, with what has been learnt.
class Repeat {
public:
  explicit Repeat(Time longest = 256 * Millisecond) : longest(longest) {}

  /// Something new is to be sent now.
  void begin(Time now) {
    when = now;
    wait = trip.timeout();
    times = 0;
  }
  Time due() const { return when; }
  void sent(Time now) {
    if (times > 0)
      trip.timedOut(last, now);
    times += times < 2;
    last = now;
    when = now + wait;
    wait = std::min(2 * wait, std::max(longest, trip.timeout()));
  }
  /// Whoever it was sent to has said something of it. Of what was sent twice nothing is learnt.
  void answered(Time now) {
    if (times == 1)
      trip.measured(now - last);
    times = 0;
  }
  /// It goes on: asked for again, but not yet.
  void later(Time now) { when = now + wait; }

private:
  Time longest;
  RoundTrip trip;
  Time when = Never, wait = trip.timeout(), last = 0;
  unsigned times = 0; ///< once, or more often
};

} // namespace acis::wire
