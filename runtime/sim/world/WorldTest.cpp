// Small simulated clusters: right results, times that follow from the constants, the same each
// time.
#include "runtime/sim/world/Pattern.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace acis;
using namespace acis::cluster;

namespace {

Platform platformOf(Graph graph) {
  Platform out;
  out.graph = std::move(graph);
  return out;
}

PatternOptions allreduce(uint64_t count) {
  PatternOptions out;
  out.shape.kind = Kind::Allreduce;
  out.shape.op = ReduceOp::Sum;
  out.shape.type = ElementType::Float64;
  out.shape.count = count;
  out.calls = 3;
  return out;
}

WorldOptions ranks(uint32_t count) {
  WorldOptions out;
  out.ranks = count;
  out.limit = 10;
  return out;
}

TEST(WorldTest, TimeOfACallFollowsFromTheConstants) {
  Platform platform = platformOf(makeStar(2));
  const Result<PatternResult> result = runPattern(platform, ranks(2), allreduce(8));
  ASSERT_TRUE(result) << result.error().str();
  // A call: overhead, PCIe, link, port, switch, link, PCIe, overhead; datagrams of 64 bytes and
  // their headers.
  const double flight = platform.host.pcieLatency + platform.link.latency;
  const double least = 2 * platform.host.overhead + 2 * flight + platform.device.portToPort;
  EXPECT_GT(result->mean, least);
  EXPECT_LT(result->mean, least + 150e-9);
  EXPECT_NEAR(result->least, result->most, 1e-9);
}

TEST(WorldTest, EveryCollectiveOnEveryShape) {
  for (const Graph &graph : {makeStar(8), makeSpineLeaf(8, 4, 1), makeFatTree(8, 4),
                             makeGrid({2, 2, 2}, true), makeGrid({4, 2}, false)})
    for (unsigned kind = 0; kind < NumKinds; ++kind) {
      PatternOptions pattern = allreduce(kind == unsigned(Kind::Barrier) ? 0 : 300);
      pattern.shape.kind = Kind(kind);
      pattern.shape.op = isReduction(Kind(kind)) ? ReduceOp::Sum : ReduceOp::None;
      pattern.shape.root = 3;
      const Result<PatternResult> result = runPattern(platformOf(graph), ranks(8), pattern);
      EXPECT_TRUE(result) << nameOf(Kind(kind)) << " " << graph.switches[0] << ": "
                          << result.error().str();
    }
}

Platform engines(direct::Form form, std::vector<uint32_t> sizes) {
  const Result<direct::Fabric> fabric = direct::Fabric::make(form, std::move(sizes));
  EXPECT_TRUE(fabric);
  return platformOf(makeDirect(*fabric));
}

TEST(WorldTest, EveryCollectiveOnEveryNetworkOfEngines) {
  using direct::Form;
  for (const Platform &platform :
       {engines(Form::Ring, {8}), engines(Form::Torus, {4, 2}), engines(Form::Torus, {2, 2, 2}),
        engines(Form::Hypercube, {8}), engines(Form::Tree, {8, 2})})
    for (unsigned kind = 0; kind < NumKinds; ++kind) {
      PatternOptions pattern = allreduce(kind == unsigned(Kind::Barrier) ? 0 : 300);
      pattern.shape.kind = Kind(kind);
      pattern.shape.op = isReduction(Kind(kind)) ? ReduceOp::Sum : ReduceOp::None;
      pattern.shape.root = 3;
      const Result<PatternResult> result = runPattern(platform, ranks(8), pattern);
      EXPECT_TRUE(result) << nameOf(Kind(kind)) << " " << platform.graph.fabric->str() << ": "
                          << result.error().str();
      ASSERT_TRUE(result->hardware);
      EXPECT_GT(result->hardware->packets, 0u);
      EXPECT_EQ(result->hardware->folded > 0,
                isReduction(Kind(kind)) && Kind(kind) != Kind::Scan && Kind(kind) != Kind::Exscan)
          << nameOf(Kind(kind));
      EXPECT_EQ(result->repeated, 0u);
    }
}

/// One call of 8 bytes, in seconds, where a packet takes so long in an engine besides.
double allreduceOf8(Platform platform, double packetNs, acis::Way way = acis::Way::Doubling) {
  platform.engine.packetNs = packetNs;
  PatternOptions pattern = allreduce(1);
  pattern.way = way;
  pattern.together = true;
  const Result<PatternResult> result =
      runPattern(platform, ranks(platform.graph.fabric->engines()), pattern);
  EXPECT_TRUE(result) << result.error().str();
  return result ? result->most : 0;
}

// A rank's contribution, and a message of each step of doubling, go through an engine that takes
// 125 ns for them; what a neighbour hands on, and what goes to the host, does not.
TEST(WorldTest, EachStepOfAnEngineTakesThePublishedTime) {
  for (const uint32_t size : {2u, 4u, 8u}) {
    Platform cube = engines(direct::Form::Hypercube, {size});
    cube.engine.clockMHz = 200; // as of 003, 125 ns are whole cycles
    const double added = allreduceOf8(cube, 125) - allreduceOf8(cube, 0);
    EXPECT_NEAR(added, (1 + std::log2(size)) * 125e-9, 1e-9) << size;
  }
}

// Each engine more on the way to a partner is a link and 52 ns: in a ring of four there is one.
TEST(WorldTest, WhatAnEngineHandsOnTakesALinkAndPortToPort) {
  const Platform cube = engines(direct::Form::Hypercube, {4}),
                 ring = engines(direct::Form::Ring, {4});
  const double longer = allreduceOf8(ring, 125) - allreduceOf8(cube, 125);
  EXPECT_NEAR(longer, 440e-9 + 52e-9, 60e-9); // and the phits of the packet
}

TEST(WorldTest, LossesAreRepairedAndRepeatable) {
  WorldOptions world = ranks(8);
  world.faults.loss = 0.05;
  world.faults.reorder = 0.05;
  world.faults.seed = 4;
  PatternOptions pattern = allreduce(5000);
  pattern.calls = 20;
  const Platform platform = platformOf(makeSpineLeaf(8, 8, 1));
  const Result<PatternResult> first = runPattern(platform, world, pattern),
                              second = runPattern(platform, world, pattern);
  ASSERT_TRUE(first && second);
  EXPECT_GT(first->repeated, 0u);
  // A second engine in one process adds times in another order.
  EXPECT_NEAR(first->mean, second->mean, 1e-12);
  EXPECT_EQ(first->traffic.datagrams, second->traffic.datagrams);
  world.faults.seed = 5;
  const Result<PatternResult> other = runPattern(platform, world, pattern);
  ASSERT_TRUE(other);
  EXPECT_NE(first->mean, other->mean);
}

TEST(WorldTest, EndsAtTheLimit) {
  WorldOptions world = ranks(4);
  world.faults.loss = 1;
  world.limit = 0.5;
  const Result<PatternResult> result = runPattern(platformOf(makeStar(4)), world, allreduce(8));
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().what.find("not done after 0.5 s of simulated time"), std::string::npos);
  EXPECT_NE(result.error().what.find("ranks 0, 1, 2, 3: the switch does not answer"),
            std::string::npos);
}

TEST(WorldTest, MoreRanksThanHosts) {
  const Result<PatternResult> result = runPattern(platformOf(makeStar(4)), ranks(5), allreduce(8));
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().what.find("5 ranks, but 4 hosts"), std::string::npos);
}

} // namespace
