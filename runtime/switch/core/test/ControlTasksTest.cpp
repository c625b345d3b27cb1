// Tasks of control groups are moved, and each is run once, whatever the network does.
#include "runtime/switch/core/test/Steered.h"

using namespace acis;
using namespace acis::sim;
using namespace acis::wire;

namespace {

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
  EXPECT_EQ(world.network.control(0).change(7, controlContext, balanced(0.1)), "");
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

struct FaultyTasks : testing::TestWithParam<int> {};

TEST_P(FaultyTasks, AreMovedOnce) {
  for (const bool below : {false, true}) {
    Steered world(faulty(below ? tree({0, 1, 0, 1}) : flat(3), uint64_t(GetParam())));
    world.openAll(balanced(0.1));
    Farm farm{world, std::vector<Time>(world.ranks.size(), Millisecond)};
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

INSTANTIATE_TEST_SUITE_P(Seeds, FaultyTasks, testing::Range(1, 7));

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

} // namespace
