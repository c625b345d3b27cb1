#include "runtime/switch/wire/RoundTrip.h"
#include "runtime/switch/collective/Window.h"

#include <gtest/gtest.h>

namespace acis::collective {
namespace {

using namespace wire;

TEST(RoundTrip, IsBoundedOnBothSides) {
  RoundTrip trip;
  EXPECT_EQ(trip.timeout(), RoundTrip::Least);
  trip.measured(20 * Microsecond);
  EXPECT_EQ(trip.timeout(), RoundTrip::Least);
  trip.measured(100 * Second);
  EXPECT_EQ(trip.timeout(), RoundTrip::Most);
  EXPECT_EQ(RoundTrip(20 * Millisecond).timeout(), 20 * Millisecond);
}

/// The figures of RFC 6298, section 2: alpha 1/8, beta 1/4, K 4.
TEST(RoundTrip, IsThatOfTheStandard) {
  RoundTrip trip;
  trip.measured(8 * Millisecond); // mean 8, variation 4
  EXPECT_EQ(trip.timeout(), 24 * Millisecond);
  trip.measured(16 * Millisecond); // variation 3/4 * 4 + 1/4 * 8, mean 9
  EXPECT_EQ(trip.timeout(), 29 * Millisecond);
  trip.measured(9 * Millisecond); // variation 3/4 * 5, mean 9
  EXPECT_EQ(trip.timeout(), 24 * Millisecond);
}

TEST(RoundTrip, SettlesAboveWhatIsSteady) {
  RoundTrip trip;
  for (int i = 0; i < 200; ++i)
    trip.measured(40 * Millisecond);
  EXPECT_GE(trip.timeout(), 40 * Millisecond);
  EXPECT_LT(trip.timeout(), 41 * Millisecond);
}

TEST(RoundTrip, BacksOffOncePerFlightUntilItMeasures) {
  RoundTrip trip;
  trip.measured(2 * Millisecond);
  const Time before = trip.timeout();
  Time now = Second;
  for (Time sent : {now - 5, now - 4, now - 3}) // all of them sent before any timed out
    trip.timedOut(sent, now);
  EXPECT_EQ(trip.timeout(), 2 * before);
  trip.timedOut(now + 1, now + 2);
  EXPECT_EQ(trip.timeout(), 4 * before);
  for (int i = 0; i < 100; ++i)
    trip.timedOut(now + 2 + 2 * Time(i), now + 3 + 2 * Time(i));
  EXPECT_EQ(trip.timeout(), RoundTrip::Most);
  trip.measured(2 * Millisecond);
  EXPECT_LE(trip.timeout(), before);
}

/// Sends as much as may be, and then gets all answers; how much that was.
uint64_t round(Window &window) {
  uint64_t all = 0, done = 0;
  for (; window.admits(1000); all += 1000)
    window.sent(1000);
  for (; done < all; done += 1000)
    window.answered(1000);
  return all;
}

TEST(Usual, IsTheMiddleOfTheLast) {
  Usual usual;
  EXPECT_EQ(usual.time(), 0u);
  for (int i = 0; i < 8; ++i)
    usual.measured(20 * Millisecond);
  for (int i = 0; i < 3; ++i)
    usual.measured(Second);
  EXPECT_EQ(usual.time(), 20 * Millisecond);
  for (int i = 0; i < 8; ++i)
    usual.measured(Millisecond);
  EXPECT_EQ(usual.time(), Millisecond);
}

TEST(Window, DoublesUntilALossAndThenAddsAMessageARound) {
  Window window(1000);
  EXPECT_EQ(round(window), 8'000u);
  EXPECT_EQ(round(window), 16'000u);
  EXPECT_EQ(round(window), 32'000u);
  const uint64_t first = window.sent(1000), second = window.sent(1000);
  window.lost(first);
  window.lost(second); // the same event
  EXPECT_DOUBLE_EQ(window.bytes(), 32'000);
  window.answered(1000);
  window.answered(1000);
  const double halved = window.bytes();
  round(window);
  EXPECT_GT(window.bytes(), halved + 900);
  EXPECT_LE(window.bytes(), halved + 1000);
  const uint64_t third = window.sent(1000);
  window.lost(third);
  EXPECT_LT(window.bytes(), 0.6 * halved);
}

TEST(Window, AlwaysLetsOneMessageThrough) {
  Window window(1000);
  for (int i = 0; i < 50; ++i)
    window.lost(window.sent(0));
  EXPECT_DOUBLE_EQ(window.bytes(), 2000);
  EXPECT_TRUE(window.admits(1 << 20));
  window.sent(1 << 20);
  EXPECT_FALSE(window.admits(1));
  window.answered(1 << 20);
  EXPECT_TRUE(window.admits(1 << 20));
}

/// Who sends little learns nothing of the path.
TEST(Window, DoesNotGrowUnlessItIsUsed) {
  Window window(1000);
  const double before = window.bytes();
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(window.admits(1000));
    window.sent(1000);
    window.answered(1000);
  }
  EXPECT_DOUBLE_EQ(window.bytes(), before);
}

} // namespace
} // namespace acis::collective
