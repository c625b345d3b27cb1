// Control groups on simulated switches: reports up, orders down, whatever the network does.
#include "runtime/switch/core/test/Steered.h"

#include <random>

using namespace acis;
using namespace acis::sim;
using namespace acis::wire;

namespace {

using Extra = Policy::Extra;

/// Members go through iterations at speeds of their own; in every moment staleness holds.
void runIterations(Steered &world, uint64_t iterations, uint32_t most, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Time> ends(world.ranks.size(), Never);
  auto step = [&] {
    bool over = true;
    uint64_t least = UINT64_MAX, furthest = 0;
    for (uint32_t rank : world.ranks) {
      client::HostControl &group = world.at(rank);
      if (ends[rank] <= world.network.now) {
        group.done(group.done() + 1, world.network.now);
        world.network.host(rank).tick(world.network.now);
        ends[rank] = Never;
      }
      if (ends[rank] == Never && group.done() < iterations && group.mayBegin(group.done()))
        ends[rank] = world.network.now + (1 + random() % (rank ? 200 : 900)) * Microsecond;
      over &= group.done() == iterations;
      least = std::min(least, group.done());
      furthest = std::max(furthest, group.done() + (ends[rank] != Never));
      EXPECT_EQ(group.order().failure, "");
    }
    EXPECT_LE(furthest, least + most + 1);
    return over;
  };
  // Virtual time goes on by what is due; work ends in between.
  for (unsigned slices = 0; slices < 200'000 && !step(); ++slices)
    world.run([] { return false; }, 50 * Microsecond);
  EXPECT_TRUE(step());
}

TEST(Control, BulkSynchronous) {
  Steered world(flat(3));
  world.openAll(stale(0));
  runIterations(world, 30, 0, 1);
  world.leave();
  EXPECT_TRUE(world.network.control(0).groups().empty());
}

TEST(Control, FewPacketsWithoutLoss) {
  Steered world(flat(4));
  world.openAll(stale(0));
  world.run([&] { return world.all([](auto &group) { return group.mayBegin(0); }); });
  world.run([] { return false; }, 10 * Millisecond);
  const uint64_t before = world.network.datagrams;
  runIterations(world, 100, 0, 2);
  // One up and one down for each member, and confirmations where the other takes longer than 1 ms.
  EXPECT_LE(world.network.datagrams - before, 100u * 4 * 3);
}

struct Faulty : testing::TestWithParam<int> {};

TEST_P(Faulty, StalenessHolds) {
  const int seed = GetParam();
  for (const bool below : {false, true}) {
    Steered world(faulty(below ? tree({0, 1, 0, 1}) : flat(3), uint64_t(seed)));
    world.openAll(stale(1, 3));
    runIterations(world, 40, 3, uint64_t(seed));
    world.leave();
    world.run([] { return false; }, Second);
    for (uint32_t id = 0; id < (below ? 3u : 1u); ++id)
      EXPECT_TRUE(world.network.control(id).groups().empty()) << "switch " << id;
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, Faulty, testing::Range(1, 7));

// The top decides, those below hand on; the order is the same everywhere.
TEST(Control, OneOfTheSwitchesDecides) {
  Steered world(tree({0, 0, 1}));
  world.openAll(stale(2));
  EXPECT_TRUE(world.run([&] { return world.all([](auto &g) { return g.mayBegin(2); }); }));
  EXPECT_FALSE(world.at(0).mayBegin(3));
  EXPECT_TRUE(world.network.control(2).groups().at(0).decides);
  EXPECT_FALSE(world.network.control(0).groups().at(0).decides);
  EXPECT_EQ(world.network.control(0).change(7, controlContext, stale(5)),
            "the switch above decides for this group; ask that one");
  EXPECT_EQ(world.network.control(2).change(7, controlContext, stale(5)), "");
  EXPECT_TRUE(world.run([&] { return world.all([](auto &g) { return g.mayBegin(5); }); }));
}

TEST(Control, SignalComesAtTheDeadline) {
  for (const double loss : {0.0, 0.3}) {
    Cluster cluster = tree({0, 0, 1});
    cluster.faults.loss = loss;
    Steered world(cluster);
    Policy policy = stale(Policy::Unbounded, Policy::Unbounded);
    policy.extra = Extra::Deadline;
    policy.deadline = 40 * Millisecond;
    world.openAll(policy);
    EXPECT_TRUE(world.run([&] { return world.all([](auto &g) { return g.mayBegin(0); }); }));
    const Time begun = world.network.now;
    world.at(1).done(1, world.network.now);
    EXPECT_FALSE(world.run([&] { return world.at(1).isSignalled(0); }, 30 * Millisecond));
    EXPECT_TRUE(world.run([&] { return world.all([](auto &g) { return g.isSignalled(0); }); }));
    EXPECT_LT(world.network.now, begun + (loss > 0 ? 400 : 41) * Millisecond);
    EXPECT_EQ(world.network.control(2).groups().at(0).missedDeadlines, 1u);
  }
}

TEST(Control, SignalComesWithTheLastArrival) {
  Steered world(flat(3));
  Policy policy = stale(Policy::Unbounded, Policy::Unbounded);
  policy.extra = Extra::LastArrival;
  world.openAll(policy);
  world.run([&] { return world.all([](auto &g) { return g.mayBegin(0); }); });
  world.at(0).done(1, world.network.now);
  world.at(2).done(1, world.network.now);
  EXPECT_FALSE(world.run([&] { return world.at(0).isSignalled(0); }, 500 * Millisecond));
  world.at(0).wait(world.network.now);
  world.run([] { return false; }, 10 * Millisecond);
  EXPECT_EQ(world.at(0).slowestText(), "rank 1, which has done 0 iterations");
  world.at(1).done(1, world.network.now);
  EXPECT_TRUE(world.run([&] { return world.at(0).isSignalled(0); }, 10 * Millisecond));
}

// Who waits is told later who is slowest, however soon it began to wait and if nothing comes.
TEST(Control, WhoWaitsHearsWhoIsSlowest) {
  Steered world(flat(3));
  world.openAll(stale(0));
  world.run([&] { return world.all([](auto &g) { return g.mayBegin(0); }); });
  world.at(1).done(1, world.network.now);
  world.run([] { return false; }, 10 * Millisecond);
  EXPECT_EQ(world.at(1).slowestText(), "rank 0, which has done 0 iterations");
  world.at(1).wait(world.network.now);
  world.network.host(1).tick(world.network.now);
  world.at(0).done(1, world.network.now);
  world.run([] { return false; }, 110 * Millisecond);
  EXPECT_EQ(world.at(1).slowestText(), "rank 2, which has done 0 iterations");
}

// A member that dies is an error for all in the time after which silence is death.
TEST(Control, DeadMemberIsAnErrorForAll) {
  for (const bool below : {false, true}) {
    Cluster cluster = below ? tree({0, 1, 1}) : flat(3);
    cluster.config.deadAfter = 2 * Second;
    Steered world(cluster);
    world.openAll(stale(1));
    world.run([&] { return world.all([](auto &g) { return g.mayBegin(0); }); });
    const Time killed = world.network.now;
    world.network.kill(2);
    EXPECT_TRUE(world.run([&] {
      return !world.network.host(0).failure().empty() && !world.network.host(1).failure().empty();
    }));
    EXPECT_LT(world.network.now - killed, 3 * Second);
    EXPECT_NE(world.network.host(0).failure().find("rank 2"), std::string::npos);
    for (uint32_t id = 0; id < (below ? 3u : 1u); ++id)
      EXPECT_TRUE(world.network.control(id).groups().empty());
  }
}

// Bye without having left: the others go on.
TEST(Control, WhoSaysByeHoldsNobodyUp) {
  for (const bool below : {false, true}) {
    Steered world(below ? tree({0, 1}) : flat(2));
    world.openAll(stale(0));
    world.run([&] { return world.all([](auto &g) { return g.mayBegin(0); }); });
    world.at(0).done(1, world.network.now);
    world.network.host(1).close(world.network.now);
    EXPECT_TRUE(world.run([&] { return world.at(0).mayBegin(1); }));
    world.at(0).leave(world.network.now);
    EXPECT_TRUE(world.run([&] { return world.at(0).hasLeft(); }));
    world.run([] { return false; }, Second);
    EXPECT_TRUE(world.network.control(below ? 2 : 0).groups().empty());
  }
}

TEST(Control, OtherPoliciesEndTheGroupAndNotTheJob) {
  for (const bool below : {false, true}) {
    Steered world(below ? tree({0, 0, 1}) : flat(3));
    world.open(0, stale(1));
    world.run([&] { return world.at(0).isHeard(); });
    world.open(1, stale(2));
    world.open(2, stale(1));
    EXPECT_TRUE(
        world.run([&] { return world.all([](auto &g) { return !g.order().failure.empty(); }); }));
    EXPECT_EQ(world.at(2).order().failure, "rank 1 asks for another policy than others");
    EXPECT_EQ(world.network.host(0).failure(), "");
    world.leave();
  }
}

TEST(Control, OtherGroupsEndIt) {
  Steered world(flat(3));
  world.openAll(stale(0));
  world.run([&] { return world.all([](auto &g) { return g.mayBegin(0); }); });
  Steered other(flat(3));
  other.open(0, stale(0));
  other.run([&] { return other.at(0).isHeard(); });
  Status opened = other.network.host(1).openControl(controlContext, std::vector<uint32_t>{1, 0},
                                                    stale(0), other.network.now);
  ASSERT_TRUE(opened);
  EXPECT_TRUE(other.run([&] { return !other.at(0).order().failure.empty(); }));
  EXPECT_EQ(other.at(0).order().failure,
            "rank 1 describes another group of this context than others");
}

TEST(Control, WhatIsWrongIsRefusedHere) {
  Steered world(flat(2));
  auto why = [&](const Policy &policy) {
    Status status = world.network.host(0).openControl(controlContext, world.ranks, policy, 1);
    return status ? "" : status.error().str();
  };
  Policy policy = stale(0);
  policy.quorum = 3;
  EXPECT_EQ(why(policy), "a quorum of 3; the group has 2 members");
  policy = stale(0);
  policy.utility = 1'500'000;
  EXPECT_EQ(why(policy), "the utility of extra work is 1.500000; 0 to 1 is allowed");
  policy = stale(0);
  policy.deadline = 3601 * Second;
  EXPECT_EQ(why(policy), "a deadline of 3601.0 s; at most 3600.0 s is allowed");
  policy = stale(0);
  policy.settled = 100'000;
  EXPECT_EQ(why(policy), "tasks are moved until the imbalance is 0.100000, but from 0.000000 on");
  policy = stale(3);
  policy.mostStaleness = 2;
  EXPECT_EQ(why(policy), "staleness is 3, but at most 2 is allowed");
  std::vector<uint32_t> many(1025);
  for (uint32_t i = 0; i < many.size(); ++i)
    many[i] = i;
  Status status = world.network.host(0).openControl(controlContext, many, stale(0), 1);
  EXPECT_EQ(status.error().str(), "control group 9 has 1025 members; at most 1024 are allowed");
}

// Signals that others make, or that come again, are not taken.
TEST(Control, ForgedAndReplayedOrdersAreNothing) {
  Cluster cluster = flat(2);
  cluster.keys = true;
  Steered world(cluster);
  std::vector<uint8_t> kept;
  world.network.tap = [&](const Address &, const Address &to, std::span<const uint8_t> bytes) {
    if (to == Network::hostAddress(0) && PacketType(bytes[2]) == PacketType::Order)
      kept.assign(bytes.begin(), bytes.end());
  };
  world.openAll(stale(0));
  world.run([&] { return world.all([](auto &g) { return g.mayBegin(0); }); });
  ASSERT_FALSE(kept.empty());
  const uint64_t refused = world.network.host(0).refusedDatagrams();
  world.network.host(0).receive(kept, world.network.now); // again
  Header forged = *decode(kept);
  forged.number += 100;
  forged.slot += 1;
  Order order;
  order.allowed = 1000;
  const std::vector<uint8_t> payload = order.write();
  std::vector<uint8_t> bytes(HeaderBytes);
  encode(forged, bytes);
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  world.network.host(0).receive(bytes, world.network.now);
  EXPECT_EQ(world.network.host(0).refusedDatagrams(), refused + 2);
  EXPECT_EQ(world.at(0).order().allowed, 1u);
}

TEST(Control, ContextIsUsedAgain) {
  for (const bool below : {false, true}) {
    Cluster cluster = below ? tree({0, 1, 1}) : flat(3);
    cluster.faults.loss = 0.2;
    cluster.faults.reorder = 0.2;
    cluster.faults.duplicate = 0.2;
    Steered world(cluster);
    for (unsigned use = 0; use < 8; ++use) {
      world.openAll(stale(use % 3));
      runIterations(world, 5, use % 3, use);
      world.leave();
    }
  }
}

} // namespace
