// The loops of the suite: at their bounds, the same for every number of threads, and
// never worse on a larger grid.
#include "passes/mapper/suite/Suite.h"
#include "passes/mapper/TestProblems.h"

#include <gtest/gtest.h>

#include <map>

using namespace acis;
using namespace acis::map;
using namespace acis::map::test;

static Mapping mapped(const Problem &problem, const Overlay &overlay, const Options &options = {}) {
  auto mapping = map::map(problem, overlay, options);
  EXPECT_TRUE(mapping) << (mapping ? "" : mapping.error().str());
  if (!mapping)
    return {};
  Status valid = verify(problem, overlay, *mapping);
  EXPECT_TRUE(valid) << valid.error().str();
  return *mapping;
}

/// Above the bound only where docs/mapper.md lists the loop as open.
static void expectAtBound(const char *name, const std::map<std::string, unsigned> &above) {
  Overlay overlay = overlayNamed(name);
  for (const suite::Loop &loop : suite::loops()) {
    auto extra = above.find(loop.name);
    unsigned most = extra == above.end() ? 0 : extra->second;
    Bounds bound = bounds(loop.problem, overlay);
    EXPECT_LE(mapped(loop.problem, overlay).ii, bound.mii() + most) << loop.name << " on " << name;
  }
}

TEST(Suite, OneCycleMeshIsAtTheBound) { expectAtBound("mesh4x4-onecycle", {}); }
TEST(Suite, MemoryOnTheLeftIsAtTheBound) {
  expectAtBound("mesh4x4-onecycle-left",
                {{"stencil-25", 1}, {"susan", 1}, {"median-9", 1}, {"motion", 1}});
}

TEST(Suite, OperationsOfACycleNeedSlotsOfOnePe) {
  Overlay overlay = overlayNamed("mesh4x4-onecycle");
  for (const suite::Loop &loop : suite::recurrenceLoops())
    if (loop.name == "crc") {
      Bounds bound = bounds(loop.problem, overlay);
      EXPECT_EQ(bound.recMii, 8u);
      EXPECT_EQ(bound.placeMii, 9u);
      EXPECT_EQ(bound.placeReason.find("9 operations that cycles keep on one PE: 'xor'"), 0u)
          << bound.placeReason;
    }
}

TEST(Suite, ThreadsChangeNothing) {
  Overlay overlay = overlayNamed("mesh4x4-onecycle");
  for (const suite::Loop &loop : suite::loops()) {
    if (loop.problem.nodes.size() > 45)
      continue;
    Options parallel;
    parallel.threads = 3;
    Mapping one = mapped(loop.problem, overlay), many = mapped(loop.problem, overlay, parallel);
    EXPECT_EQ(one.ii, many.ii) << loop.name;
    EXPECT_EQ(one.routes, many.routes) << loop.name;
    EXPECT_EQ(one.delays, many.delays) << loop.name;
  }
}

// More of a graph than the patience is enough for: with any number of threads it ends at the same
// attempt, and early where that is asked for.
TEST(Suite, ThreadsChangeNothingWhereTheSearchGivesUp) {
  Overlay overlay = overlayNamed("mesh2x2-onecycle");
  overlay.contextSlots = 160;
  suite::Shape shape;
  shape.nodes = 500;
  Problem problem = suite::randomGraph(shape, 3);
  Options parallel, brief;
  parallel.threads = 3;
  brief.patience = Patience::Brief;
  auto one = map::map(problem, overlay, {}), many = map::map(problem, overlay, parallel);
  ASSERT_EQ(bool(one), bool(many));
  if (one) {
    EXPECT_EQ(one->ii, many->ii);
    EXPECT_EQ(one->routes, many->routes);
  } else {
    EXPECT_EQ(one.error().refusal, many.error().refusal);
  }
  EXPECT_FALSE(map::map(problem, overlay, brief));
}

TEST(Suite, ALargerGridIsNeverWorse) {
  Overlay small = overlayNamed("mesh2x2-onecycle"), middle = overlayNamed("mesh4x4-onecycle"),
          large = overlayNamed("mesh8x8-onecycle");
  for (const suite::Loop &loop : suite::loops()) {
    if (loop.problem.nodes.size() > 45)
      continue;
    unsigned ii = mapped(loop.problem, middle).ii;
    EXPECT_LE(ii, mapped(loop.problem, small).ii) << loop.name;
    EXPECT_LE(mapped(loop.problem, large).ii, ii) << loop.name;
  }
}

TEST(Suite, WhatItsBoundRulesOutIsNotSearched) {
  Overlay overlay = overlayNamed("tiny");
  Builder b;
  unsigned early = b.streamIn(), late = early;
  for (unsigned i = 0; i < 30; ++i)
    late = b.op(UnitClass::Divide, "div", {late}, 0);
  b.streamOut(b.op(UnitClass::Integer, "add", {early, late}, 0));
  auto mapping = map::map(b.problem, overlay, {});
  ASSERT_FALSE(mapping);
  EXPECT_EQ(mapping.error().refusal.why, Why::IntervalTooLarge);
  EXPECT_EQ(mapping.error().refusal.parts[0], "31") << mapping.error().str();
}
