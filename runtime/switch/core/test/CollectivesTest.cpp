// Every collective on simulated switches: one and three of them, with and without faults,
// against what MPI says.
#include "runtime/switch/core/test/Reference.h"

#include <gtest/gtest.h>

#include <functional>

using namespace acis;
using namespace acis::sim;
using wire::Second;

namespace {

/// Leaves 0 and 1 below spine 2; ranks in blocks or in turns.
Cluster leafSpine(uint32_t ranks, bool inTurns) {
  Cluster shape;
  shape.ranks = ranks;
  shape.parentOfSwitch = {2, 2, SessionOptions::NoSwitch};
  for (uint32_t r = 0; r < ranks; ++r)
    shape.leafOfRank.push_back(uint16_t(inTurns ? r % 2 : r * 2 / ranks));
  return shape;
}

Cluster oneSwitch(uint32_t ranks) {
  Cluster cluster;
  cluster.ranks = ranks;
  return cluster;
}

std::vector<uint32_t> iota(uint32_t n) {
  std::vector<uint32_t> out(n);
  for (uint32_t i = 0; i < n; ++i)
    out[i] = i;
  return out;
}

void runTrial(Network &network, Trial &trial, const std::vector<uint32_t> &ranks,
              std::mt19937 &random) {
  std::vector<uint32_t> order = iota(uint32_t(ranks.size()));
  std::shuffle(order.begin(), order.end(), random);
  for (uint32_t i : order) {
    Status status = trial.start(network, i);
    ASSERT_TRUE(status) << status.error().str();
    if (random() % 2)
      network.run([] { return false; }, random() % 30 * wire::Microsecond);
  }
  ASSERT_TRUE(network.run([&] { return trial.done(network); })) << network.host(ranks[0]).failure();
  EXPECT_EQ(trial.check(), "");
}

/// `trials` random collectives; each kind comes round.
void soak(const Cluster &shape, unsigned trials, unsigned seed) {
  Network network(shape);
  network.attach();
  std::mt19937 random(seed);
  const std::vector<uint32_t> world = iota(shape.ranks);
  std::vector<uint32_t> reversed(world.rbegin(), world.rend());
  std::vector<uint32_t> half;
  for (uint32_t r = 0; r < shape.ranks; r += 2)
    half.push_back(r);
  const std::vector<std::vector<uint32_t>> groups = {world, reversed, half, {shape.ranks - 1}};
  for (uint32_t g = 0; g < groups.size(); ++g)
    network.add(g, groups[g]);
  for (unsigned i = 0; i < trials && !testing::Test::HasFailure(); ++i) {
    const Kind kind = Kind(i % NumKinds);
    const uint32_t g = random() % groups.size();
    const ElementType type = ElementType(random() % NumElementTypes);
    ReduceOp op = ReduceOp::Sum;
    do
      op = ReduceOp(random() % unsigned(ReduceOp::Merge));
    while (!isDefined(op, type));
    const uint64_t counts[] = {0, 1, 2, random() % 50, random() % 3000};
    Trial trial(kind, g, groups[g], op, type, counts[random() % 5],
                uint32_t(random() % groups[g].size()), random() % 3 == 0, random);
    runTrial(network, trial, groups[g], random);
  }
  for (uint32_t r = 0; r < shape.ranks; ++r)
    EXPECT_EQ(network.host(r).failure(), "");
  testing::Test::RecordProperty("virtual_milliseconds", int(network.now / wire::Millisecond));
}

TEST(Collectives, OneSwitch) { soak(oneSwitch(5), 400, 1); }
TEST(Collectives, OneSwitchEightRanksWithKeys) {
  Cluster cluster = oneSwitch(8);
  cluster.keys = true;
  soak(cluster, 300, 2);
}
TEST(Collectives, LeavesAndSpine) { soak(leafSpine(6, false), 400, 3); }
TEST(Collectives, RanksInTurnsOnLeaves) { soak(leafSpine(7, true), 400, 4); }

Cluster inShortPackets(Cluster shape) {
  shape.config.packetBytes = 200;
  shape.config.messageBytes = 4096;
  shape.config.slots = 4;
  return shape;
}
// In blocks hosts put each packet of a result in its place; in turns they fold what needs rank
// order themselves, and lay it together first.
TEST(Collectives, MessagesInManyPackets) { soak(inShortPackets(leafSpine(5, false)), 200, 5); }
TEST(Collectives, MessagesInManyPacketsInTurns) {
  soak(inShortPackets(leafSpine(7, true)), 200, 15);
}

Cluster faulty(Cluster shape, double rate, bool keys) {
  shape.faults = {rate, rate, rate, rate, rate, wire::Millisecond, 11};
  shape.keys = keys;
  shape.config.packetBytes = 1000;
  shape.config.messageBytes = 16'384;
  return shape;
}

// With a key, and with a checksum in its place.
TEST(Collectives, OnePercentFaults) { soak(faulty(oneSwitch(4), 0.01, true), 10'000, 6); }
TEST(Collectives, TenPercentFaults) { soak(faulty(oneSwitch(4), 0.1, true), 10'000, 7); }
TEST(Collectives, TenPercentFaultsWithoutAKey) { soak(faulty(oneSwitch(4), 0.1, false), 2'000, 7); }
TEST(Collectives, TenPercentFaultsLeavesAndSpine) {
  soak(faulty(leafSpine(6, true), 0.1, true), 200, 8);
}

// Sums of floats that depend on the order: the same bits however the network behaves.
/// Ranks that only give (leaf 0) go as soon as their own switch has what they gave; the root is
/// on another leaf. `go` is how they go.
void giveAndGo(double loss, unsigned seeds, const std::function<void(Network &, uint32_t)> &go) {
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    Cluster shape = leafSpine(4, false);
    shape.config.deadAfter = 60 * Second;
    shape.faults.loss = loss;
    shape.faults.seed = seed;
    Network network(shape);
    network.attach();
    network.add(1, iota(4));
    std::mt19937 random(seed);
    Trial trial(Kind::Reduce, 1, iota(4), ReduceOp::Sum, ElementType::Int32, 3, 3, false, random);
    for (uint32_t r = 0; r < 4; ++r)
      ASSERT_TRUE(trial.start(network, r));
    for (uint32_t r : {0, 1}) {
      ASSERT_TRUE(network.run([&] { return network.host(r).idle(); })) << network.host(r).failure();
      go(network, r);
    }
    ASSERT_TRUE(network.run([&] { return trial.done(network); }))
        << "seed " << seed << ": " << network.host(3).failure();
    EXPECT_EQ(trial.check(), "");
  }
}

TEST(Collectives, WhatWasGivenArrivesWhenTheCommunicatorIsFreed) {
  giveAndGo(0.3, 50, [](Network &network, uint32_t r) { network.host(r).leave(1, network.now); });
}

TEST(Collectives, WhatWasGivenArrivesWhenTheSessionsEnd) {
  giveAndGo(0.4, 200, [](Network &network, uint32_t r) { network.host(r).close(network.now); });
}

TEST(Collectives, FloatSumsDoNotDependOnArrival) {
  std::vector<float> first;
  for (unsigned seed = 0; seed < 20; ++seed) {
    Cluster shape = leafSpine(7, false);
    shape.faults = {0.05, 0.05, 0.2, 0, 0.2, wire::Millisecond, seed};
    Network network(shape);
    network.attach();
    network.add(0, iota(7));
    std::vector<std::vector<float>> in(7, std::vector<float>(100)), out = in;
    std::mt19937 random(5);
    for (auto &values : in)
      for (float &value : values)
        value = std::ldexp(float(random() % 1000), int(random() % 40) - 20);
    std::vector<uint32_t> order = iota(7);
    std::mt19937 shuffle(seed);
    std::shuffle(order.begin(), order.end(), shuffle);
    for (uint32_t r : order) {
      Collective call;
      call.kind = Kind::Allreduce;
      call.op = ReduceOp::Sum;
      call.type = ElementType::Float32;
      call.count = 100;
      call.send = in[r].data();
      call.recv = out[r].data();
      ASSERT_TRUE(network.host(r).start(call, network.now));
      network.run([] { return false; }, 20 * wire::Microsecond);
    }
    ASSERT_TRUE(network.run([&] {
      for (uint32_t r = 0; r < 7; ++r)
        if (!network.host(r).idle())
          return false;
      return true;
    }));
    if (seed == 0)
      first = out[0];
    for (const auto &values : out)
      EXPECT_EQ(values, first) << "seed " << seed << ": " << network.host(3).failure();
  }
}

TEST(Collectives, MegabytesStreamThroughTheWindow) {
  Cluster shape = leafSpine(4, false);
  shape.config.slots = 8;
  Network network(shape);
  network.attach();
  network.add(0, iota(4));
  std::mt19937 random(9);
  for (Kind kind : {Kind::Allreduce, Kind::Bcast, Kind::Alltoall}) {
    Trial trial(kind, 0, iota(4), ReduceOp::Sum, ElementType::Int32, 300'000, 1, false, random);
    runTrial(network, trial, iota(4), random);
  }
}

// What waits go by: how much the switch still has to take in of each member.
TEST(Collectives, BytesAheadFallToNothing) {
  Cluster shape;
  shape.config.slots = 8; // half of the messages that it takes
  const uint32_t ranks = shape.ranks;
  Network network(shape);
  network.attach();
  network.add(0, iota(ranks));
  std::vector<std::vector<uint32_t>> data(ranks, std::vector<uint32_t>(65'536, 1));
  auto begin = [&](uint32_t rank, Kind kind) {
    Collective call;
    call.kind = kind;
    call.op = ReduceOp::Sum;
    call.type = ElementType::Uint32;
    call.count = data[rank].size();
    call.recv = data[rank].data();
    return *network.host(rank).start(call, network.now);
  };
  const Request first = begin(0, Kind::Allreduce);
  EXPECT_EQ(network.host(0).bytesToFold(first), 262'144u);
  for (uint32_t rank = 1; rank < ranks; ++rank)
    begin(rank, Kind::Allreduce);
  uint64_t last = 262'144;
  bool between = false;
  ASSERT_TRUE(network.run([&] {
    const uint64_t now = network.host(0).bytesToFold(first);
    EXPECT_LE(now, last);
    between |= now > 0 && now < 262'144;
    last = now;
    return network.host(0).isDone(first);
  }));
  EXPECT_TRUE(between);
  EXPECT_EQ(network.host(0).bytesToFold(first), 0u);
  EXPECT_EQ(network.host(0).bytesToFold(begin(0, Kind::Bcast)), 0u);  // one member gives
  EXPECT_EQ(network.host(0).bytesToFold(begin(0, Kind::Gather)), 0u); // not folded
}

/// What a session supports is asked before anything is packed.
TEST(Collectives, ArePlannedWithoutBuffers) {
  Network network(oneSwitch(4));
  network.attach();
  network.add(1, iota(4));
  const uint64_t counts[] = {3, 0, 2, 1};
  for (unsigned kind = 0; kind < NumKinds; ++kind) {
    Collective call;
    call.kind = Kind(kind);
    call.context = 1;
    call.op = ReduceOp::Sum;
    call.type = ElementType::Int32;
    call.root = 2;
    call.count = 6;
    if (call.kind == Kind::ReduceScatter)
      call.counts = counts;
    EXPECT_TRUE(network.host(2).plan(call)) << nameOf(call.kind);
  }
}

} // namespace
