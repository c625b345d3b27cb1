// Tasks: what a switch computes for a host after a collective, and gives to the next one in its
// name. Ranks that leave it to the switch, in places of their own, and ranks that call the two
// collectives one by one get bit for bit what all get that call them one by one, whatever the
// network does, whoever comes first, and whether the switch runs the op or not. What an op computes
// is tested with compiled ones: test/Mpi/fused.test.
#include "runtime/switch/collective/Task.h"
#include "runtime/io/Bytes.h"
#include "runtime/switch/core/Tasks.h"
#include "runtime/switch/core/test/SimNetwork.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace acis;
using namespace acis::sim;
using collective::TaskProgram;
using wire::Microsecond;
using wire::Second;

namespace {

using Bytes = std::vector<uint8_t>;
using Words = std::vector<int32_t>;

std::span<const uint8_t> bytesOf(const Words &words) {
  return {reinterpret_cast<const uint8_t *>(words.data()), 4 * words.size()};
}

/// What stands for a program: so many words, of all that it reads.
Words op(std::span<const uint8_t> result, uint32_t seed, size_t words) {
  uint32_t sum = seed;
  for (uint8_t byte : result)
    sum = sum * 31 + byte;
  Words out(words);
  for (size_t i = 0; i < words; ++i)
    out[i] = int32_t((sum + 7 * i) % 101);
  return out;
}

/// A task gives a seed and a number of words. Some it does not run, of some it gives a word more.
sw::TaskRun runOp(sw::JobId, uint32_t handle, std::span<const uint8_t> result,
                  std::span<const uint8_t> given) {
  if (given.size() < 8 || handle % 4 == 0)
    return {};
  Words out = op(result, io::load<uint32_t>(given.data()), io::load<uint32_t>(given.data() + 4));
  if (handle % 4 == 2)
    out.push_back(-3);
  const std::span<const uint8_t> bytes = bytesOf(out);
  return {Bytes(bytes.begin(), bytes.end())};
}

/// The same by an engine that takes up to 4 ms for it, far more than messages do, and at times
/// none.
sw::TaskRun runSlowOp(sw::JobId job, uint32_t handle, std::span<const uint8_t> result,
                      std::span<const uint8_t> given) {
  sw::TaskRun run = runOp(job, handle, result, given);
  run.takes = (result.size() + given.size()) % 5 * 1000 * Microsecond;
  return run;
}

/// One of the two collectives of a chain.
struct Step {
  Kind kind;
  uint32_t count, root; ///< words of a block

  bool hasResult(uint32_t rank) const {
    return (kind != Kind::Reduce && kind != Kind::Gather) || rank == root;
  }
  bool gives(uint32_t rank) const {
    return (kind != Kind::Bcast && kind != Kind::Scatter) || rank == root;
  }
  size_t sends(uint32_t ranks) const {
    const bool each =
        kind == Kind::Scatter || kind == Kind::Alltoall || kind == Kind::ReduceScatterBlock;
    return count * (each ? ranks : 1);
  }
  size_t results(uint32_t ranks) const {
    const bool all = kind == Kind::Gather || kind == Kind::Allgather || kind == Kind::Alltoall;
    return count * (all ? ranks : 1);
  }
  Collective call(uint32_t rank, const Words &send, Words &recv) const {
    Collective call;
    call.kind = kind;
    call.context = 1;
    call.op = ReduceOp::Sum;
    call.type = ElementType::Int32;
    call.count = count;
    call.root = root;
    call.send = gives(rank) ? send.data() : nullptr;
    call.recv = hasResult(rank) ? recv.data() : nullptr;
    if (kind == Kind::Bcast && rank == root)
      call.recv = nullptr;
    return call;
  }
};

enum class Way : uint8_t {
  Plain, ///< two collectives
  Task,  ///< and waits
  Ahead, ///< a task, and goes on to what follows
};

struct Chain {
  Step first, second;
  bool isSemi = false;  ///< no second
  bool inPlace = false; ///< the op's words are where the second one's result will be (Allreduce)
  uint32_t seed = 0, program = 1, moreOutput = 0;
  Bytes filler; ///< of what the op reads: of a few contents, as in calls in turn
  std::vector<Words> send, recv, out, last;
  unsigned ranHere = 0;

