// Ranks that call a CCCF where others call its collectives one by one, or whose CCCFs differ in all
// but the first collective: each gets what MPI says, on one and on three switches, whatever the
// network does and whoever comes first. No switch here has a program, so where all call alike they
// are told that, and do the same.
#include "runtime/io/Bytes.h"
#include "runtime/switch/collective/Fused.h"
#include "runtime/switch/core/test/Reference.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace acis;
using namespace acis::sim;
using collective::FusedOutcome;
using wire::Microsecond;
using wire::Second;

namespace {

enum class Way : uint8_t {
  Plain,
  Fused,
  OtherProgram,
  OtherSize,
};

/// Two collectives, and how each rank calls them.
class Chain {
public:
  Chain(Trial first, Trial second, std::vector<Way> ways)
      : first(std::move(first)), second(std::move(second)), ways(std::move(ways)),
        blocks(this->ways.size()), outcomes(this->ways.size()) {}

  /// False: the rank cannot go on.
  bool begin(Network &network, uint32_t r) {
    if (ways[r] == Way::Plain)
      return startFirst(network, r);
    blocks[r].assign(ways[r] == Way::OtherSize ? 700 : 600, 1);
    const Collective plain = first.call(r);
    Collective call;
    call.kind = Kind::Fused;
    call.context = 1;
    call.count = blocks[r].size();
    call.operatorHandle = ways[r] == Way::OtherProgram ? 78 : 77;
    call.send = call.recv = blocks[r].data();
    call.first = &plain;
    Result<Request> started = network.host(r).start(call, network.now);
    if (!started) { // all ranks find out alike
      declined = true;
      return startFirst(network, r);
    }
    request[r] = *started;
    return true;
  }
  bool isFused(uint32_t r) const { return request.contains(r); }
  bool isKnown(Network &network, uint32_t r) { return network.host(r).isDone(request.at(r)); }
  void takeOutcome(uint32_t r) { outcomes[r] = FusedOutcome(io::load<uint32_t>(blocks[r].data())); }

  bool startFirst(Network &network, uint32_t r) {
    Status status = first.start(network, r);
    EXPECT_TRUE(status) << status.error().str();
    return bool(status);
  }
  bool startSecond(Network &network, uint32_t r) {
    Status status = second.start(network, r);
    EXPECT_TRUE(status) << status.error().str();
    return bool(status);
  }

  /// At the end.
  void check() const {
    EXPECT_EQ(first.check(), "");
    EXPECT_EQ(second.check(), "");
    const bool alike = std::all_of(ways.begin(), ways.end(), [&](Way way) {
      return way != Way::Plain && way == ways.front();
    });
    for (uint32_t r = 0; r < ways.size(); ++r)
      if (isFused(r))
        EXPECT_EQ(outcomes[r], alike ? FusedOutcome::Failed : FusedOutcome::Mixed) << r;
  }

  Trial first, second;
  bool declined = false;

private:
  std::vector<Way> ways;
  std::vector<std::vector<uint8_t>> blocks;
  std::vector<FusedOutcome> outcomes;
  std::map<uint32_t, Request> request;
};

/// The ranks go through the chains, each at its own speed; some do not wait for what they have
/// started plainly.
class Program {
public:
  Program(Network &network, std::deque<Chain> &chains, uint32_t ranks, unsigned seed)
      : network(network), chains(chains), at(ranks), random(seed) {}

  void hurry(uint32_t percent) { hurried = percent; }
  void delay(uint32_t rank, wire::Time until) { at[rank].until = until; }

  bool run() {
    return network.run(
        [&] {
          for (uint32_t r = 0; r < at.size(); ++r)
            while (step(r)) {
            }
          return std::all_of(at.begin(), at.end(),
                             [&](const Place &place) { return place.chain == chains.size(); }) &&
                 std::all_of(chains.begin(), chains.end(), [&](const Chain &chain) {
                   return chain.first.done(network) && chain.second.done(network);
                 });
        },
        300 * Second);
  }

private:
  enum class Stage : uint8_t { Begin, Fused, First, Second };
  struct Place {
    size_t chain = 0;
    Stage stage = Stage::Begin;
    wire::Time until = 0;
    bool waits = true;
  };

