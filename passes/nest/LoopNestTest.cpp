// Judgements of nests that are written down here, without LLVM and without the dialect.
#include "passes/nest/Elements.h"
#include "passes/nest/Lanes.h"

#include <gtest/gtest.h>

using namespace acis;
using namespace acis::nest;

namespace {

/// Levels one in the other; a trip of 0 is none that is known.
LoopNest nestOf(std::initializer_list<uint64_t> trips) {
  LoopNest nest;
  for (uint64_t trip : trips) {
    Level level;
    level.around = nest.levels.empty() ? None : unsigned(nest.levels.size() - 1);
    if (trip != 0)
      level.trip = trip;
    level.isPassedThrough = true;
    level.size = 4;
    nest.levels.push_back(level);
  }
  return nest;
}

/// Adds a read of 32 bits in the innermost level.
Access &read(LoopNest &nest, Object object, std::initializer_list<int64_t> steps,
             int64_t offset = 0) {
  Access access;
  access.object = object;
  access.name = "x";
  access.level = unsigned(nest.levels.size() - 1);
  access.size = object == Object::Array ? 1 : 4;
  access.offset = offset;
  access.steps.assign(steps.begin(), steps.end());
  nest.accesses.push_back(access);
  return nest.accesses.back();
}

template <typename T> Why whyNot(const T &verdict) {
  return verdict ? Why::Said : verdict.error().refusal.why;
}

TEST(LoopNest, MemoryMeetsInItsOwnIterationAlone) {
  LoopNest nest = nestOf({0, 8});
  read(nest, Object::Memory, {32, 4});
  read(nest, Object::Memory, {32, 4}).isWrite = true;
  EXPECT_FALSE(mayReadStale(nest));
  std::swap(nest.accesses[0], nest.accesses[1]);
  EXPECT_TRUE(mayReadStale(nest)) << "the write is in front";
  std::swap(nest.accesses[0], nest.accesses[1]);
  nest.accesses[0].offset = 4;
  EXPECT_TRUE(mayReadStale(nest));
  nest.accesses[0].offset = 0;
  nest.accesses[0].origin = 1;
  EXPECT_TRUE(mayReadStale(nest));
  nest.accesses[0].origin = 0;
  nest.accesses[0].steps[0] = nest.accesses[1].steps[0] = 0;
  EXPECT_TRUE(mayReadStale(nest)) << "each row is at the same place";
}

TEST(LoopNest, StepsOfUnknownSizeAreOfTheOrigin) {
  LoopNest nest = nestOf({0, 8});
  read(nest, Object::Memory, {0, 4}).steps[0] = std::nullopt;
  read(nest, Object::Memory, {0, 4}).steps[0] = std::nullopt;
  nest.accesses[1].isWrite = true;
  EXPECT_FALSE(mayReadStale(nest));
  EXPECT_EQ(whyNot(lanesOf(nest, 4)), Why::StepNotConstant);
}

TEST(Lanes, LevelsWithoutGapsAreOne) {
  LoopNest nest = nestOf({0, 4, 4, 64});
  read(nest, Object::Input, {4096, 1024, 256, 4});
  Judged<Lanes> lanes = judgeLanes(nest, 16);
  ASSERT_TRUE(lanes);
  EXPECT_EQ(lanes->sequencer.size(), 2u);
  EXPECT_EQ(lanes->innerCount(), 64u);
  EXPECT_TRUE(lanes->hasStrips);
  EXPECT_EQ(lanes->steps(nest.accesses[0]), (std::vector<int64_t>{4096, 64}));
  nest.levels[1].isNumberUsed = true;
  EXPECT_EQ(whyNot(judgeLanes(nest, 16)), Why::TooManyLevels);
}

TEST(Lanes, OneLevelInEach) {
  LoopNest nest = nestOf({0, 16, 16});
  EXPECT_TRUE(lanesOf(nest, 16));
  nest.levels[2].around = 0;
  EXPECT_EQ(whyNot(lanesOf(nest, 16)), Why::SecondInLoop);
  nest.levels[2].overVpes = true;
  EXPECT_TRUE(lanesOf(nest, 16));
  EXPECT_EQ(lanesOf(nest, 16)->level, 1u);
}

TEST(Lanes, BeatsAreFull) {
  EXPECT_EQ(whyNot(lanesOf(nestOf({0, 20}), 16)), Why::BeatsNotFull);
  EXPECT_TRUE(lanesOf(nestOf({20}), 16)) << "a loop alone ends where it ends";
  EXPECT_EQ(whyNot(lanesOf(nestOf({0, 0}), 16)), Why::InnerCountUnknown);
}

TEST(Lanes, StreamIsReadInWholeBeats) {
  LoopNest nest = nestOf({0, 16});
  read(nest, Object::Input, {128, 4});
  EXPECT_EQ(whyNot(judgeLanes(nest, 16)), Why::LanesReadPart);
  read(nest, Object::Input, {128, 4}, 64);
  Judged<Lanes> lanes = judgeLanes(nest, 16);
  ASSERT_TRUE(lanes);
  EXPECT_EQ(lanes->reads.beats.size(), 2u);
  EXPECT_EQ(lanes->reads.uses[1].beat, 1u);
  nest.accesses[1].offset = 32;
  EXPECT_EQ(whyNot(judgeLanes(nest, 16)), Why::StreamMisplaced);
  nest.accesses[1].origin = 1;
  EXPECT_EQ(whyNot(judgeLanes(nest, 16)), Why::StreamOfTwoSteps);
}

TEST(Lanes, RowIsNotReadTwice) {
  LoopNest nest = nestOf({0, 32});
  read(nest, Object::Input, {0, 4});
  EXPECT_EQ(whyNot(judgeLanes(nest, 16)), Why::StreamGapOfRows);
}

TEST(Lanes, NoneReadsWhatAnotherWrites) {
  LoopNest nest = nestOf({40});
  read(nest, Object::Array, {0}, 20);
  read(nest, Object::Array, {1}).isWrite = true;
  EXPECT_EQ(whyNot(judgeLanes(nest, 16)), Why::LaneReadsOther);
  nest.accesses[0].offset = 31;
  EXPECT_TRUE(judgeLanes(nest, 16)) << "the last lane writes, and all have read";
  nest.accesses[0].offset = -1;
  EXPECT_TRUE(judgeLanes(nest, 16)) << "in front of what is written";
  nest.accesses[0].offset = 48;
  EXPECT_TRUE(judgeLanes(nest, 16)) << "behind what is written";
  nest.accesses[0].offset = 36;
  EXPECT_EQ(whyNot(judgeLanes(nest, 16)), Why::LaneReadsOther) << "in the last beat, not full";
  nest.levels[0].trip = std::nullopt;
  EXPECT_EQ(whyNot(judgeLanes(nest, 16)), Why::LaneReadsOther);
  nest.accesses[0].origin = 1;
  EXPECT_EQ(whyNot(judgeLanes(nest, 16)), Why::LaneReadsOther);
  nest.accesses[1].name = "y";
  EXPECT_TRUE(judgeLanes(nest, 16));
}

TEST(Lanes, NoneReadsWhatAnotherHasWritten) {
  LoopNest nest = nestOf({40});
  read(nest, Object::Array, {1}).isWrite = true;
  read(nest, Object::Array, {0}, 16);
  EXPECT_TRUE(judgeLanes(nest, 16)) << "the first lane writes before any reads";
  nest.accesses[1].offset = 31;
  EXPECT_EQ(whyNot(judgeLanes(nest, 16)), Why::LaneReadsOther);
}

TEST(Lanes, RowsThatNoLaneReadsAreWritten) {
  LoopNest nest = nestOf({4, 16});
  read(nest, Object::Array, {16, 0}, -13); // of the row before
  read(nest, Object::Array, {16, 1}).isWrite = true;
  EXPECT_TRUE(judgeLanes(nest, 16));
  nest.accesses[0].offset = 3;
  EXPECT_EQ(whyNot(judgeLanes(nest, 16)), Why::LaneReadsOther) << "of the row itself";
  nest.accesses[0].offset = 67;
  EXPECT_TRUE(judgeLanes(nest, 16)) << "of one that comes later, before it is written";
  nest.accesses[0].steps[0] = 0;
  EXPECT_TRUE(judgeLanes(nest, 16)) << "of one behind the last";
  nest.accesses[0].offset = 35;
  EXPECT_EQ(whyNot(judgeLanes(nest, 16)), Why::LaneReadsOther) << "of each row once";
}

TEST(Lanes, ArraysAreAccessedByBeats) {
  LoopNest nest = nestOf({0, 16});
  Access &access = read(nest, Object::Array, {16, 1});
  EXPECT_TRUE(judgeLanes(nest, 16));
  access.alignment = 20;
  EXPECT_EQ(whyNot(judgeLanes(nest, 16)), Why::LanesMisaligned);
  access.alignment = 32;
  access.offset = 3;
  EXPECT_EQ(whyNot(judgeLanes(nest, 16)), Why::LanesBeginInBeat);
  access.steps[1] = 0;
  EXPECT_TRUE(judgeLanes(nest, 16)) << "one element for all lanes";
  access.isWrite = true;
  EXPECT_EQ(whyNot(judgeLanes(nest, 16)), Why::LanesIndexApart);
}

/// What the nest carries, in one level.
Carried &carry(LoopNest &nest, unsigned level, Carried::Kind kind) {
  Carried value;
  value.kind = kind;
  value.level = value.updatedIn = level;
  nest.carried.push_back(value);
  return nest.carried.back();
}

TEST(Lanes, IterationsAreReducedToOneValue) {
  LoopNest nest = nestOf({0, 16});
  Carried &sum = carry(nest, 1, Carried::Kind::Reduction);
  EXPECT_EQ(whyNot(lanesOf(nest, 16)), Why::ReducedInRow);
  sum.level = 0;
  EXPECT_TRUE(lanesOf(nest, 16)) << "the level around passes it on";
  sum.updatedIn = 0;
  EXPECT_EQ(whyNot(lanesOf(nest, 16)), Why::CarriedAroundLoop);
  nest.levels[1].overVpes = true;
  EXPECT_TRUE(lanesOf(nest, 16)) << "there is one loop, of copies for VPEs";
  sum.inOrder = true;
  EXPECT_EQ(whyNot(lanesOf(nest, 16)), Why::SumInOrder);
  sum.kind = Carried::Kind::Chain;
  EXPECT_EQ(whyNot(lanesOf(nest, 16)), Why::ChainOfIterations);
  nest.levels[0].overVpes = true;
  EXPECT_TRUE(lanesOf(nest, 16)) << "copies hand on what they like";
}

TEST(Lanes, ValuesOfTheIterationBeforeAreOfOneRow) {
  LoopNest nest = nestOf({0, 16});
  carry(nest, 1, Carried::Kind::Previous);
  EXPECT_EQ(whyNot(lanesOf(nest, 16)), Why::CarriedFromRowBefore);
  nest.levels[0].overVpes = true;
  EXPECT_TRUE(lanesOf(nest, 16));
  nest.carried[0].isReadBehindWrite = true;
  EXPECT_EQ(whyNot(lanesOf(nest, 16)), Why::ReadAfterWrite);
  nest.carried[0].isUsedBehind = true;
  EXPECT_EQ(whyNot(lanesOf(nest, 16)), Why::LastValueUsed);
}

TEST(Elements, StepsAreConstantsAndSumsHaveNoOrderOfLanes) {
  LoopNest nest = nestOf({0});
  read(nest, Object::Memory, {4}).steps[0] = std::nullopt;
  EXPECT_EQ(whyNot(checkLevels(nest)), Why::StrideNotConstant);
  nest.accesses[0].steps[0] = 4;
  EXPECT_TRUE(checkLevels(nest));
  carry(nest, 0, Carried::Kind::Reduction).inOrderOfLanes = true;
  EXPECT_EQ(whyNot(checkLevels(nest)), Why::SumOverLanes);
}

TEST(Elements, RowIsCountedIfItIsAll) {
  LoopNest nest = nestOf({0, 8});
  read(nest, Object::Input, {32, 4});
  EXPECT_EQ(countedRow(nest), 1u);
  EXPECT_TRUE(checkInOrder(nest, Object::Input, 1));
  nest.accesses[0].steps[0] = 64;
  EXPECT_EQ(whyNot(checkInOrder(nest, Object::Input, 1)), Why::RowsHaveGaps);
  nest.accesses[0].steps[0] = 28;
  EXPECT_EQ(whyNot(checkInOrder(nest, Object::Input, 1)), Why::ReadsAgain);
  read(nest, Object::Memory, {4, 0}).level = 0;
  EXPECT_EQ(countedRow(nest), None);
}

TEST(Elements, WindowsThatOverlapAreReadAgain) {
  LoopNest nest = nestOf({0});
  read(nest, Object::Input, {4});
  EXPECT_TRUE(checkInOrder(nest, Object::Input, None));
  read(nest, Object::Input, {4}, 4);
  EXPECT_EQ(whyNot(checkInOrder(nest, Object::Input, None)), Why::ReadsAgain);
  for (Access &access : nest.accesses)
    access.steps[0] = 12;
  EXPECT_EQ(whyNot(checkInOrder(nest, Object::Input, None)), Why::ReadsPart);
}

TEST(Elements, WindowIsWhatUnrolledLevelsReach) {
  LoopNest nest = nestOf({0, 8});
  read(nest, Object::Input, {40, -4}, 28);
  read(nest, Object::Input, {40, 0}, 36).level = 0;
  Judged<Window> window = windowOf(nest, Object::Input, None);
  ASSERT_TRUE(window);
  EXPECT_EQ(window->least, 0);
  EXPECT_EQ(window->most, 40);
  EXPECT_TRUE(checkInOrder(nest, Object::Input, None)) << "what is between is popped, too";
  nest.accesses[1].origin = 1;
  EXPECT_EQ(whyNot(checkInOrder(nest, Object::Input, None)), Why::StreamMovesApart);
}

TEST(Elements, CopyHoldsRowsOfElements) {
  auto held = [](const LoopNest &nest, int64_t most) {
    return rowsHeld(nest, *windowOf(nest, Object::Input, None), most);
  };
  LoopNest nest = nestOf({0});
  read(nest, Object::Input, {12}, 8);
  read(nest, Object::Input, {12}, 0);
  EXPECT_EQ(held(nest, 60), 4u) << "any number of rows comes in powers of two";
  EXPECT_EQ(held(nest, 24), 2u);
  EXPECT_EQ(held(nest, 23), 0u) << "one row at a time is no gain";
  nest.levels[0].trip = 3;
  EXPECT_EQ(held(nest, 60), 3u);
  nest.accesses[0].offset = 6;
  EXPECT_EQ(held(nest, 60), 0u) << "no element begins there";
  nest.accesses[0].offset = 8;
  nest.accesses[0].steps[0] = nest.accesses[1].steps[0] = 4;
  EXPECT_EQ(held(nest, 20), 3u);
  EXPECT_EQ(held(nest, 19), 0u) << "rows that overlap are copied all at once";
  nest.levels[0].trip.reset();
  EXPECT_EQ(held(nest, 60), 0u);
}

TEST(Elements, WhatIsSentHasNoGaps) {
  LoopNest nest = nestOf({0});
  read(nest, Object::Output, {8}).isWrite = true;
  EXPECT_EQ(whyNot(checkInOrder(nest, Object::Output, None)), Why::WritesPart);
  read(nest, Object::Output, {8}, 4).isWrite = true;
  EXPECT_TRUE(checkInOrder(nest, Object::Output, None));
  nest.accesses[1].offset = 0;
  EXPECT_FALSE(checkInOrder(nest, Object::Output, None));
}

TEST(Elements, SizeCountsUnrolledLevels) {
  const LoopNest nest = nestOf({0, 8, 4});
  EXPECT_EQ(unrolledSize(nest, None, 1000), 4u + 8 * (4 + 4 * 4));
  EXPECT_EQ(unrolledSize(nest, 1, 1000), 4u + 4 + 4 * 4);
  EXPECT_EQ(unrolledSize(nest, None, 100), 101u);
}

} // namespace
