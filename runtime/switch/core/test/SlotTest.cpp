// Digests that a slot keeps: only of pieces of its result that are what a member gave.
#include "runtime/switch/core/Slot.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace acis;
using namespace acis::sw;
using collective::Subtree;
using wire::Digest;

namespace {

constexpr uint32_t Members = 3, Unit = 8;

Status sum(const wire::Header &, std::span<const uint8_t> a, std::span<const uint8_t> b,
           std::span<uint8_t> out) {
  for (size_t i = 0; i < out.size(); ++i)
    out[i] = uint8_t(a[i] + b[i]);
  return {};
}

Digest digestOf(uint32_t member) { return {uint8_t(member + 1)}; }

/// All members give; member 1 (the root) without a digest if it is not known.
Slot filled(Shape shape, bool known = true) {
  wire::Header header;
  header.shape = shape;
  header.count = Unit;
  header.element = ElementType::Uint8;
  header.root = 1;
  Slot slot;
  slot.begin(header, {0, Members, Members}, Members);
  for (uint32_t member = 0; member < Members; ++member) {
    const Subtree range{member, 1, Members};
    std::vector<uint8_t> message(collective::bytesUp(shape, Unit, range, 1), uint8_t(member));
    const Digest digest = digestOf(member);
    const bool has = known || member != 1;
    EXPECT_TRUE(
        slot.contribute(member, {range, ReduceOp::Sum, message, has ? &digest : nullptr}, sum));
  }
  EXPECT_TRUE(slot.finishTop(sum));
  return slot;
}

std::span<const uint8_t> resultOf(const Slot &slot, uint32_t member) {
  return slot.resultFor({member, 1, Members});
}

TEST(Slot, BlocksOfAGatherHaveTheirMembersDigests) {
  for (const Shape shape : {Shape::GatherAll, Shape::GatherRoot}) {
    const Slot slot = filled(shape);
    const auto result = resultOf(slot, 1);
    ASSERT_EQ(result.size(), Members * Unit);
    for (uint32_t member = 0; member < Members; ++member) {
      const Digest *digest = slot.digestOf(result.subspan(member * Unit, Unit));
      ASSERT_TRUE(digest);
      EXPECT_EQ(*digest, digestOf(member));
    }
    EXPECT_FALSE(slot.digestOf(result));                     // all blocks
    EXPECT_FALSE(slot.digestOf(result.subspan(4, Unit)));    // of two blocks
    EXPECT_FALSE(slot.digestOf(result.first(Unit / 2)));     // half of one
    EXPECT_FALSE(slot.digestOf(std::span<const uint8_t>())); // a confirmation
  }
}

TEST(Slot, WhatASourceGaveHasItsDigest) {
  const Slot slot = filled(Shape::Source);
  const Digest *digest = slot.digestOf(resultOf(slot, 0));
  ASSERT_TRUE(digest);
  EXPECT_EQ(*digest, digestOf(1));
  EXPECT_FALSE(filled(Shape::Source, /*known=*/false).digestOf(resultOf(slot, 0)));
}

TEST(Slot, AMemberWithoutDigestHasNone) {
  const Slot slot = filled(Shape::GatherAll, /*known=*/false);
  const auto result = resultOf(slot, 0);
  EXPECT_TRUE(slot.digestOf(result.first(Unit)));
  EXPECT_FALSE(slot.digestOf(result.subspan(Unit, Unit)));
  EXPECT_TRUE(slot.digestOf(result.subspan(2 * Unit, Unit)));
}

// The bytes are others, or belong to another member.
TEST(Slot, WhatIsComputedHasNone) {
  for (const Shape shape : {Shape::FoldAll, Shape::FoldRoot, Shape::FoldSplit, Shape::Scatter,
                            Shape::Scan, Shape::Exscan, Shape::Transpose}) {
    const Slot slot = filled(shape);
    for (uint32_t member = 0; member < Members; ++member) {
      const auto result = resultOf(slot, member);
      for (size_t at = 0; at + Unit <= result.size(); at += Unit)
        EXPECT_FALSE(slot.digestOf(result.subspan(at, Unit))) << nameOf(shape);
    }
  }
}

TEST(Slot, AResultFromAboveHasNone) {
  Slot slot = filled(Shape::GatherAll);
  const std::vector<uint8_t> above(Members * Unit, 9);
  slot.setResult(above);
  EXPECT_FALSE(slot.digestOf(resultOf(slot, 0).first(Unit)));
}

} // namespace