  /// False: the rank waits, or is at the end.
  bool step(uint32_t r) {
    Place &place = at[r];
    if (place.chain == chains.size() || network.now < place.until ||
        !network.host(r).failure().empty())
      return false;
    Chain &chain = chains[place.chain];
    switch (place.stage) {
    case Stage::Begin:
      place.waits = random() % 100 >= hurried;
      if (!chain.begin(network, r))
        return false;
      place.stage = chain.isFused(r) ? Stage::Fused : Stage::First;
      return true;
    case Stage::Fused:
      if (!chain.isKnown(network, r))
        return false;
      chain.takeOutcome(r);
      chain.startFirst(network, r);
      place.stage = Stage::First;
      return true;
    case Stage::First:
      if (place.waits && !chain.first.done(network, r))
        return false;
      chain.startSecond(network, r);
      place.stage = Stage::Second;
      return true;
    case Stage::Second:
      if (place.waits && !chain.second.done(network, r))
        return false;
      ++place.chain;
      place.stage = Stage::Begin;
      if (random() % 4 == 0)
        place.until = network.now + random() % 200 * Microsecond;
      return true;
    }
    return false;
  }

  Network &network;
  std::deque<Chain> &chains;
  std::vector<Place> at;
  std::mt19937 random;
  uint32_t hurried = 0;
};

std::vector<uint32_t> iota(uint32_t n) {
  std::vector<uint32_t> out(n);
  for (uint32_t i = 0; i < n; ++i)
    out[i] = i;
  return out;
}

Trial allreduce(uint32_t ranks, uint64_t count, std::mt19937 &random) {
  return Trial(Kind::Allreduce, 1, iota(ranks), ReduceOp::Sum, ElementType::Int32, count, 0, false,
               random);
}

uint64_t mixed(Network &network, uint32_t id) {
  sw::Statistics all;
  network.collectives(id).statistics(all);
  const auto at = std::find_if(all.begin(), all.end(),
                               [](const auto &item) { return item.first == "slots_mixed_fused"; });
  return at == all.end() ? 0 : uint64_t(at->second);
}

constexpr Kind firsts[] = {Kind::Allreduce, Kind::Scan,    Kind::ReduceScatterBlock,
                           Kind::Bcast,     Kind::Scatter, Kind::Allgather,
                           Kind::Alltoall};
constexpr Kind seconds[] = {Kind::Allreduce, Kind::Reduce,  Kind::Scan,   Kind::ReduceScatterBlock,
                            Kind::Bcast,     Kind::Scatter, Kind::Gather, Kind::Allgather,
                            Kind::Alltoall};

/// Random chains; in a third of them all ranks are of one mind.
void soak(const Cluster &shape, unsigned count, unsigned seed) {
  Network network(shape);
  network.attach();
  std::mt19937 random(seed);
  network.add(1, iota(shape.ranks));
  std::deque<Chain> chains;
  for (unsigned i = 0; i < count; ++i) {
    // Long ones are several messages.
    const uint64_t sizes[] = {0, 1, random() % 100, 1 + random() % 2000, 5000 + random() % 9000};
    auto trial = [&](Kind kind) {
      return Trial(kind, 1, iota(shape.ranks), ReduceOp::Sum, ElementType::Int32,
                   sizes[random() % 5], uint32_t(random() % shape.ranks), random() % 3 == 0,
                   random);
    };
    std::vector<Way> ways(shape.ranks, Way::Fused);
    if (random() % 3)
      for (Way &way : ways)
        way = random() % 2 ? Way::Plain : random() % 3 ? Way::Fused : Way(2 + random() % 2);
    chains.emplace_back(trial(firsts[i % std::size(firsts)]),
                        trial(seconds[random() % std::size(seconds)]), std::move(ways));
  }
  Program program(network, chains, shape.ranks, seed);
  program.hurry(seed % 3 * 40);
  ASSERT_TRUE(program.run()) << network.host(0).failure();
  unsigned declined = 0;
  for (const Chain &chain : chains) {
    chain.check();
    declined += chain.declined;
  }
  EXPECT_LT(declined, count / 2);
  for (uint32_t r = 0; r < shape.ranks; ++r)
    EXPECT_EQ(network.host(r).failure(), "");
  EXPECT_GT(mixed(network, shape.parentOfSwitch.empty() ? 0 : 2), 0u);
}

Cluster cluster(uint32_t ranks, std::vector<uint16_t> leaves, double faults) {
  Cluster shape;
  shape.ranks = ranks;
  shape.keys = true;
  shape.leafOfRank = std::move(leaves);
  if (!shape.leafOfRank.empty())
    shape.parentOfSwitch = {2, 2, SessionOptions::NoSwitch};
  shape.faults.loss = shape.faults.duplicate = shape.faults.reorder = shape.faults.corrupt =
      shape.faults.delay = faults;
  return shape;
}

TEST(Mixed, RandomChains) {
  for (unsigned seed = 1; seed <= 6 && !testing::Test::HasFailure(); ++seed)
    soak(cluster(4, {}, 0), 120, seed);
}
TEST(Mixed, RandomChainsOverASpine) {
  for (unsigned seed = 1; seed <= 6 && !testing::Test::HasFailure(); ++seed)
    soak(cluster(5, {0, 0, 1, 1, 1}, 0), 120, seed);
}
TEST(Mixed, RandomChainsOfRanksInTurns) {
  for (unsigned seed = 1; seed <= 3 && !testing::Test::HasFailure(); ++seed)
    soak(cluster(4, {0, 1, 0, 1}, 0), 120, seed);
}
TEST(Mixed, OnALossyNetwork) {
  for (unsigned seed = 1; seed <= 3 && !testing::Test::HasFailure(); ++seed) {
    soak(cluster(4, {}, 0.01), 100, seed);
    soak(cluster(3, {}, 0.1), 60, seed);
  }
}
TEST(Mixed, OnALossyTree) {
  for (unsigned seed = 1; seed <= 3 && !testing::Test::HasFailure(); ++seed) {
    soak(cluster(5, {0, 0, 1, 1, 1}, 0.01), 100, seed);
    soak(cluster(4, {0, 0, 1, 1}, 0.1), 60, seed);
  }
}
TEST(Mixed, WithFewSlotsAndSmallPackets) {
  for (unsigned seed = 1; seed <= 3 && !testing::Test::HasFailure(); ++seed)
    for (std::vector<uint16_t> leaves : {std::vector<uint16_t>{}, {0, 0, 1, 1}}) {
      Cluster shape = cluster(4, leaves, 0.02);
      shape.config.slots = 3;
      shape.config.packetBytes = 256;
      shape.config.messageBytes = 16'000;
      soak(shape, 60, seed);
    }
}

/// One chain: the ranks of `plain` call plainly, and all come in `order`.
void inOrder(const std::vector<uint16_t> &leaves, Kind first, unsigned plain,
             const std::vector<uint32_t> &order) {
  Network network(cluster(4, leaves, 0));
  network.attach();
  network.add(1, iota(4));
  std::mt19937 random(plain);
  std::vector<Way> ways;
  for (unsigned r = 0; r < 4; ++r)
    ways.push_back(plain >> r & 1 ? Way::Plain : Way::Fused);
  std::deque<Chain> chains;
  chains.emplace_back(
      Trial(first, 1, iota(4), ReduceOp::Sum, ElementType::Int32, 30, 1, false, random),
      allreduce(4, 5, random), ways);
  Program program(network, chains, 4, 1);
  for (size_t i = 0; i < order.size(); ++i)
    program.delay(order[i], network.now + i * 100 * Microsecond);
  ASSERT_TRUE(program.run()) << network.host(0).failure();
  chains.front().check();
}

TEST(Mixed, AllOrdersOfArrival) {
  for (std::vector<uint16_t> leaves : {std::vector<uint16_t>{}, {0, 0, 1, 1}})
    for (Kind first : {Kind::Allreduce, Kind::Bcast, Kind::Scatter})
      for (unsigned plain = 0; plain < 16; ++plain) {
        std::vector<uint32_t> order = iota(4);
        do {
          inOrder(leaves, first, plain, order);
          if (testing::Test::HasFailure())
            FAIL() << nameOf(first) << " plain " << plain << " order " << order[0] << order[1]
                   << order[2] << order[3] << (leaves.empty() ? "" : " on two leaves");
        } while (std::next_permutation(order.begin(), order.end()));
      }
}

/// Nobody waits for a timer where nothing is lost.
TEST(Mixed, TakesNoTimeout) {
  Network network(cluster(4, {0, 0, 1, 1}, 0));
  network.attach();
  network.add(1, iota(4));
  std::mt19937 random(1);
  std::deque<Chain> chains;
  chains.emplace_back(allreduce(4, 30, random), allreduce(4, 30, random),
                      std::vector{Way::Fused, Way::Fused, Way::Plain, Way::Fused});
  Program program(network, chains, 4, 1);
  const wire::Time begin = network.now;
  ASSERT_TRUE(program.run());
  chains.front().check();
  EXPECT_LT(network.now - begin, 500 * Microsecond);
}

/// The first collectives differ: that is the program's error, as if all had called them plainly.
void differs(Trial fused, Trial plain, const std::string &what) {
  Network network(cluster(4, {0, 0, 1, 1}, 0));
  network.attach();
  network.add(1, iota(4));
  std::mt19937 random(1);
  std::deque<Chain> chains;
  chains.emplace_back(std::move(fused), allreduce(4, 1, random),
                      std::vector{Way::Fused, Way::Fused, Way::Plain, Way::Plain});
  for (uint32_t r = 0; r < 4; ++r)
    if (r < 2)
      chains.front().begin(network, r);
    else
      ASSERT_TRUE(plain.start(network, r));
  ASSERT_TRUE(network.run([&] {
    for (uint32_t r = 0; r < 4; ++r)
      if (network.host(r).failure().empty())
        return false;
    return true;
  }));
  for (uint32_t r = 0; r < 4; ++r)
    EXPECT_NE(network.host(r).failure().find("do not match: " + what), std::string::npos)
        << network.host(r).failure();
}

TEST(Mixed, FirstCollectivesThatDiffer) {
  std::mt19937 random(1);
  differs(allreduce(4, 9, random), allreduce(4, 8, random), "counts");
  differs(
      allreduce(4, 9, random),
      Trial(Kind::Allreduce, 1, iota(4), ReduceOp::Max, ElementType::Int32, 9, 0, false, random),
      "operations");
  differs(allreduce(4, 9, random),
          Trial(Kind::Scan, 1, iota(4), ReduceOp::Sum, ElementType::Int32, 9, 0, false, random),
          "collectives");
  differs(Trial(Kind::Bcast, 1, iota(4), ReduceOp::Sum, ElementType::Int32, 9, 0, false, random),
          Trial(Kind::Bcast, 1, iota(4), ReduceOp::Sum, ElementType::Int32, 9, 3, false, random),
          "roots");
}

TEST(Mixed, NothingMayFollowBeforeTheOutcomeIsKnown) {
  Network network(cluster(4, {}, 0));
  network.attach();
  network.add(1, iota(4));
  std::mt19937 random(1);
  Chain chain(allreduce(4, 3, random), allreduce(4, 3, random), std::vector(4, Way::Fused));
  chain.begin(network, 0);
  Trial next = allreduce(4, 1, random);
  Status status = next.start(network, 0);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().str().find("a fused call is under way"), std::string::npos);
}

