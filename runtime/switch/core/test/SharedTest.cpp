// Results that go to all hosts at once: only when they are heard, with nothing lost where they are
// not, and never believed when they are of another communicator, replayed or forged.
#include "runtime/switch/collective/Shapes.h"
#include "runtime/switch/core/test/SimNetwork.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace acis;
using namespace acis::sim;
using namespace acis::wire;

namespace {

constexpr uint32_t Ranks = 4;

struct Shared : testing::Test {
  std::unique_ptr<Network> network;
  std::map<PacketType, unsigned> sent; ///< by the switch, a Shared once for each who listens
  std::map<PacketType, unsigned> toThree;
  std::vector<std::vector<uint8_t>> recorded; ///< Shared packets to rank 3
  std::function<bool(PacketType)> losesToThree;
  uint32_t given[Ranks] = {1, 20, 300, 4000}, got[Ranks] = {};

  void start(bool keys = false, std::vector<uint16_t> leafOfRank = {},
             std::vector<uint16_t> parentOfSwitch = {}) {
    Cluster shape;
    shape.ranks = Ranks;
    shape.keys = keys;
    shape.leafOfRank = std::move(leafOfRank);
    shape.parentOfSwitch = std::move(parentOfSwitch);
    network = std::make_unique<Network>(shape);
    network->attach();
    add();
    network->loses = [this](const Address &, const Address &to, std::span<const uint8_t> bytes) {
      const auto type = PacketType(bytes[2]);
      ++sent[type];
      if (to != Network::hostAddress(3))
        return false;
      ++toThree[type];
      if (type == PacketType::Shared)
        recorded.emplace_back(bytes.begin(), bytes.end());
      return losesToThree && losesToThree(type);
    };
  }
  void add() {
    std::vector<uint32_t> all(Ranks);
    std::iota(all.begin(), all.end(), 0u);
    network->add(1, all);
  }
  /// Of one element; `send` is not looked at by a Bcast.
  Request begin(Kind kind, uint32_t rank, const uint32_t *send, uint32_t *recv,
                uint32_t count = 1) {
    Collective call;
    call.kind = kind;
    call.context = 1;
    call.type = ElementType::Uint32;
    call.count = count;
    call.op = ReduceOp::Sum;
    call.send = send;
    call.recv = recv;
    Result<Request> request = network->host(rank).start(call, network->now);
    EXPECT_TRUE(bool(request));
    return request ? *request : Request();
  }
  void finish(uint32_t rank, Request request) {
    ASSERT_TRUE(network->run([&] { return network->host(rank).isDone(request); }));
  }
  void allreduce() {
    Request requests[Ranks];
    for (uint32_t rank = 0; rank < Ranks; ++rank) {
      got[rank] = 0;
      requests[rank] = begin(Kind::Allreduce, rank, &given[rank], &got[rank]);
    }
    for (uint32_t rank = 0; rank < Ranks; ++rank) {
      finish(rank, requests[rank]);
      EXPECT_EQ(got[rank], 4321u);
    }
  }
};

TEST_F(Shared, AfterTheFirstResultNobodyGetsOneAlone) {
  start();
  for (unsigned n = 0; n < 100; ++n)
    allreduce();
  EXPECT_EQ(sent[PacketType::Shared], 100 * Ranks);
  EXPECT_EQ(sent[PacketType::Result], Ranks); // the first, as nobody knew
  EXPECT_EQ(sent[PacketType::Poll], 0u);
}

TEST_F(Shared, WhoDoesNotHearThemGetsResultsAlone) {
  start();
  losesToThree = [](PacketType type) { return type == PacketType::Shared; };
  for (unsigned n = 0; n < 100; ++n)
    allreduce();
  EXPECT_EQ(toThree[PacketType::Result], 100u);
  EXPECT_EQ(sent[PacketType::Result], 100 + Ranks - 1);
  EXPECT_EQ(sent[PacketType::Poll], 0u);
}

TEST_F(Shared, NobodyHearsThem) {
  start();
  network->loses = [this](const Address &, const Address &, std::span<const uint8_t> bytes) {
    ++sent[PacketType(bytes[2])];
    return PacketType(bytes[2]) == PacketType::Shared;
  };
  for (unsigned n = 0; n < 100; ++n)
    allreduce();
  EXPECT_EQ(sent[PacketType::Shared], 4 * Ranks); // trials
  EXPECT_EQ(sent[PacketType::Poll], 0u);
}

// Who is told alone for long is tried again.
TEST_F(Shared, TheyAreHeardAfterAll) {
  start();
  network->loses = [this](const Address &, const Address &, std::span<const uint8_t> bytes) {
    ++sent[PacketType(bytes[2])];
    return PacketType(bytes[2]) == PacketType::Shared;
  };
  for (unsigned n = 0; n < 100; ++n)
    allreduce();
  network->loses = [this](const Address &, const Address &, std::span<const uint8_t> bytes) {
    ++sent[PacketType(bytes[2])];
    return false;
  };
  for (unsigned n = 0; n < 200; ++n)
    allreduce();
  EXPECT_EQ(sent[PacketType::Poll], 0u);
  sent.clear();
  for (unsigned n = 0; n < 20; ++n)
    allreduce();
  EXPECT_EQ(sent[PacketType::Shared], 20 * Ranks);
  EXPECT_EQ(sent[PacketType::Result], 0u);
}

// Who had to wait for others for long, and was told so, has missed nothing.
TEST_F(Shared, WhoWasToldToWaitHearsThemStill) {
  start();
  allreduce();
  for (unsigned n = 0; n < 10; ++n) {
    got[0] = 0;
    Request requests[Ranks];
    for (uint32_t rank = 0; rank + 1 < Ranks; ++rank)
      requests[rank] = begin(Kind::Allreduce, rank, &given[rank], &got[rank]);
    sent.clear();
    ASSERT_TRUE(network->run([&] { return sent[PacketType::Wait] >= Ranks - 1; }));
    losesToThree = nullptr;
    network->loses = [this](const Address &, const Address &to, std::span<const uint8_t> bytes) {
      ++sent[PacketType(bytes[2])];
      return PacketType(bytes[2]) == PacketType::Shared && to == Network::hostAddress(0);
    };
    requests[3] = begin(Kind::Allreduce, 3, &given[3], &got[3]);
    for (uint32_t rank = 0; rank < Ranks; ++rank)
      finish(rank, requests[rank]);
    EXPECT_EQ(got[0], 4321u);
  }
  sent.clear();
  network->loses = [this](const Address &, const Address &, std::span<const uint8_t> bytes) {
    ++sent[PacketType(bytes[2])];
    return false;
  };
  allreduce();
  EXPECT_EQ(sent[PacketType::Result], 0u);
}

TEST_F(Shared, WhoHearsThemNoLongerIsToldAlone) {
  start();
  allreduce();
  losesToThree = [](PacketType type) { return type == PacketType::Shared; };
  for (unsigned n = 0; n < 8; ++n)
    allreduce();
  EXPECT_EQ(sent[PacketType::Poll], 8u); // each result had to be asked for
  for (unsigned n = 0; n < 20; ++n)
    allreduce();
  EXPECT_EQ(sent[PacketType::Poll], 8u);
  // And when they come again, it says so.
  losesToThree = nullptr;
  allreduce();
  toThree.clear();
  for (unsigned n = 0; n < 20; ++n)
    allreduce();
  EXPECT_EQ(toThree[PacketType::Result], 0u);
}

TEST_F(Shared, OneThatIsLostIsAskedFor) {
  start();
  allreduce();
  losesToThree = [lost = false](PacketType type) mutable {
    return type == PacketType::Shared && !std::exchange(lost, true);
  };
  for (unsigned n = 0; n < 10; ++n)
    allreduce();
  EXPECT_EQ(sent[PacketType::Poll], 1u);
  EXPECT_EQ(toThree[PacketType::Result], 2u); // the first, and this one
}

// A Shared that comes when a Result has already told the rest still tells that they come.
TEST_F(Shared, OneThatIsOvertakenIsHeard) {
  start();
  losesToThree = [](PacketType type) { return type == PacketType::Shared; };
  allreduce();
  ASSERT_EQ(recorded.size(), 1u);
  losesToThree = nullptr;
  network->host(3).receive(recorded[0], network->now);
  toThree.clear();
  for (unsigned n = 0; n < 10; ++n)
    allreduce();
  EXPECT_EQ(toThree[PacketType::Shared], 10u);
  EXPECT_EQ(toThree[PacketType::Result], 0u);
}

// A switch that was kept from running finds what ranks have given, and that they ask after it, in
// one batch: that is one answer for all, and nobody takes it that they do not hear those.
TEST_F(Shared, WhatIsAskedAfterInTheSameBatchIsSentOnce) {
  start();
  allreduce();
  std::vector<std::pair<Address, std::vector<uint8_t>>> waiting;
  unsigned polls = 0;
  network->loses = [&](const Address &from, const Address &, std::span<const uint8_t> bytes) {
    ++sent[PacketType(bytes[2])];
    if (PacketType(bytes[2]) != PacketType::Contribute && PacketType(bytes[2]) != PacketType::Poll)
      return false;
    polls += PacketType(bytes[2]) == PacketType::Poll;
    waiting.emplace_back(from, std::vector<uint8_t>(bytes.begin(), bytes.end()));
    return true;
  };
  Request requests[Ranks];
  for (uint32_t rank = 0; rank < Ranks; ++rank)
    requests[rank] = begin(Kind::Allreduce, rank, &given[rank], &got[rank]);
  ASSERT_TRUE(network->run([&] { return polls == Ranks; }));
  std::vector<sw::Ingress> batch;
  for (const auto &[from, bytes] : waiting)
    batch.push_back({0, from, bytes});
  sent.clear();
  network->device(0).receive(batch, network->now);
  EXPECT_EQ(sent[PacketType::Shared], Ranks);
  EXPECT_EQ(sent[PacketType::Result], 0u);
  for (uint32_t rank = 0; rank < Ranks; ++rank)
    finish(rank, requests[rank]);
}

// Leaves share with their hosts what comes from above; switches below a spine get their own.
TEST_F(Shared, LeavesShareWithTheirHosts) {
  start(false, {1, 1, 2, 2}, {SessionOptions::NoSwitch, 0, 0});
  for (unsigned n = 0; n < 10; ++n)
    allreduce();
  EXPECT_EQ(sent[PacketType::Shared], 10 * Ranks);
  EXPECT_EQ(toThree[PacketType::Result], 1u);
}

/// A Bcast of rank 0 that is too long to come unasked; what ranks 1 to 3 get of it.
struct LongBcast : Shared {
  static constexpr uint32_t Long = collective::MostUnasked / sizeof(uint32_t) + 1;
  std::vector<uint32_t> told[Ranks];
  uint32_t count = Long; ///< elements
  Request requests[Ranks] = {};
  struct Taken {
    Address from;
    std::vector<uint8_t> bytes;
  };
  std::vector<Taken> takenBack;

