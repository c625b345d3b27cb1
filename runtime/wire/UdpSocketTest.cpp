// Datagrams that are written where they are sent from, beside those that are copied there.
#include "runtime/wire/UdpSocket.h"

#include <gtest/gtest.h>

#include <string>

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

} // namespace