/// A rank that dies after the others were told: each of them hears of it.
TEST(Mixed, ARankThatDiesInTheMiddle) {
  for (uint32_t dies : {0u, 3u})
    for (std::vector<uint16_t> leaves : {std::vector<uint16_t>{}, {0, 0, 1, 1}}) {
      Cluster shape = cluster(4, leaves, 0);
      shape.config.deadAfter = Second;
      Network network(shape);
      network.attach();
      network.add(1, iota(4));
      std::mt19937 random(1);
      std::deque<Chain> chains;
      chains.emplace_back(allreduce(4, 3, random), allreduce(4, 3, random),
                          std::vector{Way::Fused, Way::Fused, Way::Plain, Way::Fused});
      Program program(network, chains, 4, 1);
      program.delay(dies, wire::Never); // it has given its message, and does not hear the answer
      chains.front().begin(network, dies);
      network.run([] { return false; }, 20 * Microsecond);
      network.kill(dies);
      EXPECT_FALSE(program.run());
      for (uint32_t r = 0; r < 4; ++r)
        if (r != dies)
          EXPECT_NE(network.host(r).failure().find("rank " + std::to_string(dies)),
                    std::string::npos)
              << network.host(r).failure();
    }
}

/// A fused message that has been on its way for long: its slot has been plain, and is used again.
TEST(Mixed, LateMessagesChangeNothing) {
  Cluster shape = cluster(3, {}, 0);
  shape.config.slots = 2;
  shape.keys = false; // so that its number can be made a new one
  Network network(shape);
  network.attach();
  network.add(1, iota(3));
  std::mt19937 random(1);
  std::vector<uint8_t> late;
  network.tap = [&](const wire::Address &from, const wire::Address &,
                    std::span<const uint8_t> bytes) {
    const Result<wire::Header> header = wire::decode(bytes);
    if (from == Network::hostAddress(0) && header && header->shape == Shape::Fused)
      late.assign(bytes.begin(), bytes.end());
  };
  std::deque<Chain> chains;
  for (unsigned i = 0; i < 8; ++i) {
    chains.clear();
    chains.emplace_back(allreduce(3, 3, random), allreduce(3, 3, random),
                        std::vector{i ? Way::Plain : Way::Fused, Way::Plain, Way::Plain});
    ASSERT_TRUE(Program(network, chains, 3, 1).run());
    chains.front().check();
    ASSERT_FALSE(late.empty());
    io::store(late.data() + 16, uint64_t(500 + i));
    network.inject(0, Network::hostAddress(0), late);
  }
  EXPECT_EQ(mixed(network, 0), 1u);
}

} // namespace
