// Control groups on simulated switches: reports up, orders down, whatever the network does.
#include "runtime/switch/core/test/SimNetwork.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

using namespace acis;
using namespace acis::sim;
using namespace acis::wire;

namespace {

constexpr uint32_t context = 9;
using Extra = Policy::Extra;

Policy stale(uint32_t s, uint32_t most = 0) {
  Policy policy;
  policy.staleness = s;
  policy.mostStaleness = std::max(s, most);
  return policy;
}

struct Steered {
  Network network;
  std::vector<uint32_t> ranks;

  explicit Steered(const Cluster &cluster) : network(cluster) {
    for (uint32_t r = 0; r < cluster.ranks; ++r)
      ranks.push_back(r);
    network.attach();
  }
  client::HostControl &at(uint32_t rank) { return *network.host(rank).control(context); }
  void open(uint32_t rank, const Policy &policy) {
    Status status = network.host(rank).openControl(context, ranks, policy, network.now);
    ASSERT_TRUE(status) << status.error().str();
  }
  void openAll(const Policy &policy) {
    for (uint32_t rank : ranks)
      open(rank, policy);
  }
  bool run(const std::function<bool()> &done, Time limit = 20 * Second) {
    return network.run(done, limit);
  }
  bool all(const std::function<bool(client::HostControl &)> &what) {
    for (uint32_t rank : ranks)
      if (!what(at(rank)))
        return false;
    return true;
  }
  /// All leave; the switches hold nothing afterwards.
  void leave() {
    for (uint32_t rank : ranks)
      at(rank).leave(network.now);
    EXPECT_TRUE(run([&] { return all([](auto &group) { return group.hasLeft(); }); }));
    for (uint32_t rank : ranks)
      network.host(rank).closeControl(context);
  }
};

Cluster flat(uint32_t ranks) {
  Cluster cluster;
  cluster.ranks = ranks;
  return cluster;
}

Cluster tree(const std::vector<uint16_t> &leaves) {
  Cluster cluster = flat(uint32_t(leaves.size()));
  cluster.leafOfRank = leaves;
  cluster.parentOfSwitch = {2, 2, SessionOptions::NoSwitch};
  return cluster;
}

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
    Cluster cluster = below ? tree({0, 1, 0, 1}) : flat(3);
    cluster.keys = true;
    cluster.faults.loss = 0.15;
    cluster.faults.duplicate = 0.1;
    cluster.faults.reorder = 0.1;
    cluster.faults.corrupt = 0.02;
    cluster.faults.seed = uint64_t(seed);
    Steered world(cluster);
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
  EXPECT_EQ(world.network.control(0).change(7, context, stale(5)),
            "the switch above decides for this group; ask that one");
  EXPECT_EQ(world.network.control(2).change(7, context, stale(5)), "");
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
  Status opened = other.network.host(1).openControl(context, std::vector<uint32_t>{1, 0}, stale(0),
                                                    other.network.now);
  ASSERT_TRUE(opened);
  EXPECT_TRUE(other.run([&] { return !other.at(0).order().failure.empty(); }));
  EXPECT_EQ(other.at(0).order().failure,
            "rank 1 describes another group of this context than others");
}