  /// From now on, what ranks contribute does not arrive,
  void takeBack() {
    network->loses = [this](const Address &from, const Address &, std::span<const uint8_t> bytes) {
      ++sent[PacketType(bytes[2])];
      if (PacketType(bytes[2]) != PacketType::Contribute)
        return false;
      takenBack.push_back({from, {bytes.begin(), bytes.end()}});
      return true;
    };
  }
  /// but in one batch.
  void deliverAtOnce() {
    std::vector<sw::Ingress> batch;
    for (const Taken &datagram : takenBack)
      batch.push_back({0, datagram.from, datagram.bytes});
    network->device(0).receive(batch, network->now);
  }

  void begin(std::initializer_list<uint32_t> ranks) {
    for (uint32_t rank : ranks) {
      told[rank].assign(count, rank == 0 ? 5 : 0);
      requests[rank] = Shared::begin(Kind::Bcast, rank, nullptr, told[rank].data(), count);
    }
  }
  void finish() {
    for (uint32_t rank = 0; rank < Ranks; ++rank) {
      Shared::finish(rank, requests[rank]);
      EXPECT_EQ(told[rank], std::vector<uint32_t>(count, 5)) << "rank " << rank;
    }
  }
};

// Those who came before the root, or in one batch with it, get the data at once. To the root it
// says that its message is here.
TEST_F(LongBcast, GoesOutOnce) {
  start();
  allreduce();
  takeBack();
  begin({1, 0, 2, 3});
  ASSERT_EQ(takenBack.size(), Ranks);
  sent.clear();
  deliverAtOnce();
  EXPECT_EQ(sent[PacketType::Shared], Ranks); // a copy for each who listens
  EXPECT_EQ(sent[PacketType::Result], 0u);
  sent.clear();
  finish();
  EXPECT_EQ(sent[PacketType::Poll], 0u);
}

// Also if the root has come, and gone, before them.
TEST_F(LongBcast, GoesOutOnceAfterItsRootHasBeenToldAlone) {
  start();
  allreduce();
  begin({0});
  network->run([&] { return network->host(0).isDone(requests[0]); });
  takeBack();
  begin({1, 2, 3});
  ASSERT_EQ(takenBack.size(), Ranks - 1);
  sent.clear();
  deliverAtOnce();
  EXPECT_EQ(sent[PacketType::Shared], Ranks);
  EXPECT_EQ(sent[PacketType::Result], 0u);
  finish();
  EXPECT_EQ(sent[PacketType::Poll], 0u);
}

// Who has not come yet gets a Result, and so the root gets an answer of its own.
TEST_F(LongBcast, WithALateRankGoesToEach) {
  start();
  allreduce();
  sent.clear();
  begin({1, 2, 0});
  network->run([&] { return network->host(0).isDone(requests[0]); });
  begin({3});
  finish();
  EXPECT_EQ(sent[PacketType::Shared], 0u);
  EXPECT_EQ(sent[PacketType::Result], Ranks);
}

// The last message of one is short enough to come unasked, and still its root waits for it. Who
// gets it without a word is done with it, or the switch would have no slots left after a while.
TEST_F(LongBcast, MayEndWithAShortMessage) {
  start();
  allreduce();
  constexpr uint32_t Count = 18'000 / sizeof(uint32_t);
  for (uint32_t round = 0; round < 200; ++round) {
    for (uint32_t rank : {1, 2, 3, 0}) {
      told[rank].assign(Count, rank == 0 ? round : ~0u);
      requests[rank] = Shared::begin(Kind::Bcast, rank, nullptr, told[rank].data(), Count);
    }
    for (uint32_t rank = 0; rank < Ranks; ++rank) {
      Shared::finish(rank, requests[rank]);
      ASSERT_EQ(told[rank], std::vector<uint32_t>(Count, round)) << "rank " << rank;
    }
  }
}

// The root asks after a message whose only answer was lost on its way there.
TEST_F(LongBcast, TheRootThatMissesItAsks) {
  start();
  allreduce();
  sent.clear();
  network->loses = [&](const Address &, const Address &to, std::span<const uint8_t> bytes) {
    ++sent[PacketType(bytes[2])];
    return PacketType(bytes[2]) == PacketType::Shared && to == Network::hostAddress(0);
  };
  begin({1, 2, 3, 0});
  finish();
  EXPECT_EQ(sent[PacketType::Shared], Ranks);
  EXPECT_EQ(sent[PacketType::Result], 1u);
  EXPECT_EQ(sent[PacketType::Poll], 1u);
}

/// The same with several messages. What rank 3 asks for after the first one is on its way for as
/// long as the test wants.
struct HeldBcast : LongBcast {
  static constexpr uint32_t Messages = 8, Count = Messages * 16'384 / sizeof(uint32_t);
  std::vector<std::vector<uint8_t>> underWay;
  Time began = 0;

