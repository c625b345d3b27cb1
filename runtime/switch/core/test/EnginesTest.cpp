// Every collective on engines of direct networks, with and without faults, against what MPI says;
// and what goes wrong between engines.
#include "runtime/switch/core/test/Reference.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace acis;
using namespace acis::sim;
using namespace acis::wire;
using direct::Fabric;
using direct::Form;

namespace {

std::vector<uint32_t> iota(uint32_t n) {
  std::vector<uint32_t> out(n);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

Fabric fabric(Form form, std::vector<uint32_t> sizes) {
  Result<Fabric> made = Fabric::make(form, std::move(sizes));
  EXPECT_TRUE(made);
  return *made;
}

void runTrial(Network &network, Trial &trial, const std::vector<uint32_t> &ranks,
              std::mt19937 &random) {
  std::vector<uint32_t> order = iota(uint32_t(ranks.size()));
  std::shuffle(order.begin(), order.end(), random);
  for (uint32_t i : order) {
    Status status = trial.start(network, i);
    ASSERT_TRUE(status) << status.error().str();
    if (random() % 2)
      network.run([] { return false; }, random() % 30 * Microsecond);
  }
  ASSERT_TRUE(network.run([&] { return trial.done(network); })) << network.host(ranks[0]).failure();
  EXPECT_EQ(trial.check(), "");
}

/// `trials` random collectives; each kind comes round.
void soak(const Cluster &shape, unsigned trials, unsigned seed) {
  Network network(shape);
  network.attach();
  std::mt19937 random(seed);
  const std::vector<uint32_t> world = iota(shape.ranks);
  const std::vector<uint32_t> reversed(world.rbegin(), world.rend());
  std::vector<uint32_t> uneven; // engines with different numbers of ranks
  for (uint32_t r = 0; r < shape.ranks; ++r)
    if (r % 3 != 1)
      uneven.push_back(r);
  const std::vector<std::vector<uint32_t>> groups = {world, reversed, uneven, {shape.ranks - 1}};
  for (uint32_t g = 0; g < groups.size(); ++g)
    network.add(g, groups[g]);
  for (unsigned i = 0; i < trials && !testing::Test::HasFailure(); ++i) {
    const Kind kind = Kind(i % NumKinds);
    const uint32_t g = random() % groups.size();
    const ElementType type = ElementType(random() % NumElementTypes);
    ReduceOp op = ReduceOp::Sum;
    do
      op = ReduceOp(random() % unsigned(ReduceOp::Merge));
    while (!isDefined(op, type));
    const uint64_t counts[] = {0, 1, 2, random() % 50, random() % 3000};
    Trial trial(kind, g, groups[g], op, type, counts[random() % 5],
                uint32_t(random() % groups[g].size()), random() % 3 == 0, random);
    runTrial(network, trial, groups[g], random);
  }
  for (uint32_t r = 0; r < shape.ranks; ++r)
    EXPECT_EQ(network.host(r).failure(), "");
  for (uint32_t g = 0; g < groups.size(); ++g)
    for (uint32_t rank : groups[g])
      network.host(rank).leave(g, network.now);
  network.run([] { return false; }, Second);
  for (uint32_t engine = 0; engine < shape.fabric->engines(); ++engine)
    EXPECT_EQ(network.collectives(engine).contexts(), 0u) << "engine " << engine;
  for (uint32_t r = 0; r < shape.ranks; ++r)
    network.host(r).close(network.now);
  network.run([] { return false; }, 5 * Second);
  for (uint32_t engine = 0; engine < shape.fabric->engines(); ++engine) {
    EXPECT_EQ(network.device(engine).jobs(), 0u) << "engine " << engine;
    EXPECT_EQ(network.device(engine).sessions(), 0u) << "engine " << engine;
  }
}

Cluster on(Form form, std::vector<uint32_t> sizes, uint32_t ranks = 1) {
  return Network::engines(fabric(form, std::move(sizes)), ranks);
}

TEST(Engines, TwoInARing) { soak(on(Form::Ring, {2}), 200, 1); }
TEST(Engines, RingOfFiveWithTwoRanksEach) { soak(on(Form::Ring, {5}, 2), 300, 2); }
TEST(Engines, Torus) { soak(on(Form::Torus, {3, 2}, 2), 300, 3); }
TEST(Engines, ThreeDirections) { soak(on(Form::Torus, {2, 3, 2}), 200, 4); }
TEST(Engines, Hypercube) { soak(on(Form::Hypercube, {8}), 300, 5); }
TEST(Engines, Tree) { soak(on(Form::Tree, {7, 2}, 1), 300, 6); }

Cluster by(Way way, Cluster cluster) {
  cluster.way = way;
  return cluster;
}
TEST(Engines, ByRing) { soak(by(Way::Ring, on(Form::Ring, {3}, 2)), 100, 12); }
TEST(Engines, ByTorus) { soak(by(Way::Torus, on(Form::Torus, {2, 3})), 100, 13); }
TEST(Engines, ByTree) { soak(by(Way::Tree, on(Form::Hypercube, {4}, 2)), 100, 14); }
TEST(Engines, ByHalving) { soak(by(Way::Halving, on(Form::Ring, {6})), 100, 15); }

Cluster faulty(Cluster shape, double rate, bool keys) {
  shape.faults = {rate, rate, rate, rate, rate, Millisecond, 11};
  shape.keys = keys;
  shape.config.packetBytes = 1000;
  shape.config.messageBytes = 16'384;
  return shape;
}

TEST(Engines, OnePercentFaults) { soak(faulty(on(Form::Hypercube, {4}), 0.01, true), 2000, 7); }
TEST(Engines, TenPercentFaultsRing) { soak(faulty(on(Form::Ring, {3}, 2), 0.1, false), 300, 8); }
TEST(Engines, TenPercentFaultsTorus) { soak(faulty(on(Form::Torus, {3, 2}), 0.1, true), 300, 9); }

/// Ranks of engines, in one communicator, that call Allreduce.
struct Job {
  explicit Job(const Cluster &cluster)
      : network(cluster), in(cluster.ranks, {1, 1, 1, 1}), out(in) {}
  void begin() {
    network.attach();
    network.add(0, iota(uint32_t(in.size())));
  }
  Request start(uint32_t rank, uint64_t count = 4, Kind kind = Kind::Allreduce) {
    Collective call;
    call.kind = kind;
    call.op = ReduceOp::Sum;
    call.type = ElementType::Int32;
    call.count = count;
    call.send = in[rank].data();
    call.recv = out[rank].data();
    Result<Request> request = network.host(rank).start(call, network.now);
    EXPECT_TRUE(request);
    return request ? *request : 0;
  }
  std::string failureOf(uint32_t rank, Time within = 10 * Second) {
    network.run([&] { return !network.host(rank).failure().empty(); }, within);
    return network.host(rank).failure();
  }

  Network network;
  std::vector<std::vector<int32_t>> in, out;
};

/// Allreduces of all ranks, one after the other.
struct Calls {
  explicit Calls(const Cluster &cluster, uint64_t count) : job(cluster), count(count) {
    for (auto *values : {&job.in, &job.out})
      for (auto &of : *values)
        of.assign(count, 1);
    job.begin();
  }
  void call(unsigned times) {
    for (unsigned i = 0; i < times; ++i) {
      for (uint32_t rank = 0; rank < job.in.size(); ++rank)
        job.start(rank, count);
      ASSERT_TRUE(job.network.run([&] {
        for (uint32_t rank = 0; rank < job.in.size(); ++rank)
          if (!job.network.host(rank).idle())
            return false;
        return true;
      }));
      EXPECT_EQ(job.out[0][count - 1], int32_t(job.in.size()));
    }
  }
  uint64_t repeated() {
    uint64_t all = 0;
    for (uint32_t engine = 0; engine < job.network.fabric()->engines(); ++engine)
      for (const auto &[name, value] : job.network.device(engine).statistics())
        all += name == "engine_messages_repeated" ? value : 0;
    return all;
  }

  Job job;
  uint64_t count;
};

/// Engines that are 10 ms from each other: at first what is confirmed after 20 ms is sent again,
/// and then nothing is.
TEST(EngineTiming, NobodyRepeatsWhatIsOnlySlow) {
  Calls calls(on(Form::Ring, {3}), 4);
  calls.call(5);
  EXPECT_EQ(calls.repeated(), 0u);
  calls.job.network.hop = 10 * Millisecond;
  calls.call(20);
  const uint64_t before = calls.repeated();
  EXPECT_GT(before, 0u);
  calls.call(50);
  EXPECT_EQ(calls.repeated(), before);
}

/// What is lost is waited for no longer than before others were; also of messages in many packets,
/// of which nearly all have lost one.
TEST(EngineTiming, LossesDoNotLengthenThemselves) {
  for (const uint64_t count : {4, 4000}) {
    Cluster shape = on(Form::Ring, {4});
    shape.faults.loss = 0.1;
    shape.config.packetBytes = 1000;
    shape.config.messageBytes = 16'384;
    Calls calls(shape, count);
    const Time before = calls.job.network.now;
    constexpr unsigned times = 200;
    calls.call(times);
    const Time each = (calls.job.network.now - before) / times;
    EXPECT_LT(each, (count == 4 ? 12 : 100) * Millisecond);
    EXPECT_GT(calls.repeated(), 0u);
  }
}

Cluster mortal(Cluster cluster) {
  cluster.config.deadAfter = 2 * Second;
  return cluster;
}

TEST(EngineFailure, WhoHasNotComeIsNamed) {
  Job job(on(Form::Hypercube, {4}, 2));
  job.begin();
  std::vector<Request> requests;
  for (uint32_t rank : {0, 1, 2, 3, 4, 6, 7})
    requests.push_back(job.start(rank));
  job.network.run([] { return false; }, Second);
  EXPECT_EQ(job.network.host(4).missing(requests[4]),
            "allreduce on context 0: rank 5 has not come");
  // Seen from the engine's partner in the schedule all of the engine is missing.
  EXPECT_EQ(job.network.host(6).missing(requests[5]),
            "allreduce on context 0: ranks 4, 5 have not come");
  job.start(5);
  EXPECT_TRUE(job.network.run([&] { return job.network.host(0).isDone(requests[0]); }));
  EXPECT_EQ(job.out[0][0], 8);
}

TEST(EngineFailure, EnginesThatAreMissingAreNamed) {
  for (const uint32_t missing : {0u, 2u}) {
    Job job(mortal(on(Form::Ring, {3})));
    job.network.stop(missing);
    const uint32_t other = 1;
    ASSERT_TRUE(job.network.run([&] {
      return job.network.host(other).state() == collective::ParentLink::State::Attached;
    }));
    ASSERT_TRUE(job.network.host(other).join(0, iota(3), job.network.now));
    EXPECT_EQ(job.failureOf(other),
              missing == 2 ? "engine 2 (e2, 10.2.0.2:9000) does not answer; start acisd there with "
                             "the same topology file"
                           : "engine 0 (e0, 10.2.0.0:9000): the switch does not answer");
  }
}

TEST(EngineFailure, DeadEnginesEndTheJobEverywhere) {
  for (const bool refuses : {false, true}) {
    Job job(mortal(on(Form::Ring, {4})));
    job.network.refuses = refuses;
    job.begin();
    job.network.stop(2);
    for (uint32_t rank : {0, 1, 3})
      job.start(rank);
    for (uint32_t rank : {0, 1, 3})
      EXPECT_EQ(job.failureOf(rank).substr(0, 36), "engine 2 (e2, 10.2.0.2:9000) is gone") << rank;
    job.network.run([] { return false; }, 10 * Second);
  }
}

TEST(EngineFailure, DeadRanksEndTheJobEverywhere) {
  Job job(mortal(on(Form::Torus, {2, 2}, 2)));
  job.begin();
  job.network.kill(7);
  for (uint32_t rank = 0; rank < 7; ++rank)
    job.start(rank);
  for (uint32_t rank = 0; rank < 7; ++rank)
    EXPECT_EQ(job.failureOf(rank).substr(0, 30), "rank 7 (10.1.0.7:9000) is gone");
  for (uint32_t rank = 0; rank < 7; ++rank)
    job.network.kill(rank);
  job.network.run([] { return false; }, 10 * Second);
  for (uint32_t engine = 0; engine < 4; ++engine) {
    EXPECT_EQ(job.network.device(engine).jobs(), 0u) << "engine " << engine;
    EXPECT_EQ(job.network.collectives(engine).contexts(), 0u) << "engine " << engine;
  }
}

TEST(EngineFailure, CallsThatDoNotMatch) {
  for (const uint64_t count : {3, 4}) {
    Job job(on(Form::Ring, {2}));
    job.begin();
    job.start(0);
    job.start(1, count, count == 3 ? Kind::Allreduce : Kind::Scan);
    for (uint32_t rank : {0, 1})
      EXPECT_EQ(job.failureOf(rank).substr(0, 45), "context 0: the ranks' calls do not match: " +
                                                       std::string(count == 3 ? "cou" : "col"));
  }
}

TEST(EngineFailure, WhoLeavesIsMissedByOthers) {
  for (const bool hasBegun : {false, true}) {
    Job job(on(Form::Ring, {2}));
    job.begin();
    if (hasBegun)
      job.start(0);
    job.network.run([] { return false; }, 10 * Millisecond);
    job.network.host(1).leave(0, job.network.now);
    job.network.run([] { return false; }, 10 * Millisecond);
    if (!hasBegun)
      job.start(0);
    const std::string failure = job.failureOf(0);
    EXPECT_NE(failure.find("do not match"), std::string::npos) << failure;
    EXPECT_NE(failure.find("left"), std::string::npos) << failure;
  }
}

// A restarted engine knows nothing of the job.
TEST(EngineFailure, RestartedEngines) {
  Job job(mortal(on(Form::Ring, {3})));
  job.begin();
  job.network.restart(1);
  for (uint32_t rank : {0, 2})
    job.start(rank);
  for (uint32_t rank : {0, 1, 2})
    EXPECT_NE(job.failureOf(rank), "");
}

// The ranks' topology file is not that of the switches.
TEST(EngineFailure, OtherTopologyFiles) {
  auto answer = [](Cluster cluster) {
    Network network(cluster);
    network.attach();
    EXPECT_TRUE(network.host(0).join(0, iota(cluster.ranks), network.now));
    network.run([&] { return network.host(0).joinAnswer(0).has_value(); }, Second);
    return network.host(0).joinAnswer(0).value_or("none");
  };
  Cluster trees = on(Form::Ring, {2});
  trees.fabric.reset(); // two switches without any above, whose ranks think that they are engines
  EXPECT_EQ(answer(trees), "the communicator is of engines of a direct network, and this switch is "
                           "none; its topology file names no network");
  Cluster wrong = on(Form::Ring, {2});
  wrong.parentOfSwitch = {1, SessionOptions::NoSwitch};
  wrong.leafOfRank = {0, 0};
  EXPECT_EQ(answer(wrong), "") << "all on one engine: no matter";
}

/// Nothing changes but a counter, whatever comes from wherever.
TEST(EngineSecurity, TransitThatIsNotOnItsWay) {
  Network network(on(Form::Ring, {5}));
  network.attach();
  network.add(0, iota(5));
  direct::Network known;
  known.fabric = *network.fabric();
  for (uint32_t engine = 0; engine < 5; ++engine)
    known.engines.push_back({"e" + std::to_string(engine), Network::switchAddress(engine), ""});
  const Tagger open(std::nullopt);
  const std::vector<uint8_t> inner(HeaderBytes);
  auto counters = [&] { return network.device(1).counters(); };
  auto inject = [&](Transit way, const Address &from) {
    network.inject(1, from, way.wrap(inner, open));
  };
  const uint32_t fabric = known.fingerprint();
  const auto strayed = counters().strayed;
  inject({7, fabric, 0, 2}, Network::switchAddress(0));
  EXPECT_EQ(counters().strayed, strayed);
  EXPECT_EQ(counters().handedOn, 1u);
  unsigned stray = 0;
  for (const auto &[way, from] : std::vector<std::pair<
           Transit, Address>>{{{7, fabric, 0, 2},
                               Network::switchAddress(2)}, // back to where it comes from
                              {{7, fabric, 0, 2}, Network::switchAddress(3)}, // of no neighbour
                              {{7, fabric, 0, 2}, Network::hostAddress(0)},   // of no engine
                              {{7, fabric, 0, 9}, Network::switchAddress(0)}, // to nobody
                              {{7, fabric, 9, 2}, Network::switchAddress(0)}, // of nobody
                              {{7, fabric, 1, 2}, Network::switchAddress(0)}, // of this one
                              {{7, fabric, 0, 4},
                               Network::switchAddress(0)}}) // goes the other way round
  {
    inject(way, from);
    EXPECT_EQ(counters().strayed, strayed + ++stray);
  }
  inject({7, fabric + 1, 0, 2}, Network::switchAddress(0));
  EXPECT_EQ(counters().otherNetwork, 1u);
  std::vector<uint8_t> damaged = Transit{7, fabric, 0, 2}.wrap(inner, open);
  const auto refused = counters().unauthenticated;
  for (size_t at = 3; at < Transit::Bytes; ++at) {
    damaged[at] ^= 1;
    network.inject(1, Network::switchAddress(0), damaged);
    damaged[at] ^= 1;
  }
  damaged.resize(Transit::Bytes - 1);
  network.inject(1, Network::switchAddress(0), damaged);
  EXPECT_EQ(counters().unauthenticated, refused + Transit::Bytes - 3 + 1);
  EXPECT_EQ(counters().handedOn, 1u);
}

// Of floating-point sums: each engine's ranks as at a switch, then engines as pairs of neighbours.
TEST(Engines, FloatSumsDoNotDependOnArrival) {
  std::vector<float> first;
  for (unsigned seed = 0; seed < 20; ++seed) {
    Cluster shape = on(Form::Ring, {4}, 2);
    shape.faults = {0.05, 0.05, 0.2, 0, 0.2, Millisecond, seed};
    Network network(shape);
    network.attach();
    network.add(0, iota(8));
    std::vector<std::vector<float>> in(8, std::vector<float>(100)), out = in;
    std::mt19937 random(5), shuffle(seed);
    for (auto &values : in)
      for (float &value : values)
        value = std::ldexp(float(random() % 1000), int(random() % 40) - 20);
    std::vector<uint32_t> order = iota(8);
    std::shuffle(order.begin(), order.end(), shuffle);
    for (uint32_t rank : order) {
      Collective call;
      call.kind = Kind::Allreduce;
      call.op = ReduceOp::Sum;
      call.type = ElementType::Float32;
      call.count = 100;
      call.send = in[rank].data();
      call.recv = out[rank].data();
      ASSERT_TRUE(network.host(rank).start(call, network.now));
      network.run([] { return false; }, 20 * Microsecond);
    }
    ASSERT_TRUE(network.run([&] {
      for (uint32_t rank = 0; rank < 8; ++rank)
        if (!network.host(rank).idle())
          return false;
      return true;
    }));
    if (seed == 0)
      for (size_t i = 0; i < 100; ++i)
        first.push_back(((in[0][i] + in[1][i]) + (in[2][i] + in[3][i])) +
                        ((in[4][i] + in[5][i]) + (in[6][i] + in[7][i])));
    for (const auto &values : out)
      EXPECT_EQ(values, first) << "seed " << seed;
  }
}

} // namespace
