// Small simulated clusters: right results, times that follow from the constants, the same each
// time.
#include "runtime/sim/world/Pattern.h"

#include <gtest/gtest.h>

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
