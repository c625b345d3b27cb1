#include "runtime/switch/wire/RoundTrip.h"
#include "runtime/switch/collective/Uplink.h"
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

/// A child whose parent answers each message after `takes`, and Polls when it runs, which is as
/// late as the child does, who says so. Counts Polls and what is sent again.
struct Asking final : Uplink::Owner {
  const Time takes, late;
  const std::vector<uint8_t> message = std::vector<uint8_t>(8);
  unsigned asked = 0;
  bool isAsked = false;
  Uplink uplink{*this, 1, {}};

  Asking(Time takes, Time late) : takes(takes), late(late) {}
  std::span<const uint8_t> contribution(uint64_t) override { return message; }
  void answered(uint64_t, std::span<const uint8_t>) override {}
  void sendUp(const Header &header, std::span<const uint8_t>) override {
    asked += header.type == PacketType::Poll || (header.flags & flag::Again);
    isAsked |= header.type == PacketType::Poll;
  }

  /// The message is here, and has no result yet.
  void wait(Header header, Time now) {
    header.type = PacketType::Wait;
    header.context = 1;
    Waiting waiting;
    waiting.contributed = true;
    uplink.receive(header, waiting.write(), now);
  }

  /// In so many calls, after as many from which it learns.
  unsigned run(unsigned calls) {
    Time now = Second;
    for (unsigned slot = 0; slot < 2 * calls; ++slot) {
      if (slot == calls)
        asked = 0;
      Header header;
      header.slot = slot;
      uplink.offer(header, 8);
      for (const Time end = now + takes;;) {
        const Time due = uplink.pump(now) + late;
        const bool waits = std::exchange(isAsked, false);
        now = std::min(waits ? now + late + 1 : due, end);
        if (now == end)
          break;
        if (waits)
          wait(header, now);
        else if (late > 0)
          uplink.late(late);
      }
      header.type = PacketType::Result;
      header.context = 1;
      header.window = slot + 65;
      uplink.receive(header, message, now);
    }
    return asked;
  }
};

/// Of many ranks on few processors each runs late, or what it waits for does: asking would make it
/// later.
TEST(Uplink, NobodyAsksForWhatIsOnlySlow) {
  constexpr unsigned Calls = 20;
  EXPECT_EQ(Asking(10 * Millisecond, 0).run(Calls), 0u);
  EXPECT_EQ(Asking(150 * Millisecond, 0).run(Calls), 0u);
  EXPECT_EQ(Asking(150 * Millisecond, Millisecond).run(Calls), 0u);
  EXPECT_LE(Asking(150 * Millisecond, 60 * Millisecond).run(Calls), Calls);
}

} // namespace
} // namespace acis::collective
