// Bounds of demands; BoundsTest has those of graphs, which are the same.
#include "passes/cost/CostModel.h"

#include <gtest/gtest.h>

using namespace acis;

namespace {

/// Two PEs with all units but the divider, which only the first has, and two read ports.
Overlay twoPes() {
  Overlay overlay;
  overlay.cols = 2;
  overlay.latency = {1, 2, 3, 4};
  PeKind pe;
  pe.units = {true, true, true, false};
  pe.vrf = true;
  overlay.pes = {pe, pe};
  overlay.pes[0].units[unsigned(UnitClass::Divide)] = true;
  overlay.pes[0].memory = true;
  overlay.contextSlots = 10;
  return overlay;
}

TEST(CostModel, BoundIsOfTheScarcestResource) {
  const Overlay overlay = twoPes();
  const CostModel cost(overlay);
  Demand demand;
  EXPECT_EQ(cost.interval(demand), 1u);
  demand.operations = {3, 0, 2, 0};
  EXPECT_EQ(cost.bound(demand).slots, 3u);
  EXPECT_EQ(cost.bound(demand).reason, "5 integer/float operations on 2 PEs");
  demand.operations[unsigned(UnitClass::Divide)] = 4;
  EXPECT_EQ(cost.bound(demand).slots, 5u);
  demand.operations[unsigned(UnitClass::Divide)] = 7;
  EXPECT_EQ(cost.bound(demand).reason, "7 divide operations on 1 PEs");
  demand.streamReads = 8;
  EXPECT_EQ(cost.bound(demand).reason, "8 stream reads on one port");
}

TEST(CostModel, SharedUnitsTakeMoreSlots) {
  Overlay overlay = twoPes();
  overlay.pes[0].every[unsigned(UnitClass::Divide)] = 4;
  Demand demand;
  demand.operations[unsigned(UnitClass::Divide)] = 3;
  EXPECT_EQ(CostModel(overlay).interval(demand), 12u);
  // Counts that nobody could have are answered at once, too.
  demand.operations[unsigned(UnitClass::Divide)] = Demand::Saturated;
  EXPECT_EQ(CostModel(overlay).interval(demand), 4 * Demand::Saturated);
}

TEST(CostModel, HomesHaveThePortsOfOnePe) {
  const Overlay overlay = twoPes();
  Demand demand;
  demand.fileReads = 5;
  EXPECT_EQ(CostModel(overlay).interval(demand), 2u);
  demand.homes = {{0, 0, 0}, {5, 1, 0}};
  EXPECT_EQ(CostModel(overlay).bound(demand).reason, "5 register-file reads on 2 ports of PE 1");
  demand.homes[1].writes = 4;
  EXPECT_EQ(CostModel(overlay).interval(demand), 4u);
}

TEST(CostModel, LoopsInsideCountByTheirIterations) {
  Demand inner, demand;
  inner.operations[0] = 2;
  inner.memoryReads = 1;
  inner.homes = {{0, 0, 0}, {1, 0, 0}};
  demand.operations[0] = 1;
  demand.add(inner, 3);
  EXPECT_EQ(demand.allOperations(), 7u);
  EXPECT_EQ(demand.memoryReads, 3u);
  EXPECT_EQ(demand.homes[1].reads, 3u);
  EXPECT_FALSE(CostModel(twoPes()).hasPorts(demand));
  demand.add(demand, ~uint64_t(0));
  EXPECT_EQ(demand.operations[0], Demand::Saturated);
}

TEST(CostModel, RoomIsLeftForTheMapper) {
  const Overlay overlay = twoPes();
  EXPECT_TRUE(CostModel(overlay).hasRoom(8));
  EXPECT_FALSE(CostModel(overlay).hasRoom(9));
  EXPECT_EQ(CostModel(overlay).lanesOf(8), 16u);
  EXPECT_EQ(CostModel(overlay).lanesOf(64), 8u);
}

} // namespace
