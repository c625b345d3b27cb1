#include "runtime/switch/control/Pace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

using namespace acis::control;
using namespace acis::wire;

namespace {

using Extra = Policy::Extra;

/// A group whose members report; times in milliseconds.
struct Group {
  Pace pace;
  std::vector<uint64_t> done;

  Group(const Policy &policy, uint32_t members) : pace(policy, members), done(members) {}
  void say(uint32_t member, uint64_t iterations, Time ms, bool left = false) {
    pace.tick(ms * Millisecond);
    done[member] = iterations;
    pace.report({member, 10 + member, iterations, left}, ms * Millisecond);
  }
  void all(uint64_t iterations, Time ms) {
    for (uint32_t m = 0; m < done.size(); ++m)
      say(m, iterations, ms);
  }
  const Order &order() const { return pace.order(); }
};

Policy stale(uint32_t s, uint32_t most = 0) {
  Policy policy;
  policy.staleness = s;
  policy.mostStaleness = std::max(s, most);
  return policy;
}

TEST(Pace, NobodyBeginsBeforeAllHaveCome) {
  Group group(stale(0), 3);
  group.say(0, 0, 1);
  group.say(2, 0, 2);
  EXPECT_EQ(group.order().allowed, 0u);
  EXPECT_EQ(group.order().slowest, 1u);
  const uint64_t before = group.pace.version();
  group.say(1, 0, 3);
  EXPECT_EQ(group.order().allowed, 1u);
  EXPECT_GT(group.pace.version(), before);
}

TEST(Pace, BulkSynchronousIsStalenessZero) {
  Group group(stale(0), 2);
  group.all(0, 1);
  group.say(0, 1, 2);
  EXPECT_EQ(group.order().allowed, 1u);
  group.say(1, 1, 3);
  EXPECT_EQ(group.order().allowed, 2u);
  EXPECT_EQ(group.order().floor, 1u);
}

TEST(Pace, WhoDoesWhatWasNotAllowedIsNamed) {
  Group group(stale(1), 2);
  group.all(0, 1);
  group.say(1, 3, 2);
  EXPECT_EQ(group.order().failure, "rank 11 has done 3 iterations; 2 were allowed to begin");
}

TEST(Pace, AQuorumIsEnough) {
  Policy policy = stale(0);
  policy.quorum = 2;
  Group group(policy, 3);
  group.all(0, 1);
  group.say(0, 1, 2);
  EXPECT_EQ(group.order().allowed, 1u);
  group.say(2, 1, 3);
  EXPECT_EQ(group.order().allowed, 2u);
  EXPECT_EQ(group.order().slowest, 1u);
  EXPECT_EQ(group.order().slowestDone, 0u);
}

TEST(Pace, WhoHasLeftHoldsNobodyUp) {
  Group group(stale(0), 2);
  group.all(0, 1);
  group.say(0, 1, 2);
  group.say(1, 0, 3, /*left=*/true);
  EXPECT_EQ(group.order().allowed, 2u);
  group.say(0, 1, 4, true); // the last one
  EXPECT_EQ(group.pace.tick(Second), Never);
}

TEST(Pace, WhatIsOldChangesNothing) {
  Group group(stale(1), 2);
  group.all(0, 1);
  group.say(0, 2, 2);
  const uint64_t before = group.pace.version();
  group.say(0, 1, 3);
  EXPECT_EQ(group.pace.version(), before);
  group.say(1, 1, 4);
  EXPECT_EQ(group.order().floor, 1u);
}

// Any members at any speed: nobody begins more than s after the slowest, and all end.
TEST(Pace, StalenessHoldsForAll) {
  std::mt19937 random(3);
  for (unsigned trial = 0; trial < 200; ++trial) {
    const uint32_t members = 2 + random() % 4, s = random() % 4, more = random() % 4;
    constexpr uint64_t iterations = 40;
    Group group(stale(s, s + more), members);
    group.all(0, 1);
    std::vector<unsigned> weight(members);
    for (unsigned &w : weight)
      w = 1 + random() % 5;
    Time now = 1;
    for (unsigned steps = 0; steps < 100'000; ++steps) {
      const uint32_t m = random() % members;
      now += 1 + random() % 3;
      const uint64_t least = *std::min_element(group.done.begin(), group.done.end());
      if (least == iterations)
        break;
      ASSERT_LE(group.order().allowed, least + s + more + 1);
      ASSERT_GE(group.order().allowed, least + s + 1) << "someone waits for ever";
      if (random() % weight[m] == 0 && group.done[m] < iterations &&
          group.done[m] < group.order().allowed)
        group.say(m, group.done[m] + 1, now);
    }
    EXPECT_EQ(*std::min_element(group.done.begin(), group.done.end()), iterations);
    EXPECT_EQ(group.order().failure, "");
  }
}

// The fast one takes 10, the slow one 25. Held at 35 it would wait for 15, to 50; after one more
// iteration for 5; after two for 20, after three for 10.
TEST(Pace, DynamicBoundEndsWhereTheWaitIsShort) {
  Group group(stale(0, 5), 2);
  group.all(0, 1000);
  group.say(0, 1, 1010); // held; nothing is known of the slow one
  EXPECT_EQ(group.order().allowed, 1u);
  group.say(1, 1, 1025);
  group.say(0, 2, 1035);
  EXPECT_EQ(group.order().staleness, 1u);
  EXPECT_EQ(group.order().allowed, 3u);
  group.say(0, 3, 1045); // no later moment is better
  EXPECT_EQ(group.order().allowed, 3u);
  group.say(1, 2, 1050);
  EXPECT_EQ(group.order().allowed, 4u);
  group.say(1, 3, 1060); // nobody is ahead any more
  EXPECT_EQ(group.order().staleness, 0u);
}

TEST(Pace, SignalsAtTheDeadline) {
  Policy policy = stale(0);
  policy.extra = Extra::Deadline;
  policy.deadline = 10 * Millisecond;
  Group group(policy, 2);
  group.all(0, 100);
  group.say(0, 1, 105);
  EXPECT_EQ(group.order().signalled, 0u);
  EXPECT_EQ(group.pace.tick(105 * Millisecond), 110 * Millisecond);
  group.pace.tick(110 * Millisecond);
  EXPECT_EQ(group.order().signalled, 1u);
  EXPECT_EQ(group.pace.missedDeadlines(), 1u);
  EXPECT_EQ(group.pace.tick(111 * Millisecond), Never) << "the next begins with the last arrival";
  group.say(1, 1, 120);
  EXPECT_EQ(group.pace.tick(120 * Millisecond), 130 * Millisecond);
  // All early: the next iteration begins at the deadline.
  group.all(2, 125);
  group.pace.tick(130 * Millisecond);
  EXPECT_EQ(group.order().signalled, 2u);
  EXPECT_EQ(group.pace.missedDeadlines(), 1u);
  EXPECT_EQ(group.pace.tick(130 * Millisecond), 140 * Millisecond);
}

TEST(Pace, SignalsAtTheLastArrival) {
  Policy policy = stale(0);
  policy.extra = Extra::LastArrival;
  Group group(policy, 2);
  group.all(0, 1);
  group.say(0, 1, 2);
  EXPECT_EQ(group.order().signalled, 0u);
  group.say(1, 1, 9);
  EXPECT_EQ(group.order().signalled, 1u);
}

// The deadline is that of Algorithm 3 over what the switch has seen.
TEST(Pace, ComputesTheDeadline) {
  Policy policy = stale(Policy::Unbounded, Policy::Unbounded);
  policy.extra = Extra::Deadline;
  policy.utility = 900'000;
  policy.window = 8;
  policy.every = 4;
  Group group(policy, 2);
  Samples samples{2, {}};
  std::mt19937 random(5);
  Time now = 10;
  group.all(0, now);
  for (uint64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(group.order().deadline, 0u) << "not yet measured";
    EXPECT_EQ(group.order().signalled, i + 1) << "nothing to wait for";
    const Time a = 1 + random() % 50, b = 60 + random() % 50;
    group.say(0, i + 1, now + a);
    group.say(1, i + 1, now + b);
    samples.work.insert(samples.work.end(), {double(a), double(b)});
    now += b;
  }
  EXPECT_EQ(group.order().deadline, Time(bestDeadline(samples, 0.9).deadline) * Millisecond);
  EXPECT_GT(group.order().deadline, 0u);
  EXPECT_EQ(group.pace.measured(), 4u);
}

// Numbers of a hostile member cost no time.
TEST(Pace, SurvivesLeaps) {
  Policy policy = stale(Policy::Unbounded, Policy::Unbounded);
  policy.extra = Extra::Deadline;
  policy.deadline = Millisecond;
  Group group(policy, 2);
  group.all(0, 1);
  group.all(UINT64_MAX - 1, 2);
  EXPECT_EQ(group.order().floor, UINT64_MAX - 1);
  group.pace.tick(Second);
  group.all(UINT64_MAX, 2000);
}

TEST(Pace, ChangesOnTheWay) {
  Group group(stale(0), 2);
  group.all(0, 1);
  group.say(0, 1, 2);
  EXPECT_EQ(group.pace.change(stale(2), Second), "");
  EXPECT_EQ(group.order().allowed, 3u);
  EXPECT_EQ(group.pace.change(stale(0), Second), "");
  EXPECT_EQ(group.order().allowed, 3u) << "what was allowed stays allowed";
  Policy wrong = stale(3);
  wrong.utility = 2'000'000;
  EXPECT_EQ(group.pace.change(wrong, Second),
            "the utility of extra work is 2.000000; 0 to 1 is allowed");
}

} // namespace