TEST(Control, WhatIsWrongIsRefusedHere) {
  Steered world(flat(2));
  auto why = [&](const Policy &policy) {
    Status status = world.network.host(0).openControl(context, world.ranks, policy, 1);
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
  Status status = world.network.host(0).openControl(context, many, stale(0), 1);
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

// Tasks and sums.

Policy balanced(double imbalance) {
  Policy policy = stale(Policy::Unbounded, Policy::Unbounded);
  policy.imbalance = uint32_t(imbalance * Policy::Whole);
  policy.settled = policy.imbalance / 2;
  return policy;
}

std::vector<uint8_t> taskOf(uint32_t number, size_t bytes) {
  std::vector<uint8_t> task(bytes);
  io::store(task.data(), number);
  return task;
}

/// Members run their tasks, each of its own time; rank r takes `times[r]`.
struct Farm {
  Steered &world;
  std::vector<Time> times;
  std::vector<Time> ends = std::vector<Time>(times.size(), Never);
  std::vector<bool> over = std::vector<bool>(times.size());
  std::vector<std::vector<uint32_t>> ran = std::vector<std::vector<uint32_t>>(times.size());

  void put(uint32_t rank, uint32_t first, uint32_t count, size_t bytes = 64) {
    for (uint32_t i = first; i < first + count; ++i)
      world.at(rank).tasks().put(taskOf(i, bytes), world.network.now);
  }
  void step(uint32_t rank) {
    if (over[rank] || (ends[rank] != Never && ends[rank] > world.network.now))
      return;
    std::vector<uint8_t> task;
    using Next = client::HostTasks::Next;
    const Next next = world.at(rank).tasks().next(task, world.network.now);
    ends[rank] = next == Next::Task ? world.network.now + times[rank] : Never;
    over[rank] = next == Next::Ended;
    if (next == Next::Task)
      ran[rank].push_back(io::load<uint32_t>(task.data()));
    world.network.host(rank).tick(world.network.now);
  }
  /// Until all queues have ended; who is dead does nothing. Returns how long it took.
  Time run(const std::vector<bool> &dead = {}) {
    const Time begun = world.network.now;
    auto all = [&] {
      for (uint32_t rank = 0; rank < times.size(); ++rank)
        if (!over[rank] && (dead.empty() || !dead[rank]))
          return false;
      return true;
    };
    for (unsigned slices = 0; slices < 1'000'000 && !all(); ++slices) {
      for (uint32_t rank = 0; rank < times.size(); ++rank)
        if (dead.empty() || !dead[rank])
          step(rank);
      world.run([] { return false; }, 50 * Microsecond);
    }
    EXPECT_TRUE(all());
    over.assign(over.size(), false);
    return world.network.now - begun;
  }
  /// Every number below `count`, and once.
  void expectAll(uint32_t count) const {
    std::vector<uint32_t> all;
    for (const std::vector<uint32_t> &some : ran)
      all.insert(all.end(), some.begin(), some.end());
    std::sort(all.begin(), all.end());
    ASSERT_EQ(all.size(), count);
    for (uint32_t i = 0; i < count; ++i)
      EXPECT_EQ(all[i], i);
  }
};

// Ranks of different speeds, one of which has nearly everything.
TEST(Control, TasksGoToWhoWouldEndFirst) {
  for (const bool below : {false, true}) {
    Steered world(below ? tree({0, 0, 1, 1}) : flat(4));
    world.openAll(balanced(0.1));
    Farm farm{world, {2 * Millisecond, Millisecond, Millisecond, 2 * Millisecond}};
    farm.put(0, 0, 200);
    farm.put(2, 200, 10);
    const Time took = farm.run();
    farm.expectAll(210);
    // 210 tasks at 3 in a millisecond.
    EXPECT_LE(double(took), 1.1 * 70 * Millisecond);
    EXPECT_GT(farm.ran[1].size(), farm.ran[0].size());
    EXPECT_GT(world.network.control(below ? 2 : 0).groups().at(0).moved, 100u);
    world.leave();
  }
}

TEST(Control, TasksStayWithoutAnImbalance) {
  Steered world(flat(2));
  world.openAll(balanced(0));
  Farm farm{world, {Millisecond, Millisecond}};
  farm.put(0, 0, 20);
  const Time took = farm.run();
  EXPECT_EQ(farm.ran[0].size(), 20u);
  EXPECT_GE(took, 20 * Millisecond);
  // From now on they are moved.
  EXPECT_EQ(world.network.control(0).change(7, context, balanced(0.1)), "");
  farm.put(0, 20, 20);
  EXPECT_LE(farm.run(), 14 * Millisecond);
  farm.expectAll(40);
}

TEST(Control, NoTasksAtAllEndAtOnce) {
  Steered world(tree({0, 1}));
  world.openAll(balanced(0.1));
  Farm farm{world, {Millisecond, Millisecond}};
  EXPECT_LE(farm.run(), 10 * Millisecond);
  EXPECT_LE(farm.run(), 10 * Millisecond);
  farm.expectAll(0);
}

TEST_P(Faulty, TasksAreMovedOnce) {
  for (const bool below : {false, true}) {
    Cluster cluster = below ? tree({0, 1, 0, 1}) : flat(3);
    cluster.keys = true;
    cluster.faults.loss = 0.15;
    cluster.faults.duplicate = 0.1;
    cluster.faults.reorder = 0.1;
    cluster.faults.corrupt = 0.02;
    cluster.faults.seed = uint64_t(GetParam());
    Steered world(cluster);
    world.openAll(balanced(0.1));
    Farm farm{world, std::vector<Time>(cluster.ranks, Millisecond)};
    for (uint32_t round = 0; round < 3; ++round) {
      farm.put(round, 40 * round, 40, round == 1 ? 4 : 1000);
      farm.run();
      farm.expectAll(40 * round + 40);
    }
    world.leave();
    world.run([] { return false; }, Second);
    for (uint32_t id = 0; id < (below ? 3u : 1u); ++id)
      EXPECT_TRUE(world.network.control(id).groups().empty()) << "switch " << id;
  }
}

// What the dead one had is gone with it; what was on its way to it is not.
TEST(Control, TasksOnTheirWayToADeadMember) {
  for (const bool below : {false, true}) {
    Cluster cluster = below ? tree({0, 1, 1}) : flat(3);
    cluster.config.deadAfter = Second;
    Steered world(cluster);
    Policy policy = balanced(0.1);
    policy.survive = true;
    world.openAll(policy);
    Farm farm{world, {Millisecond, Millisecond, Millisecond}};
    world.network.kill(2); // it has said no more than that it is there
    farm.put(0, 0, 60);
    farm.run({false, false, true});
    farm.expectAll(60);
    EXPECT_TRUE(farm.ran[2].empty());
    EXPECT_EQ(world.network.host(0).failure(), "");
    EXPECT_GT(farm.ran[1].size(), 20u);
    // It comes back: it is out.
    world.network.host(2).tick(world.network.now);
    for (const uint32_t rank : {0u, 1u})
      world.at(rank).leave(world.network.now);
    EXPECT_TRUE(world.run([&] { return world.at(0).hasLeft() && world.at(1).hasLeft(); }));
    EXPECT_TRUE(world.network.control(below ? 2 : 0).groups().empty());
  }
}

// One with a communicator cannot be done without.
TEST(Control, DeathOfAMemberOfACommunicatorEndsTheJob) {
  Cluster cluster = flat(2);
  cluster.config.deadAfter = Second;
  Steered world(cluster);
  world.network.add(3, {0, 1});
  Policy policy = stale(0);
  policy.survive = true;
  world.openAll(policy);
  world.network.kill(1);
  EXPECT_TRUE(world.run([&] { return !world.network.host(0).failure().empty(); }));
  EXPECT_NE(world.network.host(0).failure().find("rank 1"), std::string::npos);
}

// Moves that others make, or that come again, and tasks that nobody has asked for.
TEST(Control, ForgedAndReplayedMovesAreNothing) {
  Cluster cluster = flat(2);
  cluster.keys = true;
  Steered world(cluster);
  std::vector<uint8_t> toHost, toSwitch;
  world.network.tap = [&](const Address &, const Address &to, std::span<const uint8_t> bytes) {
    if (PacketType(bytes[2]) != PacketType::Move)
      return;
    (to == Network::hostAddress(1) ? toHost : toSwitch).assign(bytes.begin(), bytes.end());
  };
  world.openAll(balanced(0.1));
  Farm farm{world, {Millisecond, Millisecond}};
  farm.put(0, 0, 10);
  farm.run();
  ASSERT_FALSE(toHost.empty());
  const uint64_t refused = world.network.host(1).refusedDatagrams();
  const uint64_t dropped = world.network.device(0).counters().unauthenticated;
  world.network.host(1).receive(toHost, world.network.now);
  world.network.inject(0, Network::hostAddress(0), toSwitch);
  for (std::vector<uint8_t> *bytes : {&toHost, &toSwitch}) {
    Header forged = *decode(*bytes);
    forged.number += 100;
    ++forged.slot;
    encode(forged, *bytes);
  }
  world.network.host(1).receive(toHost, world.network.now);
  world.network.inject(0, Network::hostAddress(0), toSwitch);
  EXPECT_EQ(world.network.host(1).refusedDatagrams(), refused + 2);
  EXPECT_EQ(world.network.device(0).counters().unauthenticated, dropped + 2);
  farm.run();
  farm.expectAll(10);
}

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
  EXPECT_EQ(world.network.control(2).change(7, context, policy), "");
  give(0, 1);
  give(2, 4);
  EXPECT_FALSE(isMade(0));
  give(1, 2);
  EXPECT_TRUE(isMade(0) && isMade(1) && isMade(2));
  EXPECT_EQ(valueOf(world.at(1).sum().sum()), 7);
  world.leave();
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
