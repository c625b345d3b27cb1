// When hosts ask and how long their packets are: by what was measured, and by what the path takes.
#include "runtime/switch/core/test/Reference.h"
#include "runtime/switch/wire/Header.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace acis;
using namespace acis::sim;
using namespace acis::wire;

namespace {

std::vector<uint32_t> all(uint32_t ranks) {
  std::vector<uint32_t> out(ranks);
  std::iota(out.begin(), out.end(), 0u);
  return out;
}

/// Counts what hosts send, by type.
struct Counted {
  Network network;
  std::map<PacketType, unsigned> sent;
  std::map<uint32_t, size_t> longest; ///< datagram to and from each rank
  /// Of hosts and to them, by rank; true: it is lost.
  std::function<bool(uint32_t rank, std::span<const uint8_t>)> losing;

  explicit Counted(const Cluster &shape) : network(shape) {
    network.loses = [this, shape](const Address &from, const Address &to,
                                  std::span<const uint8_t> bytes) {
      bool lost = false;
      for (uint32_t rank = 0; rank < shape.ranks; ++rank) {
        const bool gives = from == Network::hostAddress(rank);
        if (!gives && to != Network::hostAddress(rank))
          continue;
        sent[PacketType(bytes[2])] += gives;
        longest[rank] = std::max(longest[rank], bytes.size());
        lost |= losing && losing(rank, bytes);
      }
      return lost;
    };
  }
  void sum(uint32_t ranks, uint64_t count, std::mt19937 &random, Time lateness = 0) {
    Trial trial(Kind::Allreduce, 1, all(ranks), ReduceOp::Sum, ElementType::Int32, count, 0, false,
                random);
    for (uint32_t rank = 0; rank < ranks; ++rank) {
      if (rank + 1 == ranks && lateness > 0)
        network.run([] { return false; }, lateness);
      ASSERT_TRUE(trial.start(network, rank));
    }
    ASSERT_TRUE(network.run([&] { return trial.done(network); })) << network.host(0).failure();
    EXPECT_EQ(trial.check(), "");
  }
};

/// One rank always comes 20 ms after the others. At first all ask for what is only late; when that
/// is known nobody does.
TEST(Timing, NobodyAsksForWhatIsAlwaysLate) {
  constexpr uint32_t ranks = 16;
  Cluster shape;
  shape.ranks = ranks;
  Counted counted(shape);
  counted.network.attach();
  counted.network.add(1, all(ranks));
  std::mt19937 random(1);
  for (int call = 0; call < 10; ++call)
    counted.sum(ranks, 1, random, 20 * Millisecond);
  EXPECT_GE(counted.sent[PacketType::Poll], ranks - 1);
  counted.sent.clear();
  for (int call = 0; call < 50; ++call)
    counted.sum(ranks, 1, random, 20 * Millisecond);
  EXPECT_EQ(counted.sent[PacketType::Poll], 0u);
  EXPECT_EQ(counted.sent[PacketType::Contribute], 50u * ranks);
}

/// A switch that is kept from answering, by more processes than cores, answers all of them late.
/// When that is known nobody asks: each question would keep it longer.
TEST(Timing, NobodyAsksASlowSwitch) {
  constexpr uint32_t ranks = 16;
  Cluster shape;
  shape.ranks = ranks;
  shape.casts = false;
  Counted counted(shape);
  counted.network.attach();
  counted.network.add(1, all(ranks));
  std::mt19937 random(1);
  counted.network.hop = 150 * Millisecond;
  for (int call = 0; call < 20; ++call)
    counted.sum(ranks, 1, random);
  counted.sent.clear();
  for (int call = 0; call < 50; ++call)
    counted.sum(ranks, 1, random);
  EXPECT_EQ(counted.sent[PacketType::Poll], 0u);
  EXPECT_EQ(counted.sent[PacketType::Contribute], 50u * ranks);
}

/// Nor is it asked more and more while hosts attach, and a challenge that comes late is still good.
TEST(Timing, ASlowSwitchTakesHosts) {
  constexpr uint32_t ranks = 4;
  Cluster shape;
  shape.ranks = ranks;
  Counted counted(shape);
  counted.network.hop = 800 * Millisecond;
  counted.network.attach();
  EXPECT_LT(counted.network.now, 6 * Second);
  EXPECT_LT(counted.sent[PacketType::Hello] + counted.sent[PacketType::Open], 20 * ranks);
}

/// And a loss is still found out in the time that such a call takes.
TEST(Timing, ALossAmongLateOnesCostsALittleMore) {
  constexpr uint32_t ranks = 4;
  Cluster shape;
  shape.ranks = ranks;
  Counted counted(shape);
  counted.network.attach();
  counted.network.add(1, all(ranks));
  std::mt19937 random(1);
  for (int call = 0; call < 30; ++call)
    counted.sum(ranks, 1, random, 20 * Millisecond);
  bool once = true;
  counted.losing = [&](uint32_t rank, std::span<const uint8_t> bytes) {
    return rank == 1 && PacketType(bytes[2]) == PacketType::Contribute &&
           std::exchange(once, false);
  };
  const Time before = counted.network.now;
  counted.sum(ranks, 1, random, 20 * Millisecond);
  EXPECT_FALSE(once);
  EXPECT_LT(counted.network.now - before, 60 * Millisecond);
}

/// Losses of others delay results by as long as ranks wait before they ask. That must not make them
/// wait longer, and so on.
TEST(Timing, LossesDoNotLengthenThemselves) {
  constexpr uint32_t ranks = 4;
  Cluster shape;
  shape.ranks = ranks;
  shape.faults.loss = 0.1;
  Counted counted(shape);
  counted.network.attach();
  counted.network.add(1, all(ranks));
  std::mt19937 random(1);
  const Time before = counted.network.now;
  for (int call = 0; call < 200; ++call)
    counted.sum(ranks, 1, random);
  EXPECT_LT((counted.network.now - before) / 200, 8 * Millisecond);
}

/// Of a message in many packets only what was lost is sent again.
TEST(Timing, PacketsThatWereLostAreSentAgainAlone) {
  constexpr uint32_t ranks = 2;
  Cluster shape;
  shape.ranks = ranks;
  shape.casts = false;
  shape.config.messageBytes = 32'768;
  shape.config.packetBytes = 1024;
  Counted counted(shape);
  counted.network.attach();
  counted.network.add(1, all(ranks));
  std::mt19937 random(1);
  counted.sum(ranks, 4096, random); // 16 packets each way
  EXPECT_EQ(counted.sent[PacketType::Contribute], 32u);
  counted.sent.clear();
  std::map<std::pair<PacketType, unsigned>, bool> lost;
  unsigned results = 0;
  counted.losing = [&](uint32_t rank, std::span<const uint8_t> bytes) {
    const auto type = PacketType(bytes[2]);
    results += type == PacketType::Result && rank == 1;
    if (rank != 1 || (type != PacketType::Contribute && type != PacketType::Result) ||
        (bytes[12] != 3 && bytes[12] != 9))
      return false;
    return !std::exchange(lost[{type, bytes[12]}], true); // part 3 and part 9, once each
  };
  counted.sum(ranks, 4096, random);
  EXPECT_EQ(lost.size(), 4u);
  EXPECT_EQ(counted.sent[PacketType::Contribute], 32u + 2);
  EXPECT_EQ(results, 16u + 2);
}

/// Three messages after a lost one are answered: it is sent again without a question.
TEST(Timing, ALossIsSeenByWhatIsAnsweredAfterIt) {
  constexpr uint32_t ranks = 2;
  Cluster shape;
  shape.ranks = ranks;
  shape.casts = false;
  Counted counted(shape);
  counted.network.attach();
  counted.network.add(1, all(ranks));
  std::mt19937 random(1);
  bool once = true;
  counted.losing = [&](uint32_t rank, std::span<const uint8_t> bytes) {
    return rank == 1 && PacketType(bytes[2]) == PacketType::Contribute && bytes[32] == 1 &&
           std::exchange(once, false); // slot 1
  };
  const Time before = counted.network.now;
  counted.sum(ranks, 8 * 4096, random); // 8 messages
  EXPECT_FALSE(once);
  EXPECT_EQ(counted.sent[PacketType::Poll], 0u);
  EXPECT_EQ(counted.sent[PacketType::Contribute], 17u);
  EXPECT_LT(counted.network.now - before, 2 * Millisecond);
}

/// Hosts on paths of different lengths in one communicator, with faults; packets for all have the
/// length of the first one's.
void onDifferentPaths(bool casts) {
  Cluster shape;
  shape.ranks = 5;
  shape.casts = casts;
  shape.pathBytes = {{1, 1392}, {2, 8892}, {4, 1392}};
  shape.faults.loss = shape.faults.duplicate = shape.faults.reorder = 0.02;
  Counted counted(shape);
  counted.network.attach();
  counted.network.add(1, all(5));
  std::mt19937 random(1);
  for (int call = 0; call < 100; ++call) {
    const Kind kind = Kind(call % NumKinds);
    Trial trial(kind, 1, all(5), ReduceOp::Sum, ElementType::Int32, 1 + random() % 6000,
                uint32_t(random() % 5), false, random);
    for (uint32_t rank = 0; rank < 5; ++rank)
      ASSERT_TRUE(trial.start(counted.network, rank));
    ASSERT_TRUE(counted.network.run([&] { return trial.done(counted.network); }));
    ASSERT_EQ(trial.check(), "");
  }
  EXPECT_EQ(counted.longest[0], HeaderBytes + 16'384);
  for (const auto &[rank, bytes] : shape.pathBytes)
    EXPECT_EQ(counted.longest[rank], HeaderBytes + (casts ? 16'384 : bytes));
}

TEST(Timing, EachPathHasPacketsOfItsLength) { onDifferentPaths(false); }
TEST(Timing, PacketsForAllHaveTheLengthOfTheFirst) { onDifferentPaths(true); }

/// A path that swallows what is longer than its systems think.
TEST(Timing, APathThatLosesLongPacketsSilentlyIsUsedAllTheSame) {
  Cluster shape;
  shape.ranks = 2;
  shape.pathBytes = {{1, 1392}};
  Counted counted(shape);
  counted.losing = [](uint32_t rank, std::span<const uint8_t> bytes) {
    return rank == 1 && bytes.size() > 1300;
  };
  counted.network.attach();
  counted.network.add(1, all(2));
  std::mt19937 random(1);
  counted.sum(2, 10'000, random);
  EXPECT_EQ(counted.network.host(1).failure(), "");
}

} // namespace
