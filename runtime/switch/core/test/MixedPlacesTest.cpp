// Ranks that make the same collectives and fuse them in places of their own: one the first with the
// second, another the second with the third, a third none. What each gets is what MPI says.
#include "runtime/io/Bytes.h"
#include "runtime/switch/collective/Fused.h"
#include "runtime/switch/core/test/Reference.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace acis;
using namespace acis::sim;
using collective::FusedOutcome;

namespace {

/// One rank on its way through the collectives. Those that it fuses are named by the first of two.
class Rank {
public:
  Rank(Network &network, uint32_t me, std::deque<Trial> &calls, std::vector<bool> fuses)
      : network(network), me(me), calls(calls), fuses(std::move(fuses)) {}

  bool isAtEnd() const { return at == calls.size(); }
  bool fusesAt(size_t i) const { return fuses[i]; }
  /// What came of those that were fused, by place.
  const std::map<size_t, FusedOutcome> &outcomes() const { return told; }

  /// False: it waits.
  bool step() {
    if (isAtEnd() || !network.host(me).failure().empty())
      return false;
    if (stage == Stage::Call && fuses[at] && !told.contains(at)) {
      startFused();
      stage = Stage::Fused;
    } else if (stage == Stage::Call) {
      EXPECT_TRUE(calls[at].start(network, me));
      stage = Stage::Plain;
    }
    if (stage == Stage::Fused) {
      if (!network.host(me).isDone(request))
        return false;
      told[at] = FusedOutcome(io::load<uint32_t>(block.data()));
      stage = Stage::Call;
      return true;
    }
    if (!calls[at].done(network, me))
      return false;
    ++at;
    stage = Stage::Call;
    return true;
  }

private:
  enum class Stage : uint8_t { Call, Fused, Plain };

  void startFused() {
    block.assign(500, 1);
    const Collective first = calls[at].call(me);
    Collective call;
    call.kind = Kind::Fused;
    call.context = 1;
    call.count = block.size();
    call.operatorHandle = at + 1;
    call.send = call.recv = block.data();
    call.first = &first;
    Result<Request> started = network.host(me).start(call, network.now);
    ASSERT_TRUE(started) << started.error().str();
    request = *started;
  }

  Network &network;
  uint32_t me;
  std::deque<Trial> &calls;
  std::vector<bool> fuses;
  size_t at = 0;
  Stage stage = Stage::Call;
  Request request = 0;
  std::vector<uint8_t> block;
  std::map<size_t, FusedOutcome> told;
};

/// Some places are fused by all alike, whatever else they do.
std::vector<std::vector<bool>> drawPlaces(uint32_t ranks, size_t count, std::mt19937 &random) {
  std::vector<std::vector<bool>> fuses(ranks, std::vector<bool>(count));
  std::vector<size_t> next(ranks);
  for (size_t i = 0; i + 1 < count; ++i) {
    const bool all = random() % 3 == 0;
    for (uint32_t r = 0; r < ranks; ++r)
      if (i >= next[r] && (all || random() % 2)) {
        fuses[r][i] = true;
        next[r] = i + 2;
      }
  }
  return fuses;
}

void run(const Cluster &shape, unsigned seed) {
  constexpr Kind kinds[] = {Kind::Allreduce, Kind::Bcast, Kind::Allgather, Kind::Alltoall,
                            Kind::ReduceScatterBlock};
  Network network(shape);
  network.attach();
  std::vector<uint32_t> world;
  for (uint32_t r = 0; r < shape.ranks; ++r)
    world.push_back(r);
  network.add(1, world);
  std::mt19937 random(seed);
  std::deque<Trial> calls;
  for (unsigned i = 0; i < 100; ++i)
    calls.emplace_back(kinds[random() % std::size(kinds)], 1, world, ReduceOp::Sum,
                       ElementType::Int32, 1 + random() % (i % 5 ? 60 : 6000),
                       uint32_t(random() % shape.ranks), false, random);
  std::deque<Rank> ranks;
  for (std::vector<bool> &places : drawPlaces(shape.ranks, calls.size(), random))
    ranks.emplace_back(network, uint32_t(ranks.size()), calls, std::move(places));
  ASSERT_TRUE(network.run(
      [&] {
        for (Rank &rank : ranks)
          while (rank.step()) {
          }
        return std::all_of(ranks.begin(), ranks.end(),
                           [](const Rank &rank) { return rank.isAtEnd(); });
      },
      300 * wire::Second))
      << network.host(0).failure();
  for (const Trial &call : calls)
    EXPECT_EQ(call.check(), "");
  unsigned together = 0, apart = 0;
  for (const Rank &rank : ranks)
    for (const auto &[place, outcome] : rank.outcomes()) {
      const bool all =
          std::all_of(ranks.begin(), ranks.end(), [&](const Rank &r) { return r.fusesAt(place); });
      EXPECT_EQ(outcome, all ? FusedOutcome::Failed : FusedOutcome::Mixed) << place;
      ++(all ? together : apart);
    }
  EXPECT_GT(together, 0u);
  EXPECT_GT(apart, 0u);
}

TEST(MixedPlaces, OnOneSwitch) {
  for (unsigned seed = 1; seed <= 4 && !testing::Test::HasFailure(); ++seed) {
    Cluster shape;
    shape.ranks = 3;
    run(shape, seed);
  }
}

TEST(MixedPlaces, OnALossyTree) {
  for (unsigned seed = 1; seed <= 4 && !testing::Test::HasFailure(); ++seed) {
    Cluster shape;
    shape.ranks = 4;
    shape.keys = true;
    shape.leafOfRank = {0, 0, 1, 1};
    shape.parentOfSwitch = {2, 2, SessionOptions::NoSwitch};
    shape.faults.loss = shape.faults.duplicate = shape.faults.reorder = 0.02 * seed;
    run(shape, seed);
  }
}

} // namespace
