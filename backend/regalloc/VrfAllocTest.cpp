// The allocator against its independent check, on overlays built by hand.
#include "backend/regalloc/VrfAlloc.h"

#include <gtest/gtest.h>

#include <random>

using namespace acis;
using namespace acis::regalloc;

namespace {

Overlay makeOverlay(unsigned pes, unsigned beats = 4096) {
  Overlay overlay;
  overlay.cols = pes;
  overlay.vrfBeats = beats;
  overlay.pes.assign(pes, PeKind{{true, true, true, true}, true, true});
  return overlay;
}

Array perVpe(const char *name, unsigned beats) {
  return {name, "h.c:1", beats, true, 0, 0, {}, {}};
}
Array inPe(const char *name, unsigned beats, unsigned pe) {
  return {name, "h.c:2", beats, false, 0, pe, {}, {}};
}

TEST(VrfAlloc, FillsTheFileOfGcn) {
  Overlay overlay = makeOverlay(16);
  std::vector<Array> arrays = {perVpe("x", 256), perVpe("acc", 3584)};
  auto result = allocate(arrays, overlay);
  ASSERT_TRUE(result) << textOf(result.error().refusal);
  EXPECT_TRUE(verify(arrays, *result, overlay));
  EXPECT_EQ(result->vreg[1], 0u); // 28 registers, the largest first
  EXPECT_EQ(result->vreg[0], 28u);
}

TEST(VrfAlloc, NamesTheArrayThatDoesNotFit) {
  Overlay overlay = makeOverlay(2);
  auto result = allocate({perVpe("x", 1024), inPe("y", 3073, 1)}, overlay);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().array, 0u);
  EXPECT_EQ(result.error().refusal.why, Why::ArrayDoesNotFit);
  EXPECT_EQ(textOf(result.error().refusal)
                .find("array 'x' needs 1024 beats (8 vector registers) in "
                      "every VPE; 7 of 32 registers"),
            0u)
      << textOf(result.error().refusal);
}

TEST(VrfAlloc, ArraysOfDifferentPesMayOverlap) {
  Overlay overlay = makeOverlay(2);
  std::vector<Array> arrays = {inPe("a", 4096, 0), inPe("b", 4096, 1)};
  auto result = allocate(arrays, overlay);
  ASSERT_TRUE(result);
  EXPECT_TRUE(verify(arrays, *result, overlay));
}

TEST(VrfAlloc, LeavesPlacedArraysWhereTheyAre) {
  Overlay overlay = makeOverlay(1);
  std::vector<Array> arrays = {inPe("large", 2048, 0), inPe("shared", 128, 0)};
  arrays[1].vreg = 0;
  auto result = allocate(arrays, overlay);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->vreg[1], 0u);
  EXPECT_EQ(result->vreg[0], 16u);
  EXPECT_TRUE(verify(arrays, *result, overlay));
}

TEST(VrfAlloc, SharesRegistersOfDisjointLifetimes) {
  Overlay overlay = makeOverlay(1);
  std::vector<Array> arrays = {inPe("a", 3000, 0), inPe("b", 3000, 0)};
  EXPECT_FALSE(allocate(arrays, overlay));
  arrays[0].lifetime = Lifetime{0, 1};
  arrays[1].lifetime = Lifetime{2, 3};
  auto result = allocate(arrays, overlay);
  ASSERT_TRUE(result);
  EXPECT_TRUE(verify(arrays, *result, overlay));
  arrays[1].lifetime = Lifetime{1, 3};
  EXPECT_FALSE(verify(arrays, *result, overlay));
}

TEST(VrfAlloc, GivesUpAlignmentWhenTheFileIsFull) {
  Overlay overlay = makeOverlay(1);
  // 20 aligned to 16 starts at v0, then 8 at v24, then 4 at v20.
  std::vector<Array> arrays = {inPe("a", 20 * 128, 0), inPe("b", 8 * 128, 0),
                               inPe("c", 4 * 128, 0)};
  auto result = allocate(arrays, overlay);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->vreg, (std::vector<unsigned>{0, 24, 20}));
}

TEST(VrfAlloc, RefusesAPeWithoutRegisterFile) {
  Overlay overlay = makeOverlay(2);
  overlay.pes[1].vrf = false;
  EXPECT_TRUE(allocate({inPe("a", 1, 0)}, overlay));
  EXPECT_FALSE(allocate({inPe("a", 1, 1)}, overlay));
  EXPECT_FALSE(allocate({perVpe("a", 1)}, overlay));
}

TEST(VrfAlloc, VerifyFindsOverlapAndOverrun) {
  Overlay overlay = makeOverlay(1);
  std::vector<Array> arrays = {inPe("a", 256, 0), inPe("b", 256, 0)};
  EXPECT_TRUE(verify(arrays, {{0, 2}}, overlay));
  EXPECT_FALSE(verify(arrays, {{0, 1}}, overlay));
  EXPECT_FALSE(verify(arrays, {{0, 31}}, overlay));
  EXPECT_FALSE(verify(arrays, {{0}}, overlay));
}

TEST(VrfAlloc, ASplitArrayNeedsItsOwnPesOnly) {
  Overlay overlay = makeOverlay(3);
  overlay.pes[2].vrf = false;
  Array split = perVpe("x", 4096);
  split.vpes = 1;
  EXPECT_TRUE(allocate({split, inPe("a", 4096, 1)}, overlay));
  EXPECT_FALSE(allocate({split, inPe("a", 1, 0)}, overlay));
  split.vpes = 3;
  EXPECT_FALSE(allocate({split}, overlay));
}

TEST(VrfAlloc, RandomAssignmentsPassTheCheck) {
  std::mt19937 random(1);
  unsigned fitted = 0;
  for (unsigned round = 0; round < 2000; ++round) {
    Overlay overlay = makeOverlay(1 + random() % 4, 32u << (random() % 8));
    std::vector<Array> arrays;
    for (unsigned i = 0, n = 1 + random() % 8; i < n; ++i) {
      Array array;
      array.name = "a" + std::to_string(i);
      array.beats = 1 + unsigned(random()) % (overlay.vrfBeats / 2);
      array.perVpe = random() % 3 == 0;
      array.vpes = unsigned(random()) % (overlay.numPes() + 1);
      array.pe = unsigned(random()) % overlay.numPes();
      if (random() % 2) {
        unsigned first = random() % 8;
        array.lifetime = Lifetime{first, first + unsigned(random()) % 4};
      }
      arrays.push_back(array);
    }
    if (auto result = allocate(arrays, overlay)) {
      ++fitted;
      Status status = verify(arrays, *result, overlay);
      ASSERT_TRUE(status) << status.error().str();
    }
  }
  EXPECT_GT(fitted, 200u);
}

} // namespace
