// What each thread of acisd does: serve what arrives, wake for what is due, sleep else.
#pragma once

#include "runtime/switch/wire/Clock.h"
#include "runtime/switch/wire/Spinner.h"

#include <algorithm>
#include <sched.h>

namespace acis::acisd {

/// `Work` has
///   bool stops();            whether to end, asked between two batches
///   size_t receive();        handles what has arrived and answers it; how much it was
///   Time tick(Time now);     does what is due; when to be called again at the latest
///   void sleep(Time most);   until something arrives
/// After each arrival the thread polls for `spin` before it sleeps.
template <typename Work> void serve(Work &work, wire::Time spin) {
  using namespace wire;
  Time next = 0;
  bool changed = true; ///< something has arrived since tick()
  Spinner spinner(spin);
  while (!work.stops()) {
    const size_t got = work.receive();
    const Time now = systemTime();
    // A batch may have started something that has a time: ask, but not for each packet.
    if (now >= next || (got == 0 && changed)) {
      next = std::min(work.tick(now), now + 100 * Millisecond);
      changed = false;
    }
    changed |= got > 0;
    if (got > 0) {
      spinner.begin(now);
    } else if (spinner.polls(now)) {
      sched_yield();
      spinner.yielded(now, systemTime());
    } else if (next > now) {
      work.sleep(next - now);
    }
  }
}

} // namespace acis::acisd
