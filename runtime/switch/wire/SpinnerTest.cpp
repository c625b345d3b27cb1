#include "runtime/switch/wire/Spinner.h"

#include <gtest/gtest.h>

namespace acis::wire {
namespace {

constexpr Time Budget = 50 * Microsecond;

/// How long after `now` waits still sleep at once.
Time pauseAt(Spinner &spinner, Time now) {
  for (Time later = 0; later < Second; later += Millisecond) {
    spinner.begin(now + later);
    if (spinner.polls(now + later))
      return later;
  }
  return Second;
}

TEST(Spinner, PollsForItsBudget) {
  Spinner spinner(Budget);
  spinner.begin(100);
  EXPECT_TRUE(spinner.polls(100));
  EXPECT_TRUE(spinner.polls(100 + Budget - 1));
  EXPECT_FALSE(spinner.polls(100 + Budget));
}

TEST(Spinner, NoBudgetIsNoPolling) {
  Spinner spinner(0);
  spinner.begin(100);
  EXPECT_FALSE(spinner.polls(100));
}

// Somebody else on the core polls or serves datagrams: still quicker than a wakeup.
TEST(Spinner, PollsBesideOneThatYieldsBack) {
  Spinner spinner(Budget);
  spinner.begin(0);
  spinner.yielded(0, Microsecond);
  EXPECT_TRUE(spinner.polls(Microsecond));
  spinner.yielded(Microsecond, 40 * Microsecond);
  EXPECT_TRUE(spinner.polls(40 * Microsecond));
}

// What a machine does now and then is no reason to sleep, unless it does it all the time.
TEST(Spinner, BearsInterruptions) {
  Spinner spinner(Budget);
  Time now = 0;
  for (int i = 0; i < 1000; ++i, now += 10 * Millisecond) {
    spinner.begin(now);
    spinner.yielded(now, now + Millisecond);
    EXPECT_EQ(pauseAt(spinner, now + Millisecond), 0u);
  }
  for (int i = 0; i < 3; ++i, now += 2 * Millisecond)
    spinner.yielded(now, now + Millisecond);
  EXPECT_GT(pauseAt(spinner, now - Millisecond), 0u);
}

TEST(Spinner, SleepsWhenTheCoreWasTaken) {
  Spinner spinner(Budget);
  spinner.begin(0);
  const Time back = 4 * Millisecond;
  spinner.yielded(0, back);
  EXPECT_FALSE(spinner.polls(Microsecond));
  const Time first = pauseAt(spinner, back);
  EXPECT_GT(first, 0u);
  // Found busy again: a longer pause, but not for ever.
  spinner.yielded(0, back);
  EXPECT_GT(pauseAt(spinner, back), first);
  for (int i = 0; i < 20; ++i)
    spinner.yielded(0, back);
  EXPECT_LT(pauseAt(spinner, back), Second / 2);
}

// What a busy machine takes at each try must stay small beside the pause between tries: a few
// waits that polled well in between do not shorten it, a long calm does.
TEST(Spinner, ForgetsAfterALongCalm) {
  Spinner spinner(Budget);
  Time now = 0;
  for (int i = 0; i < 4; ++i, now += 4 * Millisecond)
    spinner.yielded(now, now + 4 * Millisecond);
  const Time busy = pauseAt(spinner, now);
  for (Time later = 0; later < Millisecond; later += 10 * Microsecond)
    spinner.begin(now + busy + later);
  now += busy + Millisecond;
  spinner.yielded(now, now + 4 * Millisecond);
  now += 4 * Millisecond;
  const Time again = pauseAt(spinner, now);
  EXPECT_GT(again, busy);
  for (Time later = 0; later < 8 * Second; later += Millisecond)
    spinner.begin(now + again + later);
  now += again + 8 * Second;
  spinner.yielded(now, now + 4 * Millisecond);
  EXPECT_LT(pauseAt(spinner, now + 4 * Millisecond), busy);
}

} // namespace
} // namespace acis::wire
