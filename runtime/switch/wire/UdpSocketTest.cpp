// Datagrams that are written where they are sent from, beside those that are copied there, and
// those that the system takes and gives several at a time.
#include "runtime/switch/wire/UdpSocket.h"

#include <gtest/gtest.h>

#include <string>

#include <sys/socket.h>

using namespace acis;
using namespace acis::wire;

namespace {

struct Pair {
  UdpSocket left = std::move(*UdpSocket::bind(*parseAddress("127.0.0.1:0"), 1 << 20));
  UdpSocket right = std::move(*UdpSocket::bind(*parseAddress("127.0.0.1:0"), 1 << 20));

  /// As they arrive, until there are so many.
  std::vector<std::string> take(size_t count) {
    std::vector<std::string> got;
    for (int i = 0; got.size() < count && i < 1000; ++i) {
      right.sleep(10 * Millisecond);
      right.receive([&](std::span<const UdpSocket::Arrived> arrived) {
        for (const UdpSocket::Arrived &one : arrived)
          got.emplace_back(one.bytes.begin(), one.bytes.end());
      });
    }
    return got;
  }
  void sendInPlace(const std::string &text) {
    const std::span<uint8_t> room = left.room(text.size());
    ASSERT_EQ(room.size(), text.size());
    std::copy(text.begin(), text.end(), room.begin());
    left.send(right.localAddress(), room);
  }
  void sendCopied(const std::string &text) {
    const std::vector<uint8_t> bytes(text.begin(), text.end());
    left.send(right.localAddress(), bytes);
  }
};

TEST(UdpSocket, SendsWhatWasWrittenInPlace) {
  Pair pair;
  std::vector<std::string> expected;
  for (unsigned i = 0; i < 2 * UdpSocket::Batch + 5; ++i) { // across the end of a batch
    expected.push_back(std::to_string(i) + std::string(i % 7 * 100, char('a' + i % 26)));
    if (i % 3)
      pair.sendInPlace(expected.back());
    else
      pair.sendCopied(expected.back());
  }
  pair.left.flush();
  EXPECT_EQ(pair.take(expected.size()), expected);
}

TEST(UdpSocket, WhereNobodyListensIsSaidAndNothingElseIsLost) {
  Pair pair;
  pair.left.keepRefusals();
  UdpSocket left = std::move(pair.left); // keeps them still
  Address gone;
  {
    const UdpSocket brief = std::move(*UdpSocket::bind(*parseAddress("127.0.0.1:0"), 1 << 16));
    gone = brief.localAddress();
  }
  std::vector<Address> refused;
  std::vector<std::string> expected;
  for (unsigned i = 0; i < 100; ++i) {
    expected.push_back(std::to_string(i));
    const std::vector<uint8_t> bytes(expected.back().begin(), expected.back().end());
    left.send(gone, bytes);
    left.flush();
    left.send(pair.right.localAddress(), bytes);
    left.flush();
    left.receive([](std::span<const UdpSocket::Arrived>) {});
    left.takeRefusals([&](const Address &to) { refused.push_back(to); });
  }
  EXPECT_EQ(pair.take(expected.size()), expected);
  EXPECT_GT(refused.size(), 50u);
  for (const Address &one : refused)
    EXPECT_EQ(one, gone);
}

TEST(UdpSocket, RoomThatIsNotUsedChangesNothing) {
  Pair pair;
  pair.sendCopied("first");
  const std::span<uint8_t> unused = pair.left.room(100);
  std::fill(unused.begin(), unused.end(), 'x');
  pair.sendCopied("second");
  pair.left.flush();
  EXPECT_EQ(pair.take(2), (std::vector<std::string>{"first", "second"}));
  EXPECT_TRUE(pair.left.room(100'000).empty()); // longer than any datagram
}

/// Lengths that make groups of all kinds: a shorter one at the end, a longer one after it, empty
/// ones, more than one call takes by number and by bytes.
std::vector<std::string> ofManyLengths() {
  std::vector<std::string> all;
  for (size_t length : {10, 10, 10, 4, 10, 10, 20, 20, 0, 0, 5, 16'464, 16'464, 16'464, 16'464, 80})
    all.emplace_back(length, char('a' + all.size()));
  for (unsigned i = 0; i < 100; ++i)
    all.push_back(std::string(64, char('0' + i % 75)));
  return all;
}

struct Grouped : testing::TestWithParam<bool> {
  Pair pair;

  /// Sends and receives them.
  void pass() {
    const std::vector<std::string> all = ofManyLengths();
    for (const std::string &text : all)
      pair.sendInPlace(text);
    pair.left.flush();
    EXPECT_EQ(pair.take(all.size()), all);
  }
};

TEST_P(Grouped, ArriveAsTheyWereSent) {
  pair.left.segment();
  if (GetParam())
    pair.right.takeGroups();
  pass();
  EXPECT_EQ(pair.right.receive([](std::span<const UdpSocket::Arrived>) {}), 0u);
}

TEST_P(Grouped, MayComeFromWhoSendsThemOneByOne) {
  if (GetParam())
    pair.right.takeGroups();
  pass();
}

// A socket without checksums cannot have segments.
TEST_P(Grouped, GoOneByOneWhereTheSystemHasNoSegments) {
  pair.left.segment();
  if (GetParam())
    pair.right.takeGroups();
  const int on = 1;
  ASSERT_EQ(setsockopt(pair.left.descriptor(), SOL_SOCKET, SO_NO_CHECK, &on, sizeof on), 0);
  pass();
  pass();
}

// More in one batch than it has messages, so that who receives them does not stop early.
TEST(UdpSocket, TakesGroupsWhole) {
  Pair pair;
  pair.left.segment();
  pair.right.takeGroups();
  constexpr unsigned Count = 4 * UdpSocket::Batch;
  for (unsigned i = 0; i < Count; ++i)
    pair.sendInPlace(std::to_string(1000 + i));
  pair.left.flush();
  size_t most = 0, all = 0;
  for (unsigned i = 0; all < Count && i < Count; ++i) {
    const size_t got = pair.right.receive([&](std::span<const UdpSocket::Arrived> arrived) {
      for (const UdpSocket::Arrived &one : arrived)
        EXPECT_EQ(std::string(one.bytes.begin(), one.bytes.end()), std::to_string(1000 + all++));
    });
    most = std::max(most, got);
    EXPECT_FALSE(pair.right.mayHaveMore());
  }
  EXPECT_EQ(all, Count);
  EXPECT_EQ(most, Count);
}

// Three of 16 KB, and the fourth waits for flush(), as short ones do.
TEST(UdpSocket, LongOnesDoNotWaitForTheBatch) {
  Pair pair;
  pair.left.segment();
  for (unsigned i = 0; i < 4; ++i)
    pair.sendInPlace(std::string(16'464, char('a' + i)));
  EXPECT_EQ(pair.take(3).size(), 3u);
  EXPECT_EQ(pair.right.receive([](std::span<const UdpSocket::Arrived>) {}), 0u);
  pair.left.flush();
  EXPECT_EQ(pair.take(1), std::vector<std::string>{std::string(16'464, 'd')});
}

TEST(UdpSocket, SaysWhenThereMayBeMore) {
  Pair pair;
  for (unsigned i = 0; i < UdpSocket::Batch + 1; ++i)
    pair.sendCopied("text");
  pair.left.flush();
  const auto ignore = [](std::span<const UdpSocket::Arrived>) {};
  EXPECT_EQ(pair.right.receive(ignore), UdpSocket::Batch);
  EXPECT_TRUE(pair.right.mayHaveMore());
  EXPECT_EQ(pair.right.receive(ignore), 1u);
  EXPECT_FALSE(pair.right.mayHaveMore());
  EXPECT_EQ(pair.right.receive(ignore), 0u);
  EXPECT_FALSE(pair.right.mayHaveMore());
}

INSTANTIATE_TEST_SUITE_P(UdpSocket, Grouped, testing::Bool(), [](const auto &info) {
  return info.param ? std::string("TakenInGroups") : std::string("TakenOneByOne");
});

} // namespace
