// The table of refusals: words, standings, and what may be tried after them.
#include "backend/support/Refusal.h"

#include <gtest/gtest.h>

#include <set>

using namespace acis;

namespace {

TEST(Refusal, WordsComeFromTheTable) {
  EXPECT_EQ(
      textOf(Refusal(Why::StreamUnderCondition, "in", "read")),
      "stream 'in' is read under a condition; access it in every iteration, and choose between "
      "values");
  EXPECT_EQ(
      textOf(Refusal(Why::StaticsTooLarge, 5000u, 2048u)),
      "static variables need 5000 bytes; the scalar unit has room for 2048: make them elements "
      "of an array, which is in the register file");
}

TEST(Refusal, FrameIsSaidOnce) {
  Refusal refusal(Why::TooLargeToUnroll);
  refusal.asOneLoop.emplace_back(Why::RowTooLong, 65535);
  EXPECT_EQ(textOf(refusal), "loop not mapped with the loop around it: it is too large to be "
                             "unrolled, and as one loop: it has more than 65535 iterations");
}

TEST(Refusal, WayOutIsAValue) {
  EXPECT_EQ(wayOutOf(Refusal(Why::StreamUnderCondition, "in", "read")),
            "access it in every iteration, and choose between values");
  EXPECT_EQ(wayOutOf(Refusal(Why::EndsInMiddle, " or its start")),
            "end it by its condition only or its start");
  EXPECT_EQ(wayOutOf(Refusal(Why::EndlessLoop)), "");
  EXPECT_EQ(wayOutOf(Refusal(Why::Said, "a remark; with a semicolon")), "");
  Refusal refusal(Why::TooLargeToUnroll);
  refusal.asOneLoop.emplace_back(Why::RowTooLong, 65535);
  EXPECT_EQ(wayOutOf(refusal), "");
  refusal.asOneLoop.emplace_back(Why::SecondInLoop);
  EXPECT_EQ(wayOutOf(refusal), "give each its own outer loop");
}

TEST(Refusal, MissingPartsAreEmpty) {
  EXPECT_EQ(textOf(Refusal(Why::EndlessLoop)),
            "loop without an end; a handler handles one packet and returns");
  EXPECT_EQ(textOf(Refusal(Why::InputWritten)),
            "the input stream '' is written; write to the output stream");
}

TEST(Refusal, OnlyPlansAndMachinesLeaveAnotherWay) {
  EXPECT_TRUE(mayTryElse(Refusal(Why::TooLargeToUnroll)));
  EXPECT_TRUE(mayTryElse(Refusal(Why::NoPlaceOrRoute, "'fadd'", 64, "u280-full")));
  EXPECT_FALSE(mayTryElse(Refusal(Why::VolatileAccess)));
  EXPECT_FALSE(mayTryElse(fault("two operations in one slot")));
  EXPECT_FALSE(mayTryElse(Refusal()));
}

/// Two kinds of the same words would be one kind; a sentence is lower case, without a full stop.
TEST(Refusal, EachKindHasWordsOfItsOwn) {
  std::set<std::string> known;
  for (unsigned number = 0; number <= unsigned(Why::ScalarUnitLacks); ++number) {
    const RefusalKind &kind = kindOf(Why(number));
    if (kind.standing == Standing::Word || kind.standing == Standing::Fault)
      continue;
    const std::string text = std::string(kind.frame) + kind.what + "\n" + kind.wayOut;
    EXPECT_TRUE(known.insert(text).second) << kind.name;
    for (std::string_view part : {std::string_view(kind.what), std::string_view(kind.wayOut)}) {
      EXPECT_FALSE(part.ends_with(".") && !part.ends_with("..")) << kind.name;
      EXPECT_FALSE(!part.empty() && part[0] == ' ') << kind.name;
    }
  }
  EXPECT_GT(known.size(), 100u);
}

} // namespace
