// Ranks that only give (Reduce elsewhere than at the root, Bcast at it) and do not wait: their
// confirmation travels with other packets, and nothing is lost for it.
#include "runtime/switch/core/test/Reference.h"
#include "runtime/switch/core/test/SimNetwork.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace acis;
using namespace acis::sim;
using namespace acis::wire;

namespace {

constexpr uint32_t Ranks = 4;

struct Givers : testing::Test {
  std::unique_ptr<Network> network;
  std::map<PacketType, unsigned> sent; ///< by all, since count()
  uint32_t given[Ranks] = {1, 20, 300, 4000}, sum[Ranks] = {}, told[Ranks] = {5};

  void start(std::vector<uint16_t> leafOfRank = {}, std::vector<uint16_t> parentOfSwitch = {}) {
    Cluster shape;
    shape.ranks = Ranks;
    shape.casts = false; // what is counted here are confirmations
    shape.leafOfRank = std::move(leafOfRank);
    shape.parentOfSwitch = std::move(parentOfSwitch);
    network = std::make_unique<Network>(shape);
    network->attach();
    std::vector<uint32_t> all(Ranks);
    std::iota(all.begin(), all.end(), 0u);
    network->add(1, all);
    network->tap = [this](const Address &, const Address &, std::span<const uint8_t> bytes) {
      ++sent[PacketType(bytes[2])];
    };
  }
  Request call(uint32_t rank, Kind kind) {
    Collective call;
    call.kind = kind;
    call.context = 1;
    if (kind != Kind::Barrier) {
      call.type = ElementType::Uint32;
      call.count = 1;
    }
    if (kind == Kind::Reduce)
      call.op = ReduceOp::Sum;
    call.send = kind == Kind::Bcast ? nullptr : &given[rank];
    call.recv = kind == Kind::Bcast ? &told[rank] : &sum[rank];
    Result<Request> request = network->host(rank).start(call, network->now);
    EXPECT_TRUE(bool(request)) << (request ? "" : request.error().str());
    return *request;
  }
  /// All ranks call it; what they have to wait for is over.
  void all(Kind kind) {
    Request requests[Ranks];
    for (uint32_t rank = 0; rank < Ranks; ++rank)
      requests[rank] = call(rank, kind);
    for (uint32_t rank = 0; rank < Ranks; ++rank)
      ASSERT_TRUE(network->run([&] { return network->host(rank).isDone(requests[rank]); }));
  }
  void idle() {
    for (uint32_t rank = 0; rank < Ranks; ++rank)
      ASSERT_TRUE(network->run([&] { return network->host(rank).idle(); }));
  }
};

TEST_F(Givers, WhoComesBackNeedsNoConfirmation) {
  start();
  for (unsigned n = 0; n < 100; ++n) {
    all(Kind::Reduce);
    all(Kind::Bcast);
    all(Kind::Barrier);
  }
  idle();
  EXPECT_EQ(sum[0], 4321u);
  EXPECT_EQ(told[3], 5u);
  EXPECT_EQ(sent[PacketType::Contribute], 100 * (2 * Ranks + 1)); // of a Bcast only the root's
  EXPECT_EQ(sent[PacketType::Result], 100 * (1 + (Ranks - 1) + Ranks)); // what somebody waits for
  EXPECT_EQ(sent[PacketType::Credit], 0u);
  EXPECT_EQ(sent[PacketType::Poll], 0u);
}

TEST_F(Givers, WhoOnlyGivesIsConfirmedNowAndThen) {
  start();
  for (unsigned n = 0; n < 100; ++n)
    all(Kind::Reduce);
  idle();
  EXPECT_EQ(sent[PacketType::Result], 100u); // the root's
  EXPECT_EQ(sent[PacketType::Credit], 100 * (Ranks - 1) / 4);
  EXPECT_EQ(sent[PacketType::Poll], 0u);
}

TEST_F(Givers, ALastOneIsConfirmedBeforeItAsks) {
  start();
  all(Kind::Reduce);
  const Time before = network->now;
  idle();
  EXPECT_LE(network->now - before, 2 * Millisecond);
  EXPECT_EQ(sent[PacketType::Credit], Ranks - 1);
  EXPECT_EQ(sent[PacketType::Poll], 0u);
}

TEST_F(Givers, WhatIsLostIsSentAgainWhileTheRankComputes) {
  for (const bool tree : {false, true}) {
    if (tree)
      start({1, 1, 2, 2}, {SessionOptions::NoSwitch, 0, 0});
    else
      start();
    // Rank 3's part of the first Reduce, and what asks after it, once each.
    unsigned lost = 0;
    network->loses = [&](const Address &from, const Address &, std::span<const uint8_t> bytes) {
      const auto type = PacketType(bytes[2]);
      return from == Network::hostAddress(3) && lost < 2 &&
             (type == PacketType::Contribute || type == PacketType::Poll) && ++lost;
    };
    Request requests[Ranks];
    for (uint32_t rank = 0; rank < Ranks; ++rank)
      requests[rank] = call(rank, Kind::Reduce);
    EXPECT_TRUE(network->host(3).isDone(requests[3])); // it goes on, and calls nothing
    sum[0] = 0;
    ASSERT_TRUE(network->run([&] { return network->host(0).isDone(requests[0]); }, Second));
    EXPECT_EQ(lost, 2u);
    EXPECT_EQ(sum[0], 4321u);
    idle();
  }
}

TEST_F(Givers, ALaterAnswerDoesNotStandForWhatIsMissing) {
  start();
  network->loses = [&, lost = false](const Address &from, const Address &,
                                     std::span<const uint8_t> bytes) mutable {
    if (lost || from != Network::hostAddress(3) || PacketType(bytes[2]) != PacketType::Contribute)
      return false;
    return lost = true;
  };
  Request reduce[Ranks], barrier[Ranks];
  for (uint32_t rank = 0; rank < Ranks; ++rank)
    reduce[rank] = call(rank, Kind::Reduce);
  for (uint32_t rank = 0; rank < Ranks; ++rank)
    barrier[rank] = call(rank, Kind::Barrier);
  // The barrier's answer comes first; it must not confirm the Reduce of rank 3.
  ASSERT_TRUE(network->run([&] { return network->host(3).isDone(barrier[3]); }));
  EXPECT_FALSE(network->host(3).idle());
  ASSERT_TRUE(network->run([&] { return network->host(0).isDone(reduce[0]); }));
  EXPECT_EQ(sum[0], 4321u);
  idle();
}

} // namespace
