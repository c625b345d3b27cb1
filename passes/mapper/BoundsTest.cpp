// ResMII and RecMII with their reasons.
#include "passes/mapper/TestProblems.h"

#include <gtest/gtest.h>

using namespace acis;
using namespace acis::map;
using namespace acis::map::test;

TEST(Bounds, Resources) {
  Overlay tiny = overlayNamed("tiny");
  Bounds one = bounds(addConstant(), tiny);
  EXPECT_EQ(one.resMii, 1u);
  EXPECT_EQ(one.recMii, 1u);
  EXPECT_EQ(one.recReason, "");

  Bounds firs = bounds(fir(8), tiny);
  EXPECT_EQ(firs.resMii, 8u);
  EXPECT_EQ(firs.resReason, "15 integer/float operations on 2 PEs");

  Builder reads;
  for (int i = 0; i < 5; ++i)
    reads.vrfRead("x", 1);
  EXPECT_EQ(bounds(reads.problem, tiny).resMii, 3u);
  EXPECT_EQ(bounds(reads.problem, tiny).resReason, "5 register-file reads on 2 ports of PE 1");

  Builder streams;
  streams.streamIn();
  streams.streamIn();
  EXPECT_EQ(bounds(streams.problem, tiny).resMii, 2u);
  EXPECT_EQ(bounds(streams.problem, tiny).resReason, "2 stream reads on one port");

  Builder pinned;
  for (int i = 0; i < 4; ++i)
    pinned.op(UnitClass::Integer, "", {}, 1);
  EXPECT_EQ(bounds(pinned.problem, tiny).resReason, "4 operations on PE 1");
}

TEST(Bounds, OnlyThePesWithTheUnitCount) {
  Overlay u280 = overlayNamed("u280-full");
  for (unsigned pe = 2; pe < 16; ++pe)
    u280.pes[pe].units[unsigned(UnitClass::Divide)] = false;
  Builder b;
  for (int i = 0; i < 5; ++i)
    b.op(UnitClass::Divide, "", {});
  EXPECT_EQ(bounds(b.problem, u280).resMii, 3u);
  EXPECT_EQ(bounds(b.problem, u280).resReason, "5 divide operations on 2 PEs");
}

TEST(Bounds, OnlyThePesThatCanDoItCount) {
  Overlay u280 = overlayNamed("u280-full");
  for (unsigned pe = 0; pe < 14; ++pe)
    u280.pes[pe].extras = 0;
  Builder b;
  for (int i = 0; i < 5; ++i)
    b.problem.nodes[b.op(UnitClass::Integer, "", {})].extras = extra::Moves;
  EXPECT_EQ(bounds(b.problem, u280).resMii, 3u);
  EXPECT_EQ(bounds(b.problem, u280).resReason, "5 operations with moves between lanes on 2 PEs");
  for (map::Node &node : b.problem.nodes)
    node = {NodeKind::VrfRead, UnitClass::Integer, {}, "", extra::Gather};
  EXPECT_EQ(bounds(b.problem, u280).resReason,
            "5 register-file reads with an index for each lane on 4 ports");
  // The search uses the PEs that can.
  Result<Mapping, Unmapped> mapping = map::map(b.problem, u280, {});
  ASSERT_TRUE(mapping) << mapping.error().str();
  for (const Placement &place : mapping->places)
    EXPECT_GE(place.pe, 14u);
}

TEST(Bounds, LanesShareUnits) {
  Overlay u280 = overlayNamed("u280-full");
  for (unsigned pe = 0; pe < 16; ++pe) {
    u280.pes[pe].units[unsigned(UnitClass::Divide)] = pe == 3 || pe == 9;
    u280.pes[pe].every[unsigned(UnitClass::Divide)] = pe == 9 ? 4 : 2;
  }
  Builder b;
  for (int i = 0; i < 4; ++i)
    b.op(UnitClass::Divide, "", {});
  // In six slots one takes three and the other one.
  EXPECT_EQ(bounds(b.problem, u280).resMii, 6u);
  EXPECT_EQ(bounds(b.problem, u280).resReason,
            "4 divide operations on 2 PEs that take one in up to 4 slots");
  Result<Mapping, Unmapped> mapping = map::map(b.problem, u280, {});
  ASSERT_TRUE(mapping) << mapping.error().str();
  EXPECT_EQ(mapping->ii, 6u);
  for (map::Node &node : b.problem.nodes)
    node.pe = 9;
  EXPECT_EQ(bounds(b.problem, u280).resMii, 16u);
  EXPECT_EQ(bounds(b.problem, u280).resReason,
            "4 operations on a unit of PE 9 that takes one in 4 slots");
  // Other units of the PE go on meanwhile.
  for (int i = 0; i < 4; ++i)
    b.problem.nodes[b.op(UnitClass::Integer, "", {})].pe = 9;
  EXPECT_EQ(bounds(b.problem, u280).resMii, 16u);
  mapping = map::map(b.problem, u280, {});
  ASSERT_TRUE(mapping) << mapping.error().str();
  EXPECT_EQ(mapping->ii, 16u);
}

