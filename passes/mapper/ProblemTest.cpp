// What check() and map() refuse, and with which words.
#include "passes/mapper/TestProblems.h"

#include <gtest/gtest.h>

using namespace acis;
using namespace acis::map;
using namespace acis::map::test;

static std::string refusal(const Problem &problem, const Overlay &overlay) {
  StatusOf<Unmapped> status = problem.check(overlay);
  return status ? "" : status.error().str();
}

TEST(ProblemCheck, AcceptsTheKernels) {
  Overlay u280 = overlayNamed("u280-full");
  for (const Problem &problem : {addConstant(), gcnAccumulate(16), gcnDrain(16), fir(8),
                                 dotProduct(), quantise(3), filter()})
    EXPECT_EQ(refusal(problem, u280), "");
}

TEST(ProblemCheck, Nodes) {
  Overlay u280 = overlayNamed("u280-full");
  Builder far;
  far.vrfRead("x", 16);
  EXPECT_EQ(refusal(far.problem, u280), "'x' is pinned to PE 16; the overlay has 16 PEs");
  Builder stream;
  stream.node(NodeKind::StreamIn, "in", 3);
  EXPECT_EQ(refusal(stream.problem, u280), "stream input 'in' is pinned to PE 3; it has no PE");

  Overlay integer = u280;
  for (PeKind &kind : integer.pes)
    kind = {{true, false, false, false}, false, false};
  Builder fadd;
  fadd.op(UnitClass::Float, "fadd", {});
  EXPECT_EQ(refusal(fadd.problem, integer),
            "loop not mapped: 'fadd' needs a float unit; no PE of the overlay has one: compute it "
            "otherwise, or take an overlay that has one");
  integer.pes[0].units[unsigned(UnitClass::Float)] = true;
  EXPECT_EQ(refusal(fadd.problem, integer), "");
  Builder pinned;
  pinned.op(UnitClass::Float, "fadd", {}, 1);
  EXPECT_EQ(refusal(pinned.problem, integer),
            "loop not mapped: 'fadd' is pinned to PE 1, which has no float unit");
}

TEST(ProblemCheck, WhatUnitsCanDo) {
  Overlay plain = overlayNamed("tiny");
  plain.pes[0].extras = extra::Gather;
  Builder b;
  const unsigned fma = b.op(UnitClass::Float, "fma", {});
  b.problem.nodes[fma].extras = extra::Wide | extra::Fused;
  EXPECT_EQ(refusal(b.problem, plain), "");
  plain.pes[1].extras = extra::Fused;
  EXPECT_EQ(refusal(b.problem, plain),
            "loop not mapped: 'fma' needs a float unit with elements of 64 bits and fused "
            "multiply-add; no PE of the "
            "overlay has one: compute it otherwise, or take an overlay that has one");
  Builder table;
  table.vrfRead("table", 1);
  table.problem.nodes[0].extras = extra::Gather;
  EXPECT_EQ(refusal(table.problem, plain), "loop not mapped: 'table' is pinned to PE 1, which has "
                                           "no vector register file with an index for each lane");
}

TEST(ProblemCheck, Edges) {
  Overlay u280 = overlayNamed("u280-full");
  Problem problem = addConstant();
  problem.edges.push_back({0, 9});
  EXPECT_EQ(refusal(problem, u280), "edge from node 0 to node 9; there are 3 nodes");
  problem = addConstant();
  problem.edges.push_back({2, 1, 1}); // the stream output gives nothing
  EXPECT_EQ(refusal(problem, u280), "'out' has no value, but is operand 1 of 'add'");
  problem = addConstant();
  problem.edges.push_back({0, 2, 2});
  EXPECT_EQ(refusal(problem, u280), "'out' is given operand 2; nodes of its kind have 2");
  problem = addConstant();
  problem.edges.push_back({0, 1, 0});
  EXPECT_EQ(refusal(problem, u280), "operand 0 of 'add' is given twice");
}

TEST(ProblemCheck, CycleInOneIteration) {
  Overlay u280 = overlayNamed("u280-full");
  Builder b;
  unsigned one = b.op(UnitClass::Integer, "one", {}), two = b.op(UnitClass::Integer, "two", {one});
  b.op(UnitClass::Integer, "behind", {two});
  b.value(two, one, 0, 1);
  EXPECT_EQ(refusal(b.problem, u280), "");
  b.problem.edges.back().distance = 0;
  std::string text = refusal(b.problem, u280);
  EXPECT_TRUE(text == "'one' depends on itself within one iteration; the dependence must have a "
                      "distance of at least 1" ||
              text == "'two' depends on itself within one iteration; the dependence must have a "
                      "distance of at least 1")
      << text;
}

TEST(ProblemCheck, MemoryPorts) {
  Overlay tiny = overlayNamed("tiny");
  Builder b;
  b.node(NodeKind::MemRead, "a");
  b.node(NodeKind::MemRead, "b");
  EXPECT_EQ(refusal(b.problem, tiny), "");
  b.node(NodeKind::MemRead, "c");
  EXPECT_EQ(refusal(b.problem, tiny),
            "loop not mapped: 3 memory reads; the overlay has 2 ports to off-chip "
            "memory, and each serves one of a loop");
  Builder same;
  same.node(NodeKind::MemWrite, "a", 1);
  same.node(NodeKind::MemWrite, "b", 1);
  EXPECT_EQ(refusal(same.problem, tiny),
            "loop not mapped: 'b' is a second memory write on PE 1; a port serves one of a loop");
}

TEST(Map, SaysWhyItDoesNotFit) {
  Overlay tiny = overlayNamed("tiny");
  auto none = map::map(Problem{}, tiny, {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().str(), "nothing to map: the graph has no nodes");

  Builder many;
  for (unsigned i = 0; i < 33; ++i)
    many.op(UnitClass::Integer, "", {});
  auto full = map::map(many.problem, tiny, {});
  ASSERT_FALSE(full);
  EXPECT_EQ(full.error().str(),
            "loop not mapped: initiation interval would be at least 17 (33 integer operations "
            "on 2 PEs); 16 context slots are allowed");

  Builder loop; // a divide chain through itself takes 8 cycles an iteration
  unsigned div = loop.op(UnitClass::Divide, "div", {});
  loop.value(div, div, 0, 1);
  Options options;
  options.maxIi = 7;
  auto slow = map::map(loop.problem, tiny, options);
  ASSERT_FALSE(slow);
  EXPECT_EQ(slow.error().str(),
            "loop not mapped: initiation interval would be at least 8 ('div': 8 cycles in 1 "
            "iteration); 7 context slots are allowed");
  options.maxIi = 8;
  EXPECT_TRUE(map::map(loop.problem, tiny, options));
}

TEST(Map, NoWayBetweenPinnedPlaces) {
  Overlay tiny = overlayNamed("tiny");
  tiny.links = {{0, 1, 0, 0}};
  Builder b;
  unsigned from = b.vrfRead("x", 1);
  b.op(UnitClass::Integer, "add", {from}, 0);
  auto mapping = map::map(b.problem, tiny, {});
  ASSERT_FALSE(mapping);
  EXPECT_EQ(mapping.error().refusal.why, Why::NoPlaceOrRoute) << mapping.error().str();
  Builder good;
  from = good.vrfRead("x", 0);
  good.op(UnitClass::Integer, "add", {from}, 1);
  EXPECT_TRUE(map::map(good.problem, tiny, {}));
}
