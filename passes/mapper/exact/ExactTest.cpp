// The SAT solver against the search: proofs hold, mappings are valid.
#include "passes/mapper/exact/Exact.h"
#include "passes/mapper/Random.h"
#include "passes/mapper/TestProblems.h"
#include "passes/mapper/exact/Cnf.h"
#include "passes/mapper/exact/Window.h"
#include "passes/mapper/suite/GraphBuilder.h"
#include "passes/mapper/suite/Suite.h"

#include <gtest/gtest.h>

using namespace acis;
using namespace acis::map;
using namespace acis::map::test;

static Problem loopNamed(const std::string &name) {
  for (suite::Loop &loop : suite::loops())
    if (loop.name == name)
      return loop.problem;
  ADD_FAILURE() << name;
  return {};
}

static ExactResult exactly(const Problem &problem, const Overlay &overlay, double seconds = 60) {
  ExactOptions options;
  options.seconds = seconds;
  Result<ExactResult, Unmapped> result = mapExact(problem, overlay, options);
  EXPECT_TRUE(result) << (result ? "" : result.error().str());
  return result ? *result : ExactResult();
}

TEST(Exact, FindsAMappingThatHolds) {
  Overlay overlay = overlayNamed("mesh2x2-onecycle");
  for (const char *name : {"iir", "prefix-sum", "histogram", "argmax"}) {
    Problem problem = loopNamed(name);
    ExactResult result = exactly(problem, overlay);
    ASSERT_NE(result.mapping.ii, 0u) << name;
    Status valid = verify(problem, overlay, result.mapping);
    EXPECT_TRUE(valid) << name << ": " << valid.error().str();
    EXPECT_TRUE(result.isOptimal()) << name;
  }
}

// The solver takes the register behind what is read as the search does.
TEST(Exact, InputLatencyIsInTheFormula) {
  Overlay overlay = overlayNamed("mesh2x2-onecycle");
  overlay.inputLatency = 1;
  for (const char *name : {"iir", "histogram"}) {
    ExactResult result = exactly(loopNamed(name), overlay);
    ASSERT_NE(result.mapping.ii, 0u) << name;
    Status valid = verify(loopNamed(name), overlay, result.mapping);
    EXPECT_TRUE(valid) << name << ": " << valid.error().str();
    EXPECT_TRUE(result.isOptimal()) << name;
  }
}

// x = next[x] + 1 takes a cycle for the read, one for the sum and, if an index has to be there
// before its access, one for that.
TEST(Exact, IndexLatencyIsInTheFormula) {
  Overlay overlay = overlayNamed("mesh2x2-onecycle");
  Builder b;
  unsigned read = b.vrfRead("next", 0), sum = b.op(UnitClass::Integer, "sum", {read}, 0);
  b.value(sum, read, 0, 1);
  overlay.inputLatency = 1;
  EXPECT_EQ(exactly(b.problem, overlay).mapping.ii, 2u);
  overlay.indexLatency = 1;
  ExactResult result = exactly(b.problem, overlay);
  ASSERT_EQ(result.mapping.ii, 3u);
  Status valid = verify(b.problem, overlay, result.mapping);
  EXPECT_TRUE(valid) << valid.error().str();
  EXPECT_TRUE(result.isOptimal());
}

// Divisions on a divider that is busy for several slots, beside one of another PE that is not as
// slow.
TEST(Exact, UnitsThatLanesShareAreInTheFormula) {
  Overlay overlay = overlayNamed("mesh2x2-onecycle");
  for (unsigned pe = 0; pe < 4; ++pe) {
    overlay.pes[pe].units[unsigned(UnitClass::Divide)] = pe < 2;
    overlay.pes[pe].every[unsigned(UnitClass::Divide)] = pe == 0 ? 4 : 2;
  }
  suite::GraphBuilder b;
  const unsigned in = b.streamIn();
  unsigned last = in;
  for (unsigned i = 0; i < 3; ++i)
    last = b.op("div", {last, in}, UnitClass::Divide);
  b.streamOut(last);
  ExactResult result = exactly(b.problem, overlay);
  ASSERT_EQ(result.mapping.ii, 4u);
  Status valid = verify(b.problem, overlay, result.mapping);
  EXPECT_TRUE(valid) << valid.error().str();
  EXPECT_TRUE(result.isOptimal());
  // At the bound for who counts operations, the divider of PE 0 is too slow for its interval.
  overlay.pes[1].units[unsigned(UnitClass::Divide)] = false;
  result = exactly(b.problem, overlay);
  EXPECT_EQ(result.mapping.ii, 12u);
  // A cycle's operations on a window of the grid have the fastest divider, and no faster one.
  suite::GraphBuilder cycle;
  const unsigned a = cycle.op("div", {cycle.streamIn()}, UnitClass::Divide),
                 c = cycle.op("div", {a}, UnitClass::Divide), sum = cycle.op("add", {c});
  cycle.carry(sum, a);
  cycle.streamOut(sum);
  overlay.pes[1].units[unsigned(UnitClass::Divide)] = true;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  EXPECT_EQ(exact::mayCyclesBePlaced(cycle.problem, overlay, 3, deadline), exact::Answer::No);
  EXPECT_NE(exact::mayCyclesBePlaced(cycle.problem, overlay, 4, deadline), exact::Answer::No);
}

