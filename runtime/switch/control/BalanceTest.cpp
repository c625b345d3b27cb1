// Who gives and who gets, and that what is given arrives once.
#include "runtime/switch/control/Moves.h"
#include "runtime/switch/control/Sums.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

using namespace acis;
using namespace acis::control;
using namespace acis::wire;

namespace {

std::vector<Queue> queuesOf(const std::vector<std::pair<double, double>> &lengthsAndTimes) {
  std::vector<Queue> out;
  for (const auto &[length, time] : lengthsAndTimes)
    out.push_back({length, uint32_t(length), time, true});
  return out;
}

std::vector<uint32_t> planOf(std::vector<Queue> queues, double imbalance = 0.1,
                             double settled = 0.05) {
  return Balance().plan(queues, imbalance, settled);
}

using Gives = std::vector<uint32_t>;

TEST(Balance, EvensOutByTime) {
  EXPECT_EQ(planOf(queuesOf({{12, 1}, {0, 1}, {0, 1}})), (Gives{8, 0, 0}));
  // The second one is twice as fast.
  EXPECT_EQ(planOf(queuesOf({{30, 2}, {0, 1}})), (Gives{20, 0}));
  EXPECT_EQ(planOf(queuesOf({{5, 1}, {5, 1}})), (Gives{0, 0}));
  EXPECT_EQ(planOf({}), Gives());
}

// As the others on average, or all alike.
TEST(Balance, TimesThatAreNotKnown) {
  EXPECT_EQ(planOf(queuesOf({{12, 0}, {0, 0}})), (Gives{6, 0}));
  EXPECT_EQ(planOf(queuesOf({{12, 3}, {0, 0}})), (Gives{6, 0}));
}

// A task that would not end earlier is not moved: one to a member that takes longer than the wait.
TEST(Balance, EachMoveIsOneThatPays) {
  EXPECT_EQ(planOf(queuesOf({{2, 1}, {0, 10}})), (Gives{0, 0}));
  EXPECT_EQ(planOf(queuesOf({{1, 1}, {0, 1}})), (Gives{0, 0}));
  EXPECT_EQ(planOf(queuesOf({{2, 1}, {0, 1}})), (Gives{1, 0}));
}

TEST(Balance, BeginsAtOneRatioAndEndsAtAnother) {
  // 11 and 9 are 10 % above the even 10.
  EXPECT_EQ(planOf(queuesOf({{11, 1}, {9, 1}}), 0.1, 0), (Gives{0, 0}));
  EXPECT_EQ(planOf(queuesOf({{12, 1}, {8, 1}}), 0.1, 0), (Gives{2, 0}));
  EXPECT_EQ(planOf(queuesOf({{120, 1}, {80, 1}}), 0.1, 0.05), (Gives{15, 0}));
  // One that may give few goes on below the first ratio, as it has begun.
  Balance balance;
  std::vector<Queue> some = queuesOf({{120, 1}, {80, 1}});
  some[0].movable = 12;
  EXPECT_EQ(balance.plan(some, 0.1, 0), (Gives{12, 0}));
  std::vector<Queue> rest = queuesOf({{108, 1}, {92, 1}});
  EXPECT_EQ(balance.plan(rest, 0.1, 0), (Gives{8, 0}));
  EXPECT_EQ(planOf(queuesOf({{108, 1}, {92, 1}}), 0.1, 0), (Gives{0, 0}));
}

TEST(Balance, WhoHasLeftNeitherGivesNorGets) {
  std::vector<Queue> queues = queuesOf({{12, 1}, {0, 1}, {50, 1}});
  queues[1].active = queues[2].active = false;
  EXPECT_EQ(Balance().plan(queues, 0.1, 0), (Gives{0, 0, 0}));
  queues[0].active = false;
  EXPECT_EQ(Balance::shortest(queues), -1);
}

/// The longest backlog after any plan is at most that of a task above the even one, or none paid.
TEST(Balance, RandomQueuesEndEven) {
  std::mt19937 random(1);
  for (unsigned trial = 0; trial < 300; ++trial) {
    std::vector<Queue> queues;
    for (unsigned i = 0; i < 2 + random() % 7; ++i) {
      const auto length = random() % 200;
      queues.push_back({double(length), uint32_t(length), double(1 + random() % 5), true});
    }
    double tasks = 0, speed = 0, longest = 0, slowest = 0;
    for (const Queue &queue : queues) {
      tasks += queue.length;
      speed += 1 / queue.taskTime;
      slowest = std::max(slowest, queue.taskTime);
    }
    const Gives gives = Balance().plan(queues, 0, 0);
    for (const Queue &queue : queues)
      longest = std::max(longest, queue.length * queue.taskTime);
    EXPECT_LE(longest, tasks / speed + slowest);
    double after = 0;
    for (const Queue &queue : queues)
      after += queue.length;
    EXPECT_EQ(after, tasks);
  }
}

Record recordOf(uint32_t position, const Load &load) {
  return {position, position, 0, false, load};
}

struct Moving {
  Policy policy;
  Moves moves;
  Order order;
  explicit Moving(uint32_t members) : policy(withImbalance()), moves(policy, members) {}
  static Policy withImbalance() {
    Policy policy;
    policy.imbalance = 100'000;
    return policy;
  }
  void say(uint32_t position, const Load &load) {
    moves.report(recordOf(position, load), 1);
    moves.decide();
    moves.describe(order);
  }
  uint32_t give(uint32_t position, uint64_t number, uint8_t task) {
    return moves.give(position, number, std::vector<uint8_t>{task}, 1, [](size_t) { return true; });
  }
  /// What is sent now: position, number, task.
  std::vector<std::array<uint64_t, 3>> sent(Time now) {
    std::vector<std::array<uint64_t, 3>> out;
    moves.pump(now, [&](uint32_t position, uint64_t number, std::span<const uint8_t> task) {
      out.push_back({position, number, task[0]});
    });
    return out;
  }
};
using Sent = std::vector<std::array<uint64_t, 3>>;

TEST(Moves, ATaskComesTwiceAndIsTakenOnce) {
  Moving world(2);
  world.say(0, {.queued = 3});
  EXPECT_TRUE(world.order.gives.empty()); // not all are there
  world.say(1, {.waits = true});
  ASSERT_EQ(world.order.gives, (std::vector<Give>{{0, 2}}));
  EXPECT_EQ(world.give(0, 1, 11), 1u);
  EXPECT_EQ(world.give(0, 1, 11), 1u);
  EXPECT_EQ(world.give(0, 3, 13), 1u); // the second one has to come first
  EXPECT_EQ(world.give(0, 2, 12), 2u);
  EXPECT_EQ(world.give(0, 3, 13), 2u); // nobody has asked for it
  EXPECT_EQ(world.sent(1), (Sent{{1, 1, 11}}));
  EXPECT_EQ(world.sent(2), Sent());
  EXPECT_EQ(world.sent(4 * Millisecond), (Sent{{1, 1, 11}})); // again
  world.say(0, {.queued = 1, .answered = 2, .given = 2});
  world.say(1, {.taken = 1});
  EXPECT_EQ(world.sent(5 * Millisecond), (Sent{{1, 2, 12}}));
  world.say(1, {.taken = 7}); // it cannot have
  EXPECT_EQ(world.sent(5 * Second), (Sent{{1, 2, 12}}));
}

// Moves overtake the Report that says that they were given.
TEST(Moves, TasksComeBeforeTheirReport) {
  Moving world(3);
  world.say(0, {.queued = 4});
  world.say(1, {.waits = true});
  world.say(2, {.queued = 1});
  ASSERT_EQ(world.order.gives.size(), 1u);
  EXPECT_EQ(world.give(0, 1, 11), 1u);
  world.say(2, {.waits = true});
  world.say(0, {.queued = 0, .waits = true}); // as it was before it gave that one
  world.say(1, {.taken = 1});
  EXPECT_EQ(world.order.rounds, 0u);
}

TEST(Moves, TheEndIsWhenNothingIsOnItsWay) {
  Moving world(2);
  world.say(0, {.queued = 3});
  world.say(1, {.waits = true});
  EXPECT_EQ(world.give(0, 1, 11), 1u);
  // The giver has run the others and declined the second one; one is still to arrive.
  world.say(0, {.answered = 2, .given = 1, .waits = true});
  EXPECT_EQ(world.order.rounds, 0u);
  world.say(1, {.queued = 1, .taken = 1, .waits = true});
  EXPECT_EQ(world.order.rounds, 0u);
  EXPECT_EQ(world.order.busiest, 1u);
  world.say(1, {.taken = 1, .waits = true});
  EXPECT_EQ(world.order.rounds, 1u);
}

TEST(Moves, WhatWasNotTakenGoesToAnother) {
  Moving world(3);
  world.say(0, {.queued = 2, .waits = false});
  world.say(1, {.waits = true});
  world.say(2, {.queued = 1});
  ASSERT_EQ(world.give(0, 1, 11), 1u);
  EXPECT_EQ(world.sent(1), (Sent{{1, 1, 11}}));
  Record gone = recordOf(1, {.waits = true});
  gone.left = true;
  world.moves.report(gone, 2);
  const Sent again = world.sent(2);
  ASSERT_EQ(again.size(), 1u);
  EXPECT_NE(again[0][0], 1u);
  EXPECT_EQ(again[0][2], 11u);
}

TEST(Moves, NoRoomMeansNotYet) {
  Moving world(2);
  world.say(0, {.queued = 3});
  world.say(1, {.waits = true});
  const std::vector<uint8_t> task = {1};
  EXPECT_EQ(world.moves.give(0, 1, task, 1, [](size_t) { return false; }), 0u);
  EXPECT_EQ(world.give(0, 1, 11), 1u);
}

} // namespace