  Chain(Step first, Step second, uint32_t ranks, std::mt19937 &random)
      : first(first), second(second), send(ranks), recv(ranks), out(ranks), last(ranks) {
    isSemi = random() % 4 == 0;
    inPlace = !isSemi && second.kind == Kind::Allreduce && random() % 2;
    seed = uint32_t(random());
    program = uint32_t(1 + random() % 9);
    moreOutput = uint32_t(random() % 8 ? random() % 3 : random() % 4000);
    static const std::vector<Bytes> fillers = {
        {}, Bytes(100, 3), Bytes(100, 4), Bytes(3000, 5), Bytes(12'000, 6)};
    filler = fillers[random() % fillers.size()];
    for (uint32_t r = 0; r < ranks; ++r) {
      send[r].resize(first.sends(ranks));
      for (int32_t &word : send[r])
        word = int32_t(random() % 1000);
      recv[r].assign(first.results(ranks), -1);
      last[r].assign(std::max(second.results(ranks), inPlace ? opWords(ranks) : 0), -1);
      out[r].assign(opWords(ranks), -1);
    }
  }
  size_t opWords(size_t ranks) const { return second.sends(uint32_t(ranks)) + moreOutput; }
  Words &target(uint32_t rank) { return inPlace ? last[rank] : out[rank]; }
  std::span<const uint8_t> value(uint32_t rank) const {
    if (first.kind == Kind::Bcast && rank == first.root)
      return bytesOf(send[rank]);
    return first.hasResult(rank) ? bytesOf(recv[rank]) : std::span<const uint8_t>();
  }
  void takeOp(uint32_t rank, const Words &words) {
    std::copy(words.begin(), words.end(), target(rank).begin());
  }
  void compute(uint32_t rank) { takeOp(rank, op(value(rank), seed + rank, opWords(send.size()))); }
  Collective secondCall(uint32_t rank) {
    Collective call = second.call(rank, out[rank], last[rank]);
    if (inPlace)
      call.send = nullptr;
    return call;
  }
  bool operator==(const Chain &other) const {
    return recv == other.recv && out == other.out && last == other.last;
  }
};

class Program {
public:
  Program(Network &network, std::deque<Chain> &chains, std::vector<std::vector<Way>> ways,
          unsigned seed)
      : network(network), chains(chains), ways(std::move(ways)), at(this->ways.size()),
        random(seed) {}
  void delay(uint32_t rank, wire::Time until) { at[rank].until = until; }
  unsigned declined = 0;

  bool run() {
    return network.run(
        [&] {
          bool over = true;
          for (uint32_t r = 0; r < at.size(); ++r) {
            while (step(r)) {
            }
            over = over && at[r].chain == chains.size() && isIdle(r);
          }
          return over;
        },
        300 * Second);
  }

private:
  enum class Stage : uint8_t { Begin, First, Second };
  struct Place {
    size_t chain = 0;
    Stage stage = Stage::Begin;
    wire::Time until = 0;
    Request request = 0;
    std::vector<Request> ahead;
  };

  bool isIdle(uint32_t r) {
    return std::all_of(at[r].ahead.begin(), at[r].ahead.end(),
                       [&](Request request) { return network.host(r).isDone(request); });
  }
  void next(Place &place) {
    ++place.chain;
    place.stage = Stage::Begin;
    if (random() % 4 == 0)
      place.until = network.now + random() % 300 * Microsecond;
  }
  std::optional<Request> start(uint32_t r, const Collective &call) {
    Result<Request> request = network.host(r).start(call, network.now);
    return request ? std::optional(*request) : std::nullopt;
  }
  std::optional<Request> startTask(uint32_t r, Chain &chain) {
    Collective call = chain.first.call(r, chain.send[r], chain.recv[r]);
    const Collective second = chain.secondCall(r);
    SwitchTask task;
    task.program = chain.program;
    io::Writer writer;
    writer.put(chain.seed + r).put(uint32_t(chain.opWords(at.size())));
    const Bytes given = writer.take();
    task.given = {{given}, {chain.filler, /*isPadded=*/chain.seed % 2 == 0}};
    task.outputBytes = uint32_t(4 * chain.opWords(at.size()));
    task.next = chain.isSemi ? nullptr : &second;
    task.ran = [&chain, r](std::span<const uint8_t> output) {
      Words words(output.size() / 4);
      std::memcpy(words.data(), output.data(), output.size());
      chain.takeOp(r, words);
    };
    task.run = [&chain, r] {
      ++chain.ranHere;
      chain.compute(r);
    };
    call.task = &task;
    (void)network.host(r).weigh(call); // by which it knows what stays the same
    return start(r, call);
  }

  /// False: the rank waits, or is at the end.
  bool step(uint32_t r) {
    Place &place = at[r];
    if (place.chain == chains.size() || network.now < place.until ||
        !network.host(r).failure().empty())
      return false;
    Chain &chain = chains[place.chain];
    const Way way = ways[r][place.chain];
    if (place.stage == Stage::Begin && way != Way::Plain &&
        (chain.first.hasResult(r) || chain.first.kind == Kind::Bcast)) {
      if (std::optional<Request> task = startTask(r, chain)) {
        place.request = *task;
        place.ahead.push_back(*task);
        if (way == Way::Ahead)
          next(place);
        else
          place.stage = Stage::Second;
        return true;
      }
      ++declined;
    }
    if (place.stage == Stage::Begin) {
      place.request = *start(r, chain.first.call(r, chain.send[r], chain.recv[r]));
      place.stage = Stage::First;
      return true;
    }
    if (!network.host(r).isDone(place.request))
      return false;
    if (place.stage == Stage::First) {
      chain.compute(r);
      if (!chain.isSemi)
        place.request = *start(r, chain.secondCall(r));
      place.stage = Stage::Second;
      return true;
    }
    next(place);
    return true;
  }

  Network &network;
  std::deque<Chain> &chains;
  std::vector<std::vector<Way>> ways;
  std::vector<Place> at;
  std::mt19937 random;
};

std::vector<uint32_t> world(uint32_t n) {
  std::vector<uint32_t> out(n);
  std::iota(out.begin(), out.end(), 0);
  return out;
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
  shape.runTask = runOp;
  return shape;
}

constexpr Kind kinds[] = {Kind::Allreduce, Kind::Reduce,  Kind::Scan,   Kind::ReduceScatterBlock,
                          Kind::Bcast,     Kind::Scatter, Kind::Gather, Kind::Allgather,
                          Kind::Alltoall};

std::deque<Chain> drawChains(uint32_t ranks, unsigned count, unsigned seed) {
  std::mt19937 random(seed);
  std::deque<Chain> chains;
  for (unsigned i = 0; i < count; ++i) {
    auto step = [&](Kind kind) {
      // Those of several thousand words are several messages: no task.
      const uint32_t sizes[] = {1, uint32_t(1 + random() % 30), uint32_t(1 + random() % 500),
                                uint32_t(random() % 8 ? 3 : 5000 + random() % 5000)};
      return Step{kind, sizes[random() % 4], uint32_t(random() % ranks)};
    };
    const Step first = step(kinds[i % std::size(kinds)]);
    chains.emplace_back(first, step(kinds[random() % std::size(kinds)]), ranks, random);
  }
  return chains;
}

/// What all get that call plainly, where nothing is lost.
std::deque<Chain> reference(const Cluster &shape, std::deque<Chain> chains) {
  Cluster plain = shape;
  plain.faults = {};
  plain.config = {};
  Network network(plain);
  network.attach();
  network.add(1, world(shape.ranks));
  Program program(network, chains, std::vector(shape.ranks, std::vector(chains.size(), Way::Plain)),
                  1);
  EXPECT_TRUE(program.run());
  return chains;
}

uint64_t statistic(Network &network, uint32_t id, std::string_view name) {
  sw::Statistics all;
  network.collectives(id).statistics(all);
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const auto &item) { return item.first == name; });
  return at == all.end() ? ~uint64_t(0) : at->second;
}

/// Random chains; in a third of them all ranks are of one mind.
void soak(const Cluster &shape, unsigned count, unsigned seed) {
  std::deque<Chain> chains = drawChains(shape.ranks, count, seed);
  const std::deque<Chain> want = reference(shape, chains);
  Network network(shape);
  network.attach();
  network.add(1, world(shape.ranks));
  std::mt19937 random(seed);
  std::vector<std::vector<Way>> ways(shape.ranks, std::vector<Way>(count, Way::Task));
  for (unsigned i = 0; i < count; ++i)
    if (const bool alike = random() % 3 == 0; !alike)
      for (std::vector<Way> &of : ways)
        of[i] = Way(random() % 3);
  Program program(network, chains, ways, seed);
  const bool isOver = program.run();
  for (uint32_t r = 0; r < shape.ranks; ++r)
    ASSERT_EQ(network.host(r).failure(), "");
  ASSERT_TRUE(isOver) << "seed " << seed;
  for (unsigned i = 0; i < count; ++i)
    ASSERT_TRUE(chains[i] == want[i])
        << "seed " << seed << " chain " << i << ": " << nameOf(chains[i].first.kind) << " x "
        << chains[i].first.count << ", " << nameOf(chains[i].second.kind) << " x "
        << chains[i].second.count;
  const unsigned ranHere =
      std::accumulate(chains.begin(), chains.end(), 0u,
                      [](unsigned sum, const Chain &c) { return sum + c.ranHere; });
  EXPECT_GT(ranHere, 0u);
  EXPECT_LT(program.declined, count * shape.ranks / 2);
}

TEST(Task, RandomChains) {
  for (unsigned seed = 1; seed <= 6 && !testing::Test::HasFailure(); ++seed)
    soak(cluster(4, {}, 0), 120, seed);
}
TEST(Task, RandomChainsOverASpine) {
  for (unsigned seed = 1; seed <= 6 && !testing::Test::HasFailure(); ++seed)
    soak(cluster(5, {0, 0, 1, 1, 1}, 0), 120, seed);
}
TEST(Task, RandomChainsOfRanksInTurns) {
  for (unsigned seed = 1; seed <= 3 && !testing::Test::HasFailure(); ++seed)
    soak(cluster(4, {0, 1, 0, 1}, 0), 120, seed);
}
TEST(Task, OnALossyNetwork) {
  for (unsigned seed = 1; seed <= 3 && !testing::Test::HasFailure(); ++seed) {
    soak(cluster(4, {}, 0.01), 100, seed);
    soak(cluster(3, {}, 0.1), 60, seed);
  }
}
TEST(Task, OnALossyTree) {
  for (unsigned seed = 1; seed <= 3 && !testing::Test::HasFailure(); ++seed) {
    soak(cluster(5, {0, 0, 1, 1, 1}, 0.01), 100, seed);
    soak(cluster(4, {0, 0, 1, 1}, 0.1), 60, seed);
  }
}
TEST(Task, WithFewSlotsAndSmallPackets) {
  for (unsigned seed = 1; seed <= 3 && !testing::Test::HasFailure(); ++seed)
    for (std::vector<uint16_t> leaves : {std::vector<uint16_t>{}, {0, 0, 1, 1}}) {
      Cluster shape = cluster(4, leaves, 0.02);
      shape.config.slots = 3;
      shape.config.packetBytes = 256;
      shape.config.messageBytes = 16'000;
      shape.runTask = seed == 3 ? runSlowOp : runOp;
      soak(shape, 60, seed);
    }
}
/// What is kept goes, of one job and another time, as its memory is wanted.
TEST(Task, WithLittleMemoryForWhatIsKept) {
  for (unsigned seed = 1; seed <= 3 && !testing::Test::HasFailure(); ++seed)
    for (uint64_t most : {0, 4000, 14'000}) {
      Cluster shape = cluster(4, {0, 0, 1, 1}, 0.02);
      shape.config.maxKeptBytes = most;
      soak(shape, 60, seed);
    }
}
TEST(Task, OnAnEngineThatTakesTime) {
  for (unsigned seed = 1; seed <= 3 && !testing::Test::HasFailure(); ++seed)
    for (double faults : {0.0, 0.03})
      for (std::vector<uint16_t> leaves : {std::vector<uint16_t>{}, {0, 0, 1, 1}}) {
        Cluster shape = cluster(4, leaves, faults);
        shape.runTask = runSlowOp;
        soak(shape, 60, seed);
      }
}

/// Four ranks leave the same op of 1 ms to one switch: it does one after the other, and nobody has
/// an answer before its own is done.
TEST(Task, TakeTurnsOnOneEngine) {
  Cluster shape = cluster(4, {}, 0);
  shape.runTask = [](sw::JobId job, uint32_t handle, auto result, auto given) {
    sw::TaskRun run = runOp(job, handle, result, given);
    run.takes = 1000 * Microsecond;
    run.cycles = 250'000;
    return run;
  };
  std::mt19937 random(3);
  std::deque<Chain> chains;
  chains.emplace_back(Step{Kind::Allreduce, 8, 0}, Step{Kind::Allreduce, 8, 0}, 4, random);
  chains.front().isSemi = true;
  chains.front().program = 1;
  Network network(shape);
  network.attach();
  network.add(1, world(4));
  const wire::Time begin = network.now;
  Program program(network, chains, std::vector(4, std::vector<Way>(1, Way::Task)), 1);
  ASSERT_TRUE(program.run());
  EXPECT_EQ(chains.front().ranHere, 0u);
  EXPECT_GE(network.now - begin, 4000 * Microsecond);
  EXPECT_LT(network.now - begin, 4500 * Microsecond);
  for (uint32_t r = 0; r < 4; ++r) {
    SessionCounters count;
    network.host(r).count(count);
    EXPECT_EQ(count.opCycles, 250'000u) << r;
  }
}

/// One chain in which the ranks of `plain` call plainly, and all come in `order`.
void inOrder(const std::vector<uint16_t> &leaves, Kind first, Kind second, unsigned plain,
             const std::vector<uint32_t> &order) {
  const Cluster shape = cluster(4, leaves, 0);
  std::mt19937 random(plain);
  std::deque<Chain> chains;
  chains.emplace_back(Step{first, 30, 1}, Step{second, 5, 2}, 4, random);
  chains.front().isSemi = false;
  const std::deque<Chain> want = reference(shape, chains);
  Network network(shape);
  network.attach();
  network.add(1, world(4));
  std::vector<std::vector<Way>> ways(4);
  for (unsigned r = 0; r < 4; ++r)
    ways[r] = {plain >> r & 1 ? Way::Plain : Way::Task};
  Program program(network, chains, ways, 1);
  for (size_t i = 0; i < order.size(); ++i)
    program.delay(order[i], network.now + i * 100 * Microsecond);
  ASSERT_TRUE(program.run()) << network.host(0).failure();
  EXPECT_TRUE(chains == want);
}

TEST(Task, AllOrdersOfArrival) {
  for (std::vector<uint16_t> leaves : {std::vector<uint16_t>{}, {0, 0, 1, 1}})
    for (Kind first : {Kind::Allreduce, Kind::Bcast, Kind::Scatter})
      for (Kind second : {Kind::Reduce, Kind::Bcast})
        for (unsigned plain = 0; plain < 16; ++plain) {
          std::vector<uint32_t> order = world(4);
          do {
            inOrder(leaves, first, second, plain, order);
            if (testing::Test::HasFailure())
              FAIL() << nameOf(first) << " " << nameOf(second) << " plain " << plain << " order "
                     << order[0] << order[1] << order[2] << order[3]
                     << (leaves.empty() ? "" : " on two leaves");
          } while (std::next_permutation(order.begin(), order.end()));
        }
}

/// Nobody waits for a timer where nothing is lost, and both collectives together take no more
/// packets than called plainly.
TEST(Task, TakesNoTimeoutAndNoMorePackets) {
  uint64_t packets[2] = {};
  for (Way way : {Way::Plain, Way::Task}) {
    const Cluster shape = cluster(4, {0, 0, 1, 1}, 0);
    Network network(shape);
    network.attach();
    network.add(1, world(4));
    std::mt19937 random(1);
    std::deque<Chain> chains;
    chains.emplace_back(Step{Kind::Allreduce, 30, 0}, Step{Kind::Allreduce, 30, 0}, 4, random);
    chains.front().isSemi = false;
    chains.front().program = 1;
    Program program(network, chains, std::vector(4, std::vector{way}), 1);
    const wire::Time begin = network.now;
    const uint64_t before = network.datagrams;
    ASSERT_TRUE(program.run());
    EXPECT_LT(network.now - begin, 500 * Microsecond);
    EXPECT_EQ(chains.front().ranHere, 0u);
    packets[way == Way::Task] = network.datagrams - before;
  }
  EXPECT_LE(packets[1], packets[0]);
}

/// What goes up from a leaf does not depend on how many ranks it has, nor on what their tasks read.
TEST(Task, TheTrafficAboveTheLeavesIsThatOfTheCollectives) {
  uint64_t bytes[2] = {};
  for (uint32_t ranks : {4u, 12u}) {
    std::vector<uint16_t> leaves(ranks);
    for (uint32_t r = 0; r < ranks; ++r)
      leaves[r] = uint16_t(2 * r / ranks);
    Network network(cluster(ranks, leaves, 0));
    network.attach();
    network.add(1, world(ranks));
    std::mt19937 random(1);
    std::deque<Chain> chains;
    for (unsigned i = 0; i < 10; ++i) {
      chains.emplace_back(Step{Kind::Allreduce, 30, 0}, Step{Kind::Allreduce, 20, 0}, ranks,
                          random);
      chains.back().isSemi = false;
      chains.back().program = 1;
    }
    uint64_t &sum = bytes[ranks > 4];
    network.tap = [&](const wire::Address &from, const wire::Address &to, auto datagram) {
      if (to == Network::switchAddress(2))
        sum += datagram.size();
    };
    Program program(network, chains, std::vector(ranks, std::vector(10, Way::Task)), 1);
    ASSERT_TRUE(program.run());
    EXPECT_EQ(statistic(network, 2, "tasks_run"), 0u);
  }
  EXPECT_EQ(bytes[0], bytes[1]);
}

/// The same chain `calls` times, of which what the op reads is `given` in each.
std::deque<Chain> sameChain(size_t calls, const std::vector<Bytes> &given) {
  std::mt19937 random(1);
  std::deque<Chain> chains;
  for (size_t i = 0; i < calls; ++i) {
    chains.emplace_back(Step{Kind::Allreduce, 30, 0}, Step{Kind::Allreduce, 20, 0}, 4, random);
    chains.back().isSemi = chains.back().inPlace = false;
    chains.back().program = 1;
    chains.back().moreOutput = 0;
    for (uint32_t r = 0; r < 4; ++r)
      chains.back().out[r].assign(chains.back().opWords(4), -1);
    chains.back().filler = given[i % given.size()];
  }
  return chains;
}

struct Ran {
  std::vector<uint64_t> bytes; ///< that hosts sent, in each call
  uint64_t kept = 0, used = 0, missing = 0, left = 0;
  unsigned byHosts = 0;
};
/// `between` is called before each.
Ran runInTurn(Network &network, std::deque<Chain> chains,
              const std::function<void(size_t)> &between = {}) {
  Ran ran;
  for (size_t i = 0; i < chains.size(); ++i) {
    if (between)
      between(i);
    std::deque<Chain> one = {chains[i]};
    const std::deque<Chain> want = reference(cluster(4, {}, 0), one);
    uint64_t sum = 0;
    network.tap = [&](const wire::Address &from, const wire::Address &to, auto datagram) {
      sum += to == Network::switchAddress(0) ? datagram.size() : 0;
    };
    Program program(network, one, std::vector(4, std::vector{Way::Task}), 1);
    EXPECT_TRUE(program.run()) << i << network.host(0).failure();
    EXPECT_TRUE(one == want) << i;
    network.tap = {};
    ran.bytes.push_back(sum);
    ran.byHosts += one.front().ranHere;
  }
  ran.kept = statistic(network, 0, "task_parts_kept");
  ran.used = statistic(network, 0, "task_parts_used");
  ran.missing = statistic(network, 0, "task_parts_missing");
  ran.left = network.collectives(0).keptBytes(7);
  return ran;
}

/// From the third call on: not in the second, as it could be another one each time.
TEST(Task, WhatDoesNotChangeIsSentOnceMore) {
  Network network(cluster(4, {}, 0));
  network.attach();
  network.add(1, world(4));
  const Ran ran = runInTurn(network, sameChain(8, {Bytes(5000, 3)}));
  EXPECT_EQ(ran.kept, 4u);
  EXPECT_EQ(ran.used, 4u * 6);
  EXPECT_EQ(ran.missing + ran.byHosts, 0u);
  for (size_t i = 0; i < 8; ++i)
    EXPECT_EQ(ran.bytes[i] > 20'000, i < 2) << i << ": " << ran.bytes[i];
  EXPECT_LT(ran.bytes.back(), 1500u);
  network.host(2).close(network.now);
  network.run([] { return false; }, Second);
  EXPECT_EQ(network.collectives(0).keptBytes(7), ran.left / 4 * 3);
}
TEST(Task, WhatChangesIsNotKept) {
  Network network(cluster(4, {}, 0));
  network.attach();
  network.add(1, world(4));
  const Ran ran = runInTurn(network, sameChain(8, {Bytes(5000, 3), Bytes(5000, 4)}));
  EXPECT_EQ(ran.kept + ran.used + ran.missing + ran.byHosts, 0u);
}
/// One that the switch has lost: the hosts run one op, and go on as before, only later.
TEST(Task, WhatASwitchHasLostIsGivenAgain) {
  Cluster shape = cluster(4, {}, 0);
  shape.config.maxKeptBytes = 30'000; // of 4 x 5,128
  Network network(shape);
  network.attach();
  network.add(1, world(4));
  const std::deque<Chain> chains = sameChain(12, {Bytes(5000, 3)});
  std::deque<Chain> others = sameChain(4, {Bytes(7000, 4)});
  for (Chain &chain : others)
    chain.program = 5;
  const Ran ran = runInTurn(network, chains, [&](size_t i) {
    if (i == 5)
      runInTurn(network, others);
  });
  EXPECT_EQ(ran.missing, 4u);
  EXPECT_EQ(ran.byHosts, 4u);
  EXPECT_LT(ran.bytes.back(), 1500u);
  EXPECT_LE(ran.left, 30'000u);
}
/// Without memory for what is kept the op is run with what is given: it does not fail each time.
TEST(Task, ASwitchThatKeepsNothingIsGivenLessOften) {
  Cluster shape = cluster(4, {}, 0);
  shape.config.maxKeptBytes = 0;
  Network network(shape);
  network.attach();
  network.add(1, world(4));
  const Ran ran = runInTurn(network, sameChain(40, {Bytes(5000, 3)}));
  EXPECT_EQ(ran.kept + ran.used, 0u);
  EXPECT_LE(ran.byHosts, 4u * 6);
}
/// Messages come before what is kept.
TEST(Task, MemoryForMessagesComesFirst) {
  unsigned byHosts[2] = {};
  for (bool keeps : {false, true}) {
    Cluster shape = cluster(4, {}, 0);
    shape.config.slots = 6;
    shape.config.maxJobBytes = 2'000'000;
    shape.config.maxKeptBytes = keeps ? 1'900'000 : 0;
    Network network(shape);
    network.attach();
    network.add(1, world(4));
    std::deque<Chain> chains = sameChain(60, {Bytes(30'000, 3)});
    for (size_t i = 0; i < chains.size(); ++i)
      chains[i].program = uint32_t(4 * (i / 6) + 1);
    const Ran ran = runInTurn(network, chains);
    byHosts[keeps] = ran.byHosts;
    EXPECT_EQ(ran.kept > 8, keeps);
    EXPECT_EQ(statistic(network, 0, "task_parts_forgotten") > 0, keeps);
  }
  EXPECT_LE(byHosts[1], byHosts[0] + 60);
}

/// Whether a call whose op reads `given` is worth more than `most` bytes.
bool isWorthIt(client::TaskMemory &memory, const Bytes &given, int64_t most) {
  const std::vector<SwitchTask::Piece> pieces = {{given}};
  if (!memory.weigh(1, pieces, most))
    return false;
  std::vector<uint8_t> out;
  memory.settle(memory.give(1, pieces, out), /*isDone=*/true);
  return true;
}
TEST(Task, IsLeftToTheSwitchWhereItCostsLittle) {
  client::TaskMemory memory;
  const Bytes small(80, 1);
  EXPECT_TRUE(isWorthIt(memory, small, 100));
  for (uint8_t i = 0; i < 10; ++i) // never the same
    EXPECT_FALSE(isWorthIt(memory, Bytes(1000, i), 100));
  // 88 bytes of 100 are saved in each call: after 12 of them it pays to have the 1,000 kept.
  const Bytes same(1000, 77);
  for (unsigned i = 0; i < 30; ++i)
    EXPECT_EQ(isWorthIt(memory, same, 100), i >= 12) << i;
}
/// What changes now and then: never more is spent on having it kept than was saved before.
TEST(Task, WhatChangesNowAndThenIsGivenAsItPays) {
  for (unsigned calls : {2u, 12u, 14u, 50u}) {
    client::TaskMemory memory;
    unsigned times = 0;
    for (unsigned i = 0; i < 20 * calls; ++i)
      times += isWorthIt(memory, Bytes(1000, uint8_t(i / calls)), 100);
    EXPECT_EQ(times, 20 * (calls > 12 ? calls - 12 : 0)) << calls;
  }
}
TEST(Task, PartsAreReadAsTheyWereWritten) {
  const Bytes some(70, 5);
  std::vector<collective::TaskPart> parts(3);
  parts[0] = {3, false, std::span(some), 70};
  parts[1] = {4, true, std::nullopt, 130};
  parts[2] = {0, true, std::span(some).first(0), 0};
  Bytes good;
  collective::writeParts(parts, good);
  const auto read = collective::readParts(good, 70 + 192);
  ASSERT_TRUE(read);
  Bytes again;
  collective::writeParts(*read, again);
  EXPECT_EQ(again, good);
  EXPECT_FALSE(collective::readParts(good, 70 + 191));
  for (size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(collective::readParts(std::span(good).first(size), 1000));
  Bytes longer = good;
  longer.push_back(0);
  EXPECT_FALSE(collective::readParts(longer, 1000));
  Bytes unnamed = good;
  unnamed[12] = 0; // what is not here needs a number
  EXPECT_FALSE(collective::readParts(unnamed, 1000));
}

/// The hosts of a leaf give it a program once, together; another use gives nothing.
TEST(Task, AProgramIsUploadedOnce) {
  for (double faults : {0.0, 0.05}) {
    Network network(cluster(4, {}, faults));
    network.attach();
    const Bytes elf = TaskProgram{40, 64, 28, Bytes(20'000, 7)}.write();
    const uint64_t hash = wire::operatorHash(elf, "");
    uint64_t bytes = 0;
    network.tap = [&](const wire::Address &from, const wire::Address &to, auto datagram) {
      if (to == Network::switchAddress(0) && datagram[2] == uint8_t(wire::PacketType::Blob))
        bytes += datagram.size();
    };
    for (uint32_t r = 0; r < 4; ++r)
      network.host(r).upload(elf, "", hash, network.now);
    ASSERT_TRUE(network.run([&] {
      for (uint32_t r = 0; r < 4; ++r)
        if (!network.host(r).uploadAnswer())
          return false;
      return true;
    }));
    for (uint32_t r = 0; r < 4; ++r) // it came as it was given, and is refused for what it is
      EXPECT_NE(network.host(r).uploadAnswer()->refusal.find("no overlay"), std::string::npos);
    if (faults == 0)
      EXPECT_LT(bytes, elf.size() * 5 / 4);
    bytes = 0;
    network.host(2).upload(elf, "", hash, network.now);
    ASSERT_TRUE(network.run([&] { return network.host(2).uploadAnswer().has_value(); }));
    EXPECT_LT(bytes, faults == 0 ? 400u : 2000u);
  }
}

/// Collectives that differ are the program's error, whoever makes them.
TEST(Task, CollectivesThatDiffer) {
  for (bool isSecond : {false, true}) {
    Network network(cluster(4, {0, 0, 1, 1}, 0));
    network.attach();
    network.add(1, world(4));
    std::mt19937 random(1);
    std::deque<Chain> one, other;
    one.emplace_back(Step{Kind::Allreduce, 9, 0}, Step{Kind::Allreduce, 5, 0}, 4, random);
    other.emplace_back(Step{Kind::Allreduce, isSecond ? 9u : 8u, 0},
                       Step{Kind::Allreduce, isSecond ? 6u : 5u, 0}, 4, random);
    for (Chain *chain : {&one.front(), &other.front()}) {
      chain->isSemi = false;
      chain->program = 1;
    }
    Program left(network, one, std::vector(4, std::vector{Way::Task}), 1);
    Program right(network, other, std::vector(4, std::vector{Way::Plain}), 1);
    for (uint32_t r = 0; r < 4; ++r)
      (r < 2 ? right : left).delay(r, wire::Never);
    network.run([&] { return left.run() || right.run() || !network.host(0).failure().empty(); });
    for (uint32_t r = 0; r < 4; ++r)
      EXPECT_NE(network.host(r).failure().find("do not match: counts"), std::string::npos)
          << network.host(r).failure();
  }
}

TEST(Task, MoreThanOneMessageIsRefusedByTheHost) {
  Network network(cluster(2, {}, 0));
  network.attach();
  network.add(1, world(2));
  Words words(100'000);
  Collective call;
  call.kind = Kind::Allreduce;
  call.context = 1;
  call.op = ReduceOp::Sum;
  call.type = ElementType::Int32;
  call.count = 4096;
  call.send = words.data();
  call.recv = words.data();
  SwitchTask task;
  task.program = 1;
  call.task = &task;
  call.count = words.size();
  Result<Request> started = network.host(0).start(call, network.now);
  ASSERT_FALSE(started);
  EXPECT_NE(started.error().str().find("not one message"), std::string::npos)
      << started.error().str();
  call.count = 1;
  const Bytes large(10 << 20);
  task.given = {{large}};
  started = network.host(0).start(call, network.now);
  ASSERT_FALSE(started);
  EXPECT_NE(started.error().str().find("does not fit a message"), std::string::npos);
}

TEST(Task, ProgramsAreReadAsTheyWereWritten) {
  const TaskProgram program{40, 64, 28, {1, 2, 3}};
  const Bytes good = program.write();
  Result<TaskProgram> read = TaskProgram::read(good);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->write(), good);
  for (size_t size = 0; size < good.size() - 3; ++size)
    EXPECT_FALSE(TaskProgram::read(std::span(good).first(size)));
  Bytes version = good;
  version[4] = 9;
  EXPECT_FALSE(TaskProgram::read(version));
  for (size_t field : {8, 12, 16}) {
    Bytes large = good;
    large[field + 3] = 1;
    EXPECT_FALSE(TaskProgram::read(large));
  }
}

TEST(Task, StepsThatDoNotExistAreRefused) {
  collective::NextStep step;
  step.present = true;
  Bytes good(collective::NextStep::Bytes);
  step.write(good);
  EXPECT_TRUE(collective::NextStep::read(good));
  EXPECT_FALSE(collective::NextStep::read(std::span(good).first(15)));
  for (size_t at : {0, 12, 13, 14, 15}) {
    Bytes bad = good;
    bad[at] = 200;
    EXPECT_FALSE(collective::NextStep::read(bad)) << at;
  }
  Bytes user = good;
  user[13] = uint8_t(ReduceOp::User);
  EXPECT_FALSE(collective::NextStep::read(user));
}

TEST(Task, ASwitchWithoutOverlayRunsNothing) {
  sw::Tasks none(sw::EngineChoice{});
  const Bytes bytes = TaskProgram{40, 64, 28, {1, 2, 3}}.write();
  Status status = none.load(1, wire::operatorHash(bytes, ""), bytes, "");
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().str().find("no overlay"), std::string::npos);
  EXPECT_FALSE(none.run(1, 5, {}, {}).output);
  EXPECT_EQ(none.counters().notRun, 1u);
}

/// A rank that dies after it has given its task: the others hear of it.
TEST(Task, ARankThatDiesInTheMiddle) {
  for (uint32_t dies : {0u, 3u})
    for (std::vector<uint16_t> leaves : {std::vector<uint16_t>{}, {0, 0, 1, 1}}) {
      Cluster shape = cluster(4, leaves, 0);
      shape.config.deadAfter = Second;
      Network network(shape);
      network.attach();
      network.add(1, world(4));
      std::deque<Chain> chains = drawChains(4, 60, 3);
      Program program(network, chains, std::vector(4, std::vector(60, Way::Task)), 1);
      network.run([] { return false; }, 20 * Microsecond);
      program.delay(dies, network.now + 500 * Microsecond);
      network.kill(dies);
      EXPECT_FALSE(program.run());
      for (uint32_t r = 0; r < 4; ++r)
        if (r != dies)
          EXPECT_NE(network.host(r).failure().find("rank " + std::to_string(dies)),
                    std::string::npos)
              << network.host(r).failure();
    }
}

} // namespace
