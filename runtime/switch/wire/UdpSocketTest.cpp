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
  /// Half of it from where it lies.
  void sendInPieces(const std::string &text) {
    const std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t *>(text.data()),
                                         text.size());
    left.send(right.localAddress(), bytes.first(text.size() / 2), bytes.subspan(text.size() / 2));
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

TEST(UdpSocket, SendsWhatLiesElsewhere) {
  Pair pair;
  std::vector<std::string> expected;
  for (unsigned i = 0; i < 2 * UdpSocket::Batch + 5; ++i)
    expected.push_back(std::to_string(i) + std::string(i % 7 * 100, char('a' + i % 26)));
  EXPECT_FALSE(pair.left.hasBodies());
  for (unsigned i = 0; i < expected.size(); ++i)
    i % 3 ? pair.sendInPieces(expected[i]) : pair.sendInPlace(expected[i]);
  EXPECT_TRUE(pair.left.hasBodies());
  pair.left.flush();
  EXPECT_FALSE(pair.left.hasBodies());
  EXPECT_EQ(pair.take(expected.size()), expected);
}

// It may change when it was sent, and not before.
TEST(UdpSocket, LooksAtWhatLiesElsewhereUntilItIsSent) {
  Pair pair;
  std::string text = "head, body";
  pair.sendInPieces(text);
  text[9] = 'x';
  pair.left.flush();
  text = "what is over";
  EXPECT_EQ(pair.take(1), std::vector<std::string>{"head, bodx"});
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
    for (const std::string &text : all)
      pair.sendInPieces(text);
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

/// Datagrams of a head of two letters, and places that what is behind it belongs into.
struct Placed : testing::TestWithParam<bool> {
  Pair pair;
  std::vector<std::string> buffers;
  std::vector<std::string> heads; ///< that fit
  std::vector<std::string> got;
  std::vector<bool> inPlace;

  void SetUp() override {
    pair.left.segment();
    if (GetParam())
      pair.right.takeGroups();
  }
  void expect(const std::string &head, size_t bytes) {
    heads.push_back(head);
    buffers.emplace_back(bytes, '.');
  }
  /// Sends all, then receives until they are there.
  void pass(const std::vector<std::string> &sent) {
    for (const std::string &text : sent)
      pair.sendCopied(text);
    pair.left.flush();
    size_t begun = 0; // places that are filled
    for (int i = 0; got.size() < sent.size() && i < 1000; ++i) {
      std::vector<std::span<uint8_t>> places;
      for (size_t p = begun; p < buffers.size(); ++p)
        places.emplace_back(reinterpret_cast<uint8_t *>(buffers[p].data()), buffers[p].size());
      pair.right.sleep(10 * Millisecond);
      pair.right.receiveInto(
          2, places,
          [&](size_t place, std::span<const uint8_t> head) {
            return std::string(head.begin(), head.end()) == heads[begun + place];
          },
          [&](std::span<const UdpSocket::Arrived> arrived) {
            size_t filled = 0;
            for (const UdpSocket::Arrived &one : arrived) {
              got.emplace_back(one.bytes.begin(), one.bytes.end());
              got.back().append(one.rest.begin(), one.rest.end());
              inPlace.push_back(!one.rest.empty());
              if (!one.rest.empty()) {
                EXPECT_EQ(one.rest.data(), places[filled].data());
                ++filled;
              }
            }
            begun += filled;
          });
    }
    EXPECT_EQ(got, sent);
  }
};

TEST_P(Placed, WhatIsExpectedLiesInItsPlace) {
  std::vector<std::string> sent;
  for (char c = 'a'; c < 'k'; ++c) {
    expect({c, c}, c == 'j' ? 700 : 1000); // the last one is shorter
    sent.push_back(std::string(2, c) + std::string(buffers.back().size(), c));
  }
  pass(sent);
  EXPECT_EQ(inPlace, std::vector<bool>(10, true));
  for (size_t i = 0; i < buffers.size(); ++i)
    EXPECT_EQ(heads[i] + buffers[i], sent[i]);
}

// Others, longer and shorter, empty ones, and such as come too early.
TEST_P(Placed, WhatIsNotExpectedIsWholeAllTheSame) {
  std::vector<std::string> sent;
  for (char c = 'a'; c < 'h'; ++c)
    expect({c, c}, 1000);
  auto one = [&](const std::string &head, size_t bytes) {
    sent.push_back(head + std::string(bytes, head[0]));
  };
  one("aa", 1000);
  one("cc", 1000); // before bb
  one("bb", 1000);
  one("zz", 1000); // nobody's
  one("bb", 40'000);
  one("bb", 999);
  sent.emplace_back();
  sent.emplace_back("b");
  one("bb", 1000);
  one("cc", 1000);
  pass(sent);
  EXPECT_TRUE(inPlace[0]);
  EXPECT_FALSE(inPlace[1] || inPlace[3] || inPlace[4] || inPlace[5] || inPlace[6] || inPlace[7]);
  EXPECT_EQ(buffers[0], std::string(1000, 'a'));
}

TEST_P(Placed, WithoutPlacesAllIsWhole) {
  pass({"aaaa", "", std::string(30'000, 'x'), "bb"});
  EXPECT_EQ(inPlace, std::vector<bool>(4, false));
}

INSTANTIATE_TEST_SUITE_P(UdpSocket, Placed, testing::Bool(), [](const auto &info) {
  return info.param ? std::string("TakenInGroups") : std::string("TakenOneByOne");
});

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
