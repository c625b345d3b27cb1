// Random problems on all overlays: what is mapped is valid, at or above the bounds,
// and what is refused has a reason.
#include "passes/mapper/Random.h"
#include "passes/mapper/TestProblems.h"

#include <gtest/gtest.h>

using namespace acis;
using namespace acis::map;
using namespace acis::map::test;

static Problem randomProblem(const Overlay &overlay, Random &random, unsigned most) {
  Builder b;
  unsigned size = 2 + random.below(most - 1), reads = 0;
  std::vector<unsigned> values;
  for (unsigned i = 0; i < size; ++i) {
    unsigned what = random.below(20);
    std::optional<unsigned> pe;
    if (random.below(4) == 0)
      pe = random.below(overlay.numPes());
    if (values.empty() || what == 0) {
      values.push_back(b.streamIn());
    } else if (what < 3) {
      values.push_back(b.node(NodeKind::VrfRead, "", pe));
      if (random.below(2))
        b.value(values[random.below(unsigned(values.size() - 1))], values.back(), 0);
    } else if (what == 3 && reads < 2) {
      ++reads;
      values.push_back(b.node(NodeKind::MemRead, ""));
    } else if (what == 4) {
      unsigned write = b.node(NodeKind::VrfWrite, "", pe);
      for (unsigned operand = 0; operand < 3; ++operand)
        b.value(values[random.below(unsigned(values.size()))], write, operand);
    } else if (what == 5) {
      b.streamOut(values[random.below(unsigned(values.size()))]);
    } else {
      unsigned op = b.node(NodeKind::Compute, "", pe, UnitClass(random.below(3)));
      for (unsigned operand = 0; operand < 3; ++operand)
        if (random.below(3) != 0)
          b.value(values[random.below(unsigned(values.size()))], op, operand, random.below(8) == 0);
      values.push_back(op);
    }
  }
  // Recurrences and order, forwards or over an iteration.
  for (unsigned extra = random.below(3); extra > 0; --extra) {
    unsigned from = random.below(size), to = random.below(size);
    b.order(from, to, random.below(12), from < to ? 0 : 1 + random.below(8));
  }
  if (random.below(4) == 0)
    for (unsigned id = 0; id < b.problem.nodes.size(); ++id)
      if (b.problem.nodes[id].kind == NodeKind::Compute) {
        b.problem.edges.erase(
            std::remove_if(b.problem.edges.begin(), b.problem.edges.end(),
                           [&](const Edge &e) { return !e.order && e.to == id && e.operand == 2; }),
            b.problem.edges.end());
        b.value(values.back(), id, 2, 1);
        break;
      }
  return b.problem;
}

static void fuzz(const char *name, unsigned runs, unsigned operandDelay, unsigned minMapped,
                 unsigned most = 15, unsigned inputLatency = 0, unsigned indexLatency = 0) {
  Overlay overlay = overlayNamed(name);
  overlay.inputLatency = inputLatency;
  overlay.indexLatency = indexLatency;
  if (operandDelay != 0)
    overlay.operandDelay = operandDelay;
  Random random(operandDelay + 1);
  unsigned mapped = 0, atBound = 0;
  for (unsigned run = 0; run < runs; ++run) {
    Problem problem = randomProblem(overlay, random, most);
    StatusOf<Unmapped> status = problem.check(overlay);
    ASSERT_TRUE(status) << "run " << run << ": " << status.error().str();
    auto mapping = map::map(problem, overlay, {});
    if (!mapping) {
      EXPECT_EQ(standingOf(mapping.error().refusal), Standing::Machine)
          << "run " << run << ": " << mapping.error().str();
      continue;
    }
    ++mapped;
    Status valid = verify(problem, overlay, *mapping);
    ASSERT_TRUE(valid) << "run " << run << ": " << valid.error().str();
    Bounds bound = bounds(problem, overlay);
    EXPECT_GE(mapping->ii, std::max(bound.resMii, bound.recMii)) << "run " << run;
    atBound += mapping->ii == std::max(bound.resMii, bound.recMii);
  }
  testing::Test::RecordProperty("mapped", int(mapped));
  testing::Test::RecordProperty("atBound", int(atBound));
  EXPECT_GE(mapped, runs * minMapped / 100);
}

TEST(MapFuzz, Mesh) { fuzz("mesh4x4", 1000, 0, 99); }
TEST(MapFuzz, Chain) { fuzz("u280-full", 1000, 0, 99); }
TEST(MapFuzz, Tiny) { fuzz("tiny", 500, 0, 95); }
TEST(MapFuzz, WithoutDelayLines) { fuzz("mesh4x4", 40, 1, 90); }
TEST(MapFuzz, ShortDelayLines) { fuzz("mesh4x4", 150, 8, 95); }
TEST(MapFuzz, LargeOnMesh) { fuzz("mesh4x4", 100, 0, 99, 60); }
TEST(MapFuzz, LargeOnChain) { fuzz("u280-full", 50, 0, 99, 60); }
TEST(MapFuzz, RegisteredInputsOnMesh) { fuzz("mesh4x4", 400, 0, 99, 15, 1); }
TEST(MapFuzz, RegisteredInputsOnChain) { fuzz("u280-full", 50, 0, 99, 60, 1); }
TEST(MapFuzz, RegisteredInputsOnTiny) { fuzz("tiny", 300, 0, 95, 15, 1); }
TEST(MapFuzz, RegisteredIndicesOnMesh) { fuzz("mesh4x4", 400, 0, 99, 15, 1, 1); }
TEST(MapFuzz, RegisteredIndicesOnChain) { fuzz("u280-full", 50, 0, 99, 60, 1, 1); }
TEST(MapFuzz, RegisteredIndicesOnTiny) { fuzz("tiny", 300, 0, 95, 15, 1, 1); }
TEST(MapFuzz, IndicesOfAnArrayThatFollowsOnMesh) { fuzz("mesh4x4", 300, 0, 99, 15, 1, 3); }
TEST(MapFuzz, IndicesOfAnArrayThatFollowsOnTiny) { fuzz("tiny", 200, 0, 95, 15, 1, 2); }
TEST(MapFuzz, RegisteredIndicesWithShortDelayLines) { fuzz("mesh4x4", 150, 4, 90, 15, 1, 1); }
