#include "runtime/wire/Spinner.h"

#include <gtest/gtest.h>

namespace acis::wire {
namespace {

constexpr Time Budget = 50 * Microsecond;

/// Waits that sleep at once before one polls again.
unsigned sleepers(Spinner &spinner) {
  unsigned waits = 0;
  for (spinner.begin(0); !spinner.polls(0) && waits < 100'000; spinner.begin(0)) {
    spinner.end(/*polled=*/false);
    ++waits;
  }
  return waits;
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

TEST(Spinner, SleepsWhenTheCoreWasTaken) {
  Spinner spinner(Budget);
  spinner.begin(0);
  spinner.yielded(0, Microsecond); // nobody wanted it
  EXPECT_TRUE(spinner.polls(Microsecond));
  spinner.yielded(Microsecond, 4 * Millisecond);
  EXPECT_FALSE(spinner.polls(Microsecond));
  const unsigned first = sleepers(spinner);
  EXPECT_GT(first, 0u);
  // Found busy again: a longer pause, but not for ever.
  spinner.yielded(0, 4 * Millisecond);
  EXPECT_GT(sleepers(spinner), first);
  for (int i = 0; i < 20; ++i)
    spinner.yielded(0, 4 * Millisecond);
  EXPECT_LT(sleepers(spinner), 10'000u);
}

TEST(Spinner, ForgetsWhenPollingPays) {
  Spinner spinner(Budget);
  for (int i = 0; i < 4; ++i)
    spinner.yielded(0, 4 * Millisecond);
  const unsigned busy = sleepers(spinner);
  for (int i = 0; i < 10; ++i)
    spinner.end(/*polled=*/true);
  spinner.yielded(0, 4 * Millisecond);
  EXPECT_LT(sleepers(spinner), busy);
}

} // namespace
} // namespace acis::wire