// The three operands of a select come from three PEs, and a chain has two links into one.
TEST(Exact, ProvesThatABoundCannotBeReached) {
  Overlay overlay = overlayNamed("u280-full");
  EXPECT_EQ(bounds(filter(), overlay).mii(), 1u);
  ExactResult result = proveLowerBound(filter(), overlay, 5, 60);
  EXPECT_EQ(result.lowerBound, 2u);
  EXPECT_NE(result.reason.find("SAT"), std::string::npos) << result.reason;
}

TEST(Exact, NeedsNoSolverWhereTheSearchIsAtTheBound) {
  Overlay overlay = overlayNamed("mesh4x4-onecycle");
  Problem problem = loopNamed("gemm-4x4");
  auto known = map::map(problem, overlay, {});
  ASSERT_TRUE(known);
  ExactOptions options;
  options.known = &*known;
  auto result = mapExact(problem, overlay, options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->isOptimal());
  EXPECT_EQ(result->mapping.places.size(), known->places.size());
}

TEST(Exact, NoTimeIsNoFailure) {
  Overlay overlay = overlayNamed("mesh4x4-onecycle");
  ExactResult result = exactly(loopNamed("adpcm"), overlay, 0);
  EXPECT_EQ(result.mapping.ii, 0u);
  EXPECT_EQ(result.lowerBound, 32u);
  EXPECT_FALSE(result.isOptimal());
}

// A graph of 60 nodes on 256 PEs took 17 GB before the solver looked at the clock.
TEST(Exact, LeavesFormulasThatAreTooLarge) {
  const auto later = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  for (auto [room, answer] : {std::pair(4, exact::Answer::No), {3, exact::Answer::Unknown}}) {
    exact::Cnf formula(room);
    const exact::Literal a = formula.variable(), b = formula.variable();
    formula.clause({a, b});
    formula.clause({-a});
    formula.clause({-b});
    EXPECT_EQ(formula.solve(later), answer) << room;
  }
}

TEST(Exact, RefusesWhatMapRefuses) {
  Problem empty;
  EXPECT_FALSE(mapExact(empty, overlayNamed("tiny"), {}));
}

/// Add, compare, select of four states, and what is left of them over the best one.
static Problem survivors() {
  suite::GraphBuilder b;
  unsigned metric = b.streamIn(), sums[8], least[4], next[4];
  for (unsigned &sum : sums)
    sum = b.op("add", {metric});
  for (unsigned i = 0; i < 4; ++i)
    least[i] = b.op("min", {sums[2 * i], sums[2 * i + 1]});
  const unsigned best =
      b.op("min", {b.op("min", {least[0], least[1]}), b.op("min", {least[2], least[3]})});
  for (unsigned i = 0; i < 4; ++i)
    next[i] = b.op("sub", {least[i], best});
  for (unsigned i = 0; i < 8; ++i)
    b.carry(next[i / 4 + i % 2 * 2], sums[i]);
  b.streamOut(b.op("or", {sums[0], sums[7]}));
  return b.problem;
}

// A cycle's nodes stay close together on 4 PEs as on 256.
TEST(Exact, LargeGridsTakeNoMoreToProve) {
  unsigned ii = 0;
  for (const char *name : {"mesh4x4-onecycle", "mesh16x16-onecycle"}) {
    Overlay overlay = overlayNamed(name);
    auto found = map::map(survivors(), overlay, {});
    ASSERT_TRUE(found);
    EXPECT_GT(found->ii, bounds(survivors(), overlay).mii()) << "nothing to prove on " << name;
    ExactResult result = proveLowerBound(survivors(), overlay, found->ii, 60);
    EXPECT_EQ(result.lowerBound, found->ii) << name;
    EXPECT_TRUE(ii == 0 || ii == found->ii) << name;
    ii = found->ii;
  }
}

// What a window rules out must not be there on the grid.
TEST(Exact, WindowsRuleOutNoMapping) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  for (const char *name :
       {"torus4x4-onecycle", "king4x4-onecycle", "onehop4x4-onecycle", "u280-full"}) {
    Overlay overlay = overlayNamed(name);
    for (const suite::Loop &loop : suite::recurrenceLoops()) {
      if (loop.problem.nodes.size() > 30)
        continue;
      if (auto found = map::map(loop.problem, overlay, {}))
        EXPECT_NE(exact::mayCyclesBePlaced(loop.problem, overlay, found->ii, deadline),
                  exact::Answer::No)
            << loop.name << " on " << name;
    }
  }
}

// Neither may be better than a proof of the other; three IIs are proven on the way.
TEST(Exact, AgreesWithTheSearchOnRandomGraphs) {
  Overlay overlay = overlayNamed("mesh2x2-onecycle");
  unsigned optimal = 0, proven = 0;
  for (unsigned seed = 0; seed < 40; ++seed) {
    suite::Shape shape;
    shape.nodes = 6 + seed % 8;
    shape.recurrences = seed % 3;
    shape.recurrenceLength = 2 + seed % 3;
    Problem problem = suite::randomGraph(shape, seed);
    auto found = map::map(problem, overlay, {});
    ASSERT_TRUE(found) << seed << ": " << found.error().str();
    ExactResult exact = exactly(problem, overlay, 10);
    EXPECT_GE(found->ii, exact.lowerBound) << seed;
    if (exact.mapping.ii == 0)
      continue;
    EXPECT_GE(exact.mapping.ii, exact.lowerBound) << seed;
    EXPECT_LE(found->ii, exact.mapping.ii + 1) << seed;
    optimal += found->ii <= exact.mapping.ii;
    ++proven;
  }
  EXPECT_GE(proven, 38u);
  EXPECT_GE(optimal, proven - 1);
}
