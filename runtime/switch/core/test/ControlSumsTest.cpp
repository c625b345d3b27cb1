// Sums of the fastest members of a control group.
#include "runtime/switch/core/test/Steered.h"

#include <bit>

using namespace acis;
using namespace acis::sim;
using namespace acis::wire;

namespace {

std::vector<uint8_t> shareOf(double value, size_t count = 1) {
  std::vector<uint8_t> bytes(8 * count);
  for (size_t i = 0; i < count; ++i)
    io::store(bytes.data() + 8 * i, std::bit_cast<uint64_t>(value));
  return bytes;
}
double valueOf(const PartialSum &sum) {
  return std::bit_cast<double>(io::load<uint64_t>(sum.elements.data()));
}

TEST(Control, SumOfTheFirstSaysWhoIsInIt) {
  Steered world(tree({0, 0, 1}));
  Policy policy = stale(Policy::Unbounded, Policy::Unbounded);
  policy.quorum = 2;
  world.openAll(policy);
  auto give = [&](uint32_t rank, double value) {
    world.at(rank).sum().give(shareOf(value), world.network.now);
  };
  auto isMade = [&](uint32_t rank) {
    return world.run([&] { return world.at(rank).sum().isMade(); }, 100 * Millisecond);
  };
  give(0, 1);
  EXPECT_FALSE(isMade(0));
  EXPECT_EQ(world.at(0).sum().sum().who, (std::vector<bool>{true, false, false}));
  give(2, 4);
  EXPECT_TRUE(isMade(0) && isMade(2));
  // Too late: it gets the sum, which is not of it.
  give(1, 2);
  EXPECT_TRUE(isMade(1));
  for (const uint32_t rank : world.ranks) {
    EXPECT_EQ(world.at(rank).sum().sum().who, (std::vector<bool>{true, false, true}));
    EXPECT_EQ(valueOf(world.at(rank).sum().sum()), 5);
    EXPECT_EQ(world.at(rank).isIn(), rank != 1);
    world.at(rank).sum().take();
  }
  EXPECT_EQ(world.network.control(2).groups().at(0).partials, 1u);
  // An operator wants all.
  policy.quorum = 0;
  EXPECT_EQ(world.network.control(2).change(7, controlContext, policy), "");
  give(0, 1);
  give(2, 4);
  EXPECT_FALSE(isMade(0));
  give(1, 2);
  EXPECT_TRUE(isMade(0) && isMade(1) && isMade(2));
  EXPECT_EQ(valueOf(world.at(1).sum().sum()), 7);
  world.leave();
}

// On paths of different lengths, whatever is lost on them.
TEST(Control, LongSharesGoInPartsOfThePath) {
  Cluster shape = faulty(flat(3), 3);
  shape.pathBytes = {{0, 1392}, {1, 1152}};
  Steered world(shape);
  std::map<uint32_t, size_t> longest;
  world.network.tap = [&](const Address &from, const Address &to, std::span<const uint8_t> bytes) {
    for (const uint32_t rank : world.ranks)
      if (from == Network::hostAddress(rank) || to == Network::hostAddress(rank))
        longest[rank] = std::max(longest[rank], bytes.size());
  };
  world.openAll(stale(Policy::Unbounded, Policy::Unbounded));
  for (int number = 1; number <= 20; ++number) {
    for (const uint32_t rank : world.ranks)
      world.at(rank).sum().give(shareOf(number * (rank + 1.0), 1500), world.network.now);
    ASSERT_TRUE(world.run([&] { return world.all([](auto &g) { return g.sum().isMade(); }); }));
    for (const uint32_t rank : world.ranks) {
      EXPECT_EQ(world.at(rank).sum().sum().elements, shareOf(number * 6.0, 1500));
      world.at(rank).sum().take();
    }
  }
  world.leave();
  EXPECT_EQ(longest[0], HeaderBytes + 1392);
  EXPECT_EQ(longest[1], HeaderBytes + 1152);
  EXPECT_GT(longest[2], 12'000u);
}

// Without a share: what is made already.
TEST(Control, WhoIsLateAsksForWhatItMissed) {
  Steered world(flat(2));
  Policy policy = stale(0);
  policy.quorum = 1;
  world.openAll(policy);
  client::HostSum &fast = world.at(0).sum(), &slow = world.at(1).sum();
  for (unsigned i = 0; i < 3; ++i) {
    fast.give(shareOf(i + 1), world.network.now);
    ASSERT_TRUE(world.run([&] { return fast.isMade(); }, 100 * Millisecond));
    fast.take();
  }
  for (unsigned i = 0; i < 4; ++i) {
    slow.ask(8, world.network.now);
    ASSERT_TRUE(world.run([&] { return slow.isOver(); }, 100 * Millisecond));
    EXPECT_EQ(slow.isMade(), i < 3);
    EXPECT_FALSE(world.at(1).isIn());
    if (i < 3)
      EXPECT_EQ(valueOf(slow.sum()), i + 1);
    slow.take();
  }
  slow.give(shareOf(9), world.network.now); // with the others again
  ASSERT_TRUE(world.run([&] { return slow.isMade(); }, 100 * Millisecond));
  EXPECT_EQ(slow.number(), 3u);
  EXPECT_TRUE(world.at(1).isIn());
}

TEST(Control, SumIsMadeAtTheDeadline) {
  Steered world(flat(3));
  Policy policy = stale(0);
  policy.deadline = 40 * Millisecond;
  world.openAll(policy);
  world.at(1).sum().give(shareOf(2), world.network.now);
  EXPECT_FALSE(world.run([&] { return world.at(1).sum().isMade(); }, 35 * Millisecond));
  EXPECT_TRUE(world.run([&] { return world.at(1).sum().isMade(); }, 50 * Millisecond));
  EXPECT_EQ(world.at(1).sum().sum().who, (std::vector<bool>{false, true, false}));
}

// Who is 64 sums late holds the others up until it comes; then it gets each.
TEST(Control, NobodyMissesASum) {
  Steered world(flat(2));
  Policy policy = stale(0);
  policy.quorum = 1;
  world.openAll(policy);
  auto next = [&](uint32_t rank) {
    client::HostSum &sum = world.at(rank).sum();
    sum.give(shareOf(rank + 1), world.network.now);
    const bool made = world.run([&] { return sum.isMade(); }, 100 * Millisecond);
    if (made)
      sum.take();
    return made;
  };
  for (unsigned i = 0; i < 64; ++i)
    ASSERT_TRUE(next(0)) << i;
  EXPECT_FALSE(next(0));
  ASSERT_TRUE(next(1));
  EXPECT_EQ(world.at(1).sum().number(), 1u);
  EXPECT_EQ(valueOf(world.at(1).sum().sum()), 1);
  ASSERT_TRUE(next(1)); // by it the switch knows that the first is heard
  EXPECT_TRUE(world.run([&] { return world.at(0).sum().isMade(); }, 100 * Millisecond));
}

TEST(Control, SharesOfDifferentLengthsEndTheGroup) {
  Steered world(flat(2));
  world.openAll(stale(0));
  world.at(0).sum().give(shareOf(1, 2), world.network.now);
  world.run([] { return false; }, Millisecond);
  world.at(1).sum().give(shareOf(1, 3), world.network.now);
  EXPECT_TRUE(world.run([&] { return !world.at(0).order().failure.empty(); }));
  EXPECT_EQ(world.at(0).order().failure, "rank 1 gives 3 numbers to sum 0, others 2");
}

} // namespace