TEST(Bounds, Recurrences) {
  Overlay u280 = overlayNamed("u280-full"); // integer 6, float 8
  Builder b;
  unsigned add = b.op(UnitClass::Integer, "add", {}), mul = b.op(UnitClass::Float, "fmul", {add});
  b.value(mul, add, 0, 2);
  Bounds bound = bounds(b.problem, u280);
  EXPECT_EQ(bound.recMii, 7u);
  EXPECT_EQ(bound.recReason, "'add' -> 'fmul': 14 cycles in 2 iterations");

  b.problem.nodes[add].pe = 0; // now there are two hops on the way
  b.problem.nodes[mul].pe = 1;
  EXPECT_EQ(bounds(b.problem, u280).recMii, 8u);

  // Two cycles: the worse ratio counts, not the longer cycle.
  Builder two;
  unsigned x = two.op(UnitClass::Integer, "x", {});
  two.value(x, x, 0, 1); // 6 cycles an iteration
  unsigned y = two.op(UnitClass::Float, "y", {}), z = two.op(UnitClass::Float, "z", {y});
  two.value(z, y, 0, 8); // 2
  EXPECT_EQ(bounds(two.problem, u280).recMii, 6u);
  EXPECT_EQ(bounds(two.problem, u280).recReason, "'x': 6 cycles in 1 iteration");
}

// acc = acc + x through a register file: what is written is read a cycle later, and the value is
// there in the same cycle or behind a register.
TEST(Bounds, RecurrencesThroughReadsTakeTheInputLatency) {
  Overlay u280 = overlayNamed("u280-full"); // float 8
  Builder b;
  unsigned read = b.vrfRead("acc", 0), sum = b.op(UnitClass::Float, "fadd", {read}, 0);
  unsigned write = b.node(NodeKind::VrfWrite, "acc", 0);
  b.value(sum, write, 0);
  b.order(write, read, 1, 1);
  EXPECT_EQ(bounds(b.problem, u280).recMii, 9u);
  u280.inputLatency = 1;
  EXPECT_EQ(bounds(b.problem, u280).recMii, 10u);
  auto mapping = map::map(b.problem, u280, {});
  ASSERT_TRUE(mapping) << mapping.error().str();
  EXPECT_EQ(mapping->ii, 10u);

  // Values that go from one operation to the next never meet that register.
  Builder values;
  unsigned x = values.op(UnitClass::Float, "x", {values.streamIn()});
  values.value(x, x, 1, 1);
  EXPECT_EQ(bounds(values.problem, u280).recMii, 8u);
}

// x = next[x]: what is read is the index of the next read, and has to be there before it. The data
// of a write does not.
TEST(Bounds, RecurrencesThroughIndicesTakeTheIndexLatency) {
  Overlay u280 = overlayNamed("u280-full");
  u280.inputLatency = 1;
  Builder b;
  unsigned read = b.vrfRead("next", 0);
  b.value(read, read, 0, 1);
  EXPECT_EQ(bounds(b.problem, u280).recMii, 1u);
  u280.indexLatency = 1;
  EXPECT_EQ(bounds(b.problem, u280).recMii, 2u);
  auto mapping = map::map(b.problem, u280, {});
  ASSERT_TRUE(mapping) << mapping.error().str();
  EXPECT_EQ(mapping->ii, 2u);
  u280.indexLatency = 3; // of an array that follows by two cycles
  EXPECT_EQ(bounds(b.problem, u280).recMii, 4u);
  mapping = map::map(b.problem, u280, {});
  ASSERT_TRUE(mapping) << mapping.error().str();
  EXPECT_EQ(mapping->ii, 4u);
  u280.indexLatency = 1;

  auto written = [&](unsigned operand) { // data 0, index 1, predicate 2
    Builder c;
    unsigned source = c.vrfRead("x", 0), write = c.node(NodeKind::VrfWrite, "y", 0);
    c.value(source, write, 0);
    c.value(source, write, operand);
    c.order(write, source, 1, 1);
    return bounds(c.problem, u280).recMii;
  };
  EXPECT_EQ(written(1), 3u);
  EXPECT_EQ(written(2), 2u);
}

TEST(Bounds, InterleavedAccumulationIsNoRecurrence) {
  EXPECT_EQ(bounds(dotProduct(), overlayNamed("u280-full")).recMii, 1u);
}

/// A rotation of shifts: both take the value, both are joined.
static unsigned rotation(Builder &b, unsigned value) {
  unsigned left = b.op(UnitClass::Integer, "shl", {value});
  unsigned right = b.op(UnitClass::Integer, "lshr", {value});
  return b.op(UnitClass::Integer, "or", {left, right});
}

TEST(Bounds, ForksTakeTurns) {
  Overlay overlay = overlayNamed("mesh4x4-onecycle");
  Builder b;
  unsigned add = b.op(UnitClass::Integer, "add", {});
  unsigned second = b.op(UnitClass::Integer, "xor", {rotation(b, add)});
  b.value(rotation(b, second), add, 0, 1);
  Bounds bound = bounds(b.problem, overlay);
  EXPECT_EQ(bound.recMii, 6u);
  EXPECT_EQ(bound.placeMii, 8u); // a cycle more for each pair of shifts

  // A branch that has a cycle to spare takes its turn in it.
  Builder spare;
  unsigned x = spare.op(UnitClass::Integer, "x", {});
  unsigned low = spare.op(UnitClass::Integer, "and", {x});
  unsigned high = spare.op(UnitClass::Integer, "lshr", {x});
  unsigned mask = spare.op(UnitClass::Integer, "mask", {low});
  spare.value(spare.op(UnitClass::Integer, "or", {mask, high}), x, 0, 1);
  EXPECT_EQ(bounds(spare.problem, overlay).recMii, 4u);
  EXPECT_EQ(bounds(spare.problem, overlay).mii(), 5u); // five operations, and no time to go away
}
