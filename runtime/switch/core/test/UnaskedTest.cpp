// What a source gives goes to the hosts of its switch before they ask for it: only the source
// speaks, what comes early is kept, what is lost is asked for, and calls that differ are found out.
#include "runtime/switch/collective/Shapes.h"
#include "runtime/switch/core/test/SimNetwork.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace acis;
using namespace acis::sim;
using namespace acis::wire;

namespace {

constexpr uint32_t Ranks = 4, Root = 1;
constexpr uint32_t Long = collective::MostUnasked / sizeof(uint32_t) + 1;

struct Unasked : testing::Test {
  std::unique_ptr<Network> network;
  std::map<PacketType, unsigned> sent; ///< by all
  /// (from, type) of a datagram: whether it is lost. Hosts by rank, the switch is Ranks.
  std::function<bool(uint32_t from, uint32_t to, PacketType)> losing;

  void start(std::vector<uint16_t> leafOfRank = {}, std::vector<uint16_t> parentOfSwitch = {}) {
    Cluster shape;
    shape.ranks = Ranks;
    shape.leafOfRank = std::move(leafOfRank);
    shape.parentOfSwitch = std::move(parentOfSwitch);
    network = std::make_unique<Network>(shape);
    network->attach();
    add();
    sent.clear();
    network->loses = [this](const Address &from, const Address &to,
                            std::span<const uint8_t> bytes) {
      ++sent[PacketType(bytes[2])];
      return losing && losing(rankOf(from), rankOf(to), PacketType(bytes[2]));
    };
  }
  static uint32_t rankOf(const Address &address) {
    for (uint32_t rank = 0; rank < Ranks; ++rank)
      if (address == Network::hostAddress(rank))
        return rank;
    return Ranks;
  }
  void add() {
    std::vector<uint32_t> all(Ranks);
    std::iota(all.begin(), all.end(), 0u);
    network->add(1, all);
  }
  /// A call of one rank; the root gives `value` and the numbers after it.
  struct Call {
    std::vector<uint32_t> buffer, block;
    Request request = 0;
  };
  std::unique_ptr<Call> call(uint32_t rank, Kind kind, uint32_t value = 0, uint32_t count = 1,
                             uint32_t root = Root) {
    auto made = std::make_unique<Call>();
    made->buffer.assign(count * (kind == Kind::Scatter ? Ranks : 1), 0);
    made->block.assign(count, 0);
    if (rank == root)
      std::iota(made->buffer.begin(), made->buffer.end(), value);
    Collective what;
    what.kind = kind;
    what.context = 1;
    what.type = ElementType::Uint32;
    what.count = count;
    what.root = root;
    if (kind == Kind::Allreduce)
      what.op = ReduceOp::Sum;
    what.send = kind == Kind::Bcast ? nullptr : made->buffer.data();
    what.recv = kind == Kind::Bcast ? made->buffer.data() : made->block.data();
    Result<Request> request = network->host(rank).start(what, network->now);
    EXPECT_TRUE(bool(request)) << (request ? "" : request.error().str());
    made->request = request ? *request : 0;
    return made;
  }
  bool isDone(uint32_t rank, const Call &made) { return network->host(rank).isDone(made.request); }
  void finish(uint32_t rank, const Call &made) {
    ASSERT_TRUE(network->run([&] { return isDone(rank, made); })) << "rank " << rank;
  }
  /// All ranks, one after the other; everybody has the root's numbers.
  void bcast(uint32_t value, uint32_t count = 1) {
    std::vector<std::unique_ptr<Call>> calls;
    for (uint32_t rank = 0; rank < Ranks; ++rank)
      calls.push_back(call(rank, Kind::Bcast, value, count));
    for (uint32_t rank = 0; rank < Ranks; ++rank) {
      finish(rank, *calls[rank]);
      EXPECT_EQ(calls[rank]->buffer, calls[Root]->buffer);
      EXPECT_EQ(calls[rank]->buffer[0], value);
    }
  }
  void pass(Time time) {
    network->run([] { return false; }, time);
  }
  bool allFailed() {
    return network->run([&] {
      for (uint32_t rank = 0; rank < Ranks; ++rank)
        if (network->host(rank).failure().empty())
          return false;
      return true;
    });
  }
};

TEST_F(Unasked, OnlyTheRootSpeaks) {
  start();
  for (unsigned n = 0; n < 160; ++n)
    bcast(n);
  EXPECT_EQ(sent[PacketType::Contribute], 160u);
  EXPECT_EQ(sent[PacketType::Result], 160 * (Ranks - 1));
  // What the others are done with, every 16; the root's messages are confirmed every four.
  EXPECT_EQ(sent[PacketType::Credit], 160 / 16 * (Ranks - 1) + 160 / 4);
  EXPECT_EQ(sent[PacketType::Poll], 0u);
}

TEST_F(Unasked, EachGetsItsBlockOfAScatter) {
  start();
  for (unsigned n = 0; n < 100; ++n) {
    std::vector<std::unique_ptr<Call>> calls;
    for (uint32_t rank = 0; rank < Ranks; ++rank)
      calls.push_back(call(rank, Kind::Scatter, n, 3));
    for (uint32_t rank = 0; rank < Ranks; ++rank) {
      finish(rank, *calls[rank]);
      EXPECT_EQ(calls[rank]->block,
                (std::vector{n + rank * 3, n + rank * 3 + 1, n + rank * 3 + 2}));
    }
  }
  EXPECT_EQ(sent[PacketType::Contribute], 100u);
  EXPECT_EQ(sent[PacketType::Poll], 0u);
}

TEST_F(Unasked, WhatComesEarlyIsThereWhenItIsCalledFor) {
  start();
  for (uint32_t n = 0; n < 20; ++n)
    (void)call(Root, Kind::Bcast, n);
  pass(Millisecond);
  for (uint32_t n = 0; n < 20; ++n) {
    auto made = call(3, Kind::Bcast);
    EXPECT_TRUE(isDone(3, *made)) << n;
    EXPECT_EQ(made->buffer[0], n);
  }
}

// Somebody computes: the root gets no further ahead than there are slots, and nothing is lost.
TEST_F(Unasked, TheRootWaitsForWhoIsFarBehind) {
  constexpr uint32_t Slots = 64, Calls = 3 * Slots;
  for (const bool confirmationsAreLost : {false, true}) {
    start();
    if (confirmationsAreLost)
      losing = [](uint32_t from, uint32_t, PacketType type) {
        return from != Ranks && type == PacketType::Credit;
      };
    std::vector<std::unique_ptr<Call>> calls[Ranks];
    for (uint32_t n = 0; n < Calls; ++n)
      for (uint32_t rank : {0u, Root, 2u})
        calls[rank].push_back(call(rank, Kind::Bcast, n));
    pass(50 * Millisecond);
    EXPECT_TRUE(isDone(2, *calls[2][Slots - 1]));
    EXPECT_FALSE(isDone(2, *calls[2][Slots]));
    for (uint32_t n = 0; n < Calls; ++n)
      calls[3].push_back(call(3, Kind::Bcast));
    for (uint32_t rank : {0u, 2u, 3u})
      for (uint32_t n = 0; n < Calls; ++n) {
        finish(rank, *calls[rank][n]);
        EXPECT_EQ(calls[rank][n]->buffer[0], n);
      }
  }
}

TEST_F(Unasked, WhatIsLostIsAskedFor) {
  start();
  unsigned lost = 0;
  losing = [&](uint32_t, uint32_t to, PacketType type) {
    return to == 3 && type == PacketType::Result && lost++ == 0;
  };
  const Time before = network->now;
  bcast(7);
  EXPECT_GT(lost, 1u);
  EXPECT_EQ(sent[PacketType::Poll], 1u);
  EXPECT_LT(network->now - before, 5 * Millisecond);
}

// Who waits for long says that it is there: so a wait that ends in vain can name the root.
TEST_F(Unasked, WhoWaitsForTheRootKnowsIt) {
  start();
  auto made = call(3, Kind::Bcast);
  pass(100 * Millisecond);
  EXPECT_EQ(sent[PacketType::Contribute], 1u);
  EXPECT_EQ(network->host(3).missing(made->request), "bcast on context 1: rank 1 has not come");
  auto root = call(Root, Kind::Bcast, 5);
  finish(3, *made);
  EXPECT_EQ(made->buffer[0], 5u);
}

TEST_F(Unasked, LongOnesAreAskedFor) {
  start();
  for (unsigned n = 0; n < 10; ++n)
    bcast(n, Long);
  EXPECT_EQ(sent[PacketType::Contribute], 10 * Ranks);
}

// From another leaf nothing comes before somebody there has called.
TEST_F(Unasked, ThoseOfOtherLeavesAsk) {
  start({0, 0, 1, 1}, {2, 2, SessionOptions::NoSwitch});
  for (unsigned n = 0; n < 10; ++n)
    bcast(n);
  // The root, both hosts of the other leaf, and both leaves.
  EXPECT_EQ(sent[PacketType::Contribute], 10 * 5u);
  EXPECT_EQ(sent[PacketType::Poll], 0u);
}

TEST_F(Unasked, AReductionThatIsGivenAfterOneIsConfirmed) {
  start();
  for (unsigned n = 0; n < 100; ++n) {
    bcast(n);
    std::vector<std::unique_ptr<Call>> calls;
    for (uint32_t rank = 0; rank < Ranks; ++rank)
      calls.push_back(call(rank, Kind::Allreduce, 1));
    for (uint32_t rank = 0; rank < Ranks; ++rank) {
      finish(rank, *calls[rank]);
      EXPECT_EQ(calls[rank]->block[0], 1u);
    }
  }
  for (uint32_t rank = 0; rank < Ranks; ++rank)
    ASSERT_TRUE(network->run([&] { return network->host(rank).idle(); }));
  EXPECT_EQ(sent[PacketType::Poll], 0u);
  // Nobody has to say with what it is done: the next message does.
  EXPECT_EQ(sent[PacketType::Credit], 0u);
}

// Whichever comes first, the data or the call that is not meant by them.
TEST_F(Unasked, CallsThatDiffer) {
  struct Case {
    Kind kind;
    uint32_t count, root;
    const char *what;
  };
  for (const Case &c : {Case{Kind::Bcast, 2, Root, "counts 1 and 2"},
                        Case{Kind::Bcast, 1, 0, "roots, positions 1 and 0"},
                        Case{Kind::Bcast, 1, 3, "roots, positions 1 and 3"},
                        Case{Kind::Bcast, Long, Root, "counts 1 and "},
                        Case{Kind::Scatter, 1, Root, "collectives bcast and scatter"},
                        Case{Kind::Allreduce, 1, 0, "collectives bcast and allreduce"}})
    for (const bool late : {false, true}) {
      start();
      auto root = late ? call(Root, Kind::Bcast, 9) : nullptr;
      if (late)
        pass(Millisecond);
      auto other = call(3, c.kind, 0, c.count, c.root);
      EXPECT_FALSE(other->request != 0 && isDone(3, *other));
      if (!late)
        root = call(Root, Kind::Bcast, 9);
      ASSERT_TRUE(allFailed()) << c.what << (late ? " late" : "");
      EXPECT_NE(network->host(3).failure().find("the ranks' calls do not match: "),
                std::string::npos)
          << network->host(3).failure();
      if (late)
        EXPECT_NE(network->host(0).failure().find(c.what), std::string::npos)
            << network->host(0).failure();
      if (c.kind == Kind::Bcast && c.root != 3)
        EXPECT_EQ(other->buffer[0], 0u) << "what another call gave was taken";
    }
}

TEST_F(Unasked, NothingOfAnEarlierUseOfAContextIsKept) {
  start();
  (void)call(Root, Kind::Bcast, 77);
  pass(10 * Millisecond);
  for (uint32_t rank = 0; rank < Ranks; ++rank)
    network->host(rank).leave(1, network->now);
  for (uint32_t rank = 0; rank < Ranks; ++rank)
    ASSERT_TRUE(network->run([&] { return !network->host(rank).isLeaving(1); }));
  add();
  auto made = call(3, Kind::Bcast);
  EXPECT_FALSE(isDone(3, *made));
  (void)call(Root, Kind::Bcast, 78);
  finish(3, *made);
  EXPECT_EQ(made->buffer[0], 78u);
}

} // namespace