  HeldBcast() { count = Count; }

  void begin(std::initializer_list<uint32_t> ranks) {
    began = network->now;
    LongBcast::begin(ranks);
  }
  void delay() {
    network->loses = [this](const Address &from, const Address &, std::span<const uint8_t> bytes) {
      ++sent[PacketType(bytes[2])];
      const Result<Header> header = decode(bytes);
      if (from != Network::hostAddress(3) || header->type != PacketType::Contribute ||
          header->fragment == 0)
        return false;
      underWay.emplace_back(bytes.begin(), bytes.end());
      return true;
    };
  }
  uint64_t contributions() {
    for (const auto &[name, value] : network->device(0).statistics())
      if (name == "contributions")
        return value;
    return 0;
  }
  bool isDone(std::initializer_list<uint32_t> ranks) {
    return std::all_of(ranks.begin(), ranks.end(), [this](uint32_t rank) {
      return network->host(rank).isDone(requests[rank]);
    });
  }
};

TEST_F(HeldBcast, GoesOutOnceWhenTheLastOneHasAsked) {
  start();
  allreduce();
  delay();
  sent.clear();
  begin({1, 2, 3, 0});
  const uint64_t before = Ranks; // of allreduce()
  ASSERT_TRUE(network->run([&] { return contributions() == before + 3 * Messages + 1; }));
  EXPECT_EQ(sent[PacketType::Shared], Ranks); // the first message
  EXPECT_LT(network->now, began + Millisecond);
  EXPECT_FALSE(isDone({1}) || isDone({2}) || isDone({0}));
  ASSERT_EQ(underWay.size(), Messages - 1);
  network->loses = [this](const Address &, const Address &, std::span<const uint8_t> bytes) {
    ++sent[PacketType(bytes[2])];
    return false;
  };
  for (const std::vector<uint8_t> &bytes : underWay)
    network->inject(0, Network::hostAddress(3), bytes);
  finish();
  EXPECT_EQ(sent[PacketType::Shared], Messages * Ranks);
  EXPECT_EQ(sent[PacketType::Result], 0u);
  EXPECT_EQ(sent[PacketType::Poll], 0u);
}

// Nobody waits for long: what was asked for goes out before it is asked for again.
TEST_F(HeldBcast, GoesToThoseWhoHaveAskedAfterAWhile) {
  start();
  allreduce();
  delay();
  sent.clear();
  begin({1, 2, 3, 0});
  EXPECT_TRUE(network->run([&] { return isDone({0, 1, 2}); }));
  EXPECT_GE(network->now, began + 2 * Millisecond);
  EXPECT_LT(network->now, began + 3 * Millisecond);
  EXPECT_EQ(sent[PacketType::Result], 3 * (Messages - 1));
  EXPECT_EQ(sent[PacketType::Poll], 0u);
  // Then the one whose questions were lost asks again, and gets its answers at once.
  network->loses = nullptr;
  finish();
  EXPECT_LT(network->now, began + 5 * Millisecond);
}

TEST_F(HeldBcast, IsNotHeldForWhoHasNotCalled) {
  start();
  allreduce();
  begin({1, 2, 0});
  EXPECT_TRUE(network->run([&] { return isDone({0, 1, 2}); }));
  EXPECT_LT(network->now, began + Millisecond);
  begin({3});
  finish();
  EXPECT_LT(network->now, began + Millisecond);
}

// Two ranks: what the other one gets alone is no more datagrams, and the root is not woken.
TEST(LongBcastOfTwo, IsNotShared) {
  Cluster shape;
  shape.ranks = 2;
  Network network(shape);
  network.attach();
  network.add(1, {0, 1});
  unsigned shared = 0;
  network.loses = [&](const Address &, const Address &, std::span<const uint8_t> bytes) {
    shared += PacketType(bytes[2]) == PacketType::Shared;
    return false;
  };
  std::vector<uint32_t> data[2] = {std::vector<uint32_t>(LongBcast::Long, 7),
                                   std::vector<uint32_t>(LongBcast::Long)};
  for (int round = 0; round < 3; ++round) {
    std::fill(data[1].begin(), data[1].end(), 0);
    Request requests[2] = {};
    for (uint32_t rank : {1, 0}) {
      Collective call;
      call.kind = Kind::Bcast;
      call.context = 1;
      call.type = ElementType::Uint32;
      call.count = LongBcast::Long;
      call.recv = data[rank].data();
      requests[rank] = *network.host(rank).start(call, network.now);
    }
    for (uint32_t rank : {0, 1})
      ASSERT_TRUE(network.run([&] { return network.host(rank).isDone(requests[rank]); }));
    EXPECT_EQ(data[1], data[0]);
  }
  EXPECT_EQ(shared, 0u);
}

TEST_F(Shared, ThoseOfAnEarlierUseOfAContextAreNotTaken) {
  start();
  for (unsigned n = 0; n < 3; ++n)
    allreduce();
  for (uint32_t rank = 0; rank < Ranks; ++rank)
    network->host(rank).leave(1, network->now);
  for (uint32_t rank = 0; rank < Ranks; ++rank)
    ASSERT_TRUE(network->run([&] { return !network->host(rank).isLeaving(1); }));
  const std::vector<std::vector<uint8_t>> old = std::exchange(recorded, {});
  add();
  losesToThree = [](PacketType type) {
    return type == PacketType::Shared || type == PacketType::Result;
  };
  got[3] = 7;
  const Request request = begin(Kind::Allreduce, 3, &given[3], &got[3]);
  const uint64_t refused = network->host(3).refusedDatagrams();
  for (const std::vector<uint8_t> &bytes : old)
    network->host(3).receive(bytes, network->now);
  EXPECT_EQ(network->host(3).refusedDatagrams(), refused + old.size());
  EXPECT_EQ(old.size(), 3u);
  EXPECT_FALSE(network->host(3).isDone(request));
  EXPECT_EQ(got[3], 7u);
}

TEST_F(Shared, ReplayedAndForgedOnesChangeNothing) {
  start(/*keys=*/true);
  for (unsigned n = 0; n < 3; ++n)
    allreduce();
  client::HostSession &host = network->host(3);
  std::vector<uint64_t> before, after;
  host.fingerprint(before);
  uint64_t refused = host.refusedDatagrams();
  for (const std::vector<uint8_t> &bytes : recorded) {
    host.receive(bytes, network->now); // again
    ++refused;
    for (size_t at = 0; at < bytes.size(); ++at) { // with a new number, or anything else, changed
      std::vector<uint8_t> forged = bytes;
      forged[at] ^= 0x40;
      host.receive(forged, network->now);
      ++refused;
    }
  }
  host.fingerprint(after);
  EXPECT_EQ(after, before);
  EXPECT_EQ(host.refusedDatagrams(), refused);
  EXPECT_EQ(recorded.size(), 3u);
  allreduce();
}

} // namespace
