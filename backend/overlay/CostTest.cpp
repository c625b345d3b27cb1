// The estimate of what a core takes: quantities, table, and what it refuses.
#include "backend/overlay/Cost.h"

#include <gtest/gtest.h>

#include <map>

using namespace acis;

namespace {

Overlay shipped(const std::string &name) {
  Result<Overlay> overlay = Overlay::load(name);
  EXPECT_TRUE(overlay) << (overlay ? "" : overlay.error().str());
  return overlay ? *overlay : Overlay();
}

std::map<std::string_view, double> quantitiesOf(const Overlay &overlay, unsigned pe) {
  const std::vector<Quantity> all = peQuantities(overlay, pe);
  return {all.begin(), all.end()};
}

TEST(Cost, QuantitiesAreOfThePe) {
  const Overlay lean = shipped("u280.json");
  auto first = quantitiesOf(lean, 0), last = quantitiesOf(lean, 15), middle = quantitiesOf(lean, 7);
  EXPECT_EQ(first["wide"], 1);
  EXPECT_EQ(first["fused"], 1);
  EXPECT_EQ(last["wide"], 0);
  EXPECT_EQ(last["divide"], 0);
  EXPECT_EQ(first["divideStages"], 62.0 / 4); // a unit for four lanes
  EXPECT_EQ(middle["in"], 2);
  EXPECT_EQ(last["out"], 1);
  EXPECT_EQ(middle["file4096"], 32); // two copies of 16 lanes
  EXPECT_EQ(middle["file512"], 0);
  // Two PEs have elements of 64 bits, so what the others hand on has room for them, too.
  EXPECT_EQ(last["anyWide"], 1);
  EXPECT_EQ(last["arguments"], 16);
  EXPECT_EQ(last["stages"], 256);
  EXPECT_EQ(last["delayRows"], 2);
  EXPECT_EQ(last["rowBlocks"], 1);
  EXPECT_EQ(last["rowSlots"], 0);
}

TEST(Cost, QuantitiesOfACoreOf32Bits) {
  auto pe = quantitiesOf(shipped("ecp5.json"), 0);
  EXPECT_EQ(pe["anyWide"], 0);
  EXPECT_EQ(pe["arguments"], 8);
  EXPECT_EQ(pe["stages"], 32);
  EXPECT_EQ(pe["slotRows"], 1);
  auto words = quantitiesOf(shipped("tiny.json"), 0);
  EXPECT_EQ(words["anyWide"], 1);
  EXPECT_EQ(words["rowBlocks"], 0);
  EXPECT_EQ(words["rowSlots"], words["slots"]);
}

// docs/rtl-cost.md has the synthesis.
TEST(Cost, TheCoreOfEcp5IsEstimatedAsItIsSynthesised) {
  const Result<Cost> cost = estimateCost(shipped("ecp5.json"), "ecp5");
  ASSERT_TRUE(cost) << cost.error().str();
  const Cells total = cost->total();
  EXPECT_NEAR(total[0], 48925, 0.05 * 48925);
  EXPECT_NEAR(total[1], 12133, 0.05 * 12133);
  EXPECT_NEAR(total[2], 24, 0.5);
  EXPECT_NEAR(total[3], 70, 0.5);
  EXPECT_EQ(cost->note, "");
}

TEST(Cost, SaysWhereItExtrapolates) {
  Overlay large = shipped("ecp5.json");
  large.routeRegs = 16;
  const Result<Cost> cost = estimateCost(large, "ecp5");
  ASSERT_TRUE(cost) << cost.error().str();
  EXPECT_EQ(cost->note,
            "extrapolated beyond the table's samples in /pe/routeRegs (regs 16, they have 1 to 6)");
}

TEST(Cost, HasNoSampleOfAnArrayThatFollows) {
  Overlay following = shipped("ecp5.json");
  following.stallLatency = 1;
  const Result<Cost> cost = estimateCost(following, "ecp5");
  ASSERT_TRUE(cost) << cost.error().str();
  EXPECT_EQ(cost->note,
            "extrapolated beyond the table's samples in /grid/stallLatency (following 1, "
            "they have 0 to 0)");
}

TEST(Cost, HasNoSampleWithoutVectorInstructionsOrSecondRead) {
  Overlay less = shipped("ecp5.json");
  less.scalarVector = false;
  less.vrfReadPorts = 1;
  const Result<Cost> cost = estimateCost(less, "ecp5");
  ASSERT_TRUE(cost) << cost.error().str();
  EXPECT_EQ(cost->note,
            "extrapolated beyond the table's samples in /scalar/vector (noVector 1, they "
            "have 0 to 0), /vrf/readPorts (oneRead 1, they have 0 to 0)");
}

TEST(Cost, EveryDeviceOfAFamilyWithCostsCanBeAskedFor) {
  for (const char *name : {"xcu280", "xcu250", "lfe5u-85f", "lfe5u-45f", "lfe5u-25f"}) {
    const Result<Fpga> device = findDevice(name);
    ASSERT_TRUE(device) << device.error().str();
    EXPECT_GT(device->has[0], 0);
  }
  const Result<Fpga> none = findDevice("lfe5u-86f");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().str().find("found 'lfe5u-86f', allowed are lfe5u-25f"), std::string::npos);
}

TEST(Cost, TheTableHoldsForAllShippedDescriptions) {
  for (const char *name : {"tiny.json", "u280-full.json", "u280.json", "mesh16x16.json"}) {
    const Result<Cost> cost = estimateCost(shipped(name), "ecp5");
    ASSERT_TRUE(cost) << cost.error().str();
    EXPECT_GT(cost->total()[0], 10000) << name;
    for (const BlockCost &block : cost->blocks)
      EXPECT_TRUE(block.field.starts_with("/")) << block.block;
  }
}

TEST(Cost, MoreIsNotSmaller) {
  Overlay small = shipped("tiny.json"), large = small;
  large.lanes *= 2;
  large.maxContexts *= 2;
  large.contextSlots *= 2;
  EXPECT_GT(estimateCost(large, "ecp5")->total()[0], estimateCost(small, "ecp5")->total()[0]);
}

TEST(Cost, NoCostsOfAFamily) {
  const Result<Cost> cost = estimateCost(shipped("tiny.json"), "ice40");
  ASSERT_FALSE(cost);
  EXPECT_NE(cost.error().str().find("no costs for family 'ice40'"), std::string::npos);
}

TEST(Cost, WhatDoesNotFitSaysFieldFoundAndAllowed) {
  Cost cost{
      "ecp5", {{"core/a", "/pe/lanes", {10, 0, 3}}, {"core/b", "/pe/routeRegs", {20, 5, 1}}}, ""};
  const Fpga device{"small", "ecp5", {25, 10, 10}};
  EXPECT_EQ(checkFits(cost, device, "x.json").error().str(),
            "x.json: /pe/routeRegs: found about 30 lut in all, 20 of them in core/b, which goes by "
            "this field most; small has 25");
  cost.blocks.pop_back();
  EXPECT_TRUE(checkFits(cost, device, "x.json"));
}

} // namespace
