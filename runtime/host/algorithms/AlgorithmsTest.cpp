// Every host-side algorithm on groups of 1 to 13 members, each a thread, over a network in
// memory: results, order of folds, neighbours and bytes.
#include "runtime/host/algorithms/Run.h"
#include "runtime/host/algorithms/Volume.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

using namespace acis;
using namespace acis::algorithms;

namespace {

/// Messages that were sent and not received, by sender and receiver.
class Network {
public:
  void send(uint32_t from, uint32_t to, std::span<const uint8_t> bytes) {
    std::lock_guard guard(lock);
    boxes[{from, to}].emplace_back(bytes.begin(), bytes.end());
    arrived.notify_all();
  }
  Status receive(uint32_t from, uint32_t to, std::span<uint8_t> into) {
    std::unique_lock guard(lock);
    auto &box = boxes[{from, to}];
    if (!arrived.wait_for(guard, std::chrono::seconds(20), [&] { return !box.empty(); }))
      return Error{"", "no message from " + std::to_string(from) + " to " + std::to_string(to)};
    if (box.front().size() != into.size())
      return Error{"", "message of " + std::to_string(box.front().size()) + " bytes, expected " +
                           std::to_string(into.size())};
    std::copy(box.front().begin(), box.front().end(), into.begin());
    box.pop_front();
    return {};
  }
  bool isEmpty() const {
    return std::all_of(boxes.begin(), boxes.end(), [](auto &box) { return box.second.empty(); });
  }

private:
  std::mutex lock;
  std::condition_variable arrived;
  std::map<std::pair<uint32_t, uint32_t>, std::deque<std::vector<uint8_t>>> boxes;
};

class Member final : public PointToPoint {
public:
  Member(Network &network, uint32_t me) : network(network), me(me) {}
  Status exchange(uint32_t to, std::span<const uint8_t> out, uint32_t from,
                  std::span<uint8_t> in) override {
    if (to != Step::Nobody)
      network.send(me, to, out);
    return from == Step::Nobody ? Status() : network.receive(from, me, in);
  }

private:
  Network &network;
  uint32_t me;
};

template <typename T> T valueOf(uint32_t position, uint64_t element) {
  if constexpr (std::is_integral_v<T>)
    return T(position * 1'000'003u + element * 77u + 1);
  return T(1) / T(3 + position * 7 + element) * (position % 2 ? T(1e6) : T(-1));
}

bool isWhole(Kind kind) {
  return kind == Kind::Allreduce || kind == Kind::Reduce || kind == Kind::Bcast ||
         kind == Kind::Barrier || kind == Kind::Scan;
}

uint64_t elementsOf(const Problem &p) {
  const uint64_t blocks = isWhole(p.kind)            ? 1
                          : p.kind == Kind::Exscan   ? 2
                          : p.kind == Kind::Alltoall ? uint64_t(2) * p.group.size
                                                     : p.group.size;
  return p.count * blocks;
}

/// What a member's buffer starts with; what it does not contribute is 0.
template <typename T> std::vector<T> start(const Problem &p, const Schedule &schedule) {
  std::vector<T> all(elementsOf(p));
  const bool reduces = isReduction(p.kind);
  const uint32_t size = p.group.size, relative = (p.position + size - p.root) % size;
  for (uint64_t e = 0; e < all.size(); ++e) {
    const uint64_t block = p.count ? e / p.count : 0;
    const bool mine = reduces || (p.kind == Kind::Bcast && p.position == p.root) ||
                      (p.kind == Kind::Scatter && p.position == p.root) ||
                      (p.kind == Kind::Allgather && block == p.position) ||
                      (p.kind == Kind::Alltoall && block < size) ||
                      (p.kind == Kind::Gather && block == relative);
    if (mine)
      all[e] = valueOf<T>(p.position, e);
  }
  auto from = all.begin() + ptrdiff_t(schedule.held.first);
  return {from, from + ptrdiff_t(schedule.held.count)};
}

/// Buffers of all members after the collective.
template <typename T>
std::vector<std::vector<T>> runAll(Problem problem, ElementType type, bool &clean) {
  Network network;
  const uint32_t size = problem.group.size;
  std::vector<std::vector<T>> buffers(size);
  std::vector<std::string> errors(size);
  std::vector<std::thread> threads;
  for (uint32_t me = 0; me < size; ++me)
    threads.emplace_back([&, me, p = problem]() mutable {
      p.position = me;
      const Schedule schedule = makeSchedule(p);
      buffers[me] = start<T>(p, schedule);
      Member member(network, me);
      std::span<uint8_t> bytes(reinterpret_cast<uint8_t *>(buffers[me].data()),
                               buffers[me].size() * sizeof(T));
      if (Status status = run(schedule, isReduction(p.kind) ? ReduceOp::Sum : ReduceOp::None, type,
                              bytes, member);
          !status)
        errors[me] = status.error().what;
    });
  for (std::thread &thread : threads)
    thread.join();
  for (uint32_t me = 0; me < size; ++me)
    EXPECT_EQ(errors[me], "") << "position " << me;
  clean = network.isEmpty();
  return buffers;
}

int64_t sumAt(uint32_t size, uint64_t element) {
  int64_t sum = 0;
  for (uint32_t p = 0; p < size; ++p)
    sum += valueOf<int64_t>(p, element);
  return sum;
}

/// Which elements of the buffer have a meaning for a member, and their value.
std::optional<int64_t> expected(const Problem &p, uint32_t me, uint64_t e) {
  const uint32_t size = p.group.size;
  const uint64_t block = p.count ? e / p.count : 0;
  const uint32_t relative = (me + size - p.root) % size;
  switch (p.kind) {
  case Kind::Allreduce:
    return sumAt(size, e);
  case Kind::Reduce:
    return me == p.root ? std::optional(sumAt(size, e)) : std::nullopt;
  case Kind::ReduceScatterBlock:
    return block == me ? std::optional(sumAt(size, e)) : std::nullopt;
  case Kind::Bcast:
    return valueOf<int64_t>(p.root, e);
  case Kind::Scatter:
    return block == relative ? std::optional(valueOf<int64_t>(p.root, e)) : std::nullopt;
  case Kind::Allgather:
    return valueOf<int64_t>(uint32_t(block), e);
  case Kind::Gather:
    return me == p.root ? std::optional(valueOf<int64_t>((uint32_t(block) + p.root) % size, e))
                        : std::nullopt;
  case Kind::Scan:
    return sumAt(me + 1, e);
  case Kind::Exscan:
    return block == 1 && me > 0 ? std::optional(sumAt(me, e - p.count)) : std::nullopt;
  case Kind::Alltoall:
    return block >= size && block - size != me
               ? std::optional(valueOf<int64_t>(uint32_t(block - size), me * p.count + e % p.count))
               : std::nullopt;
  default:
    return std::nullopt;
  }
}

void check(const Problem &problem) {
  SCOPED_TRACE(std::string(nameOf(problem.kind)) + " by " + std::string(nameOf(problem.algorithm)) +
               " on " + std::to_string(problem.group.size) + " (rows " +
               std::to_string(problem.group.rows) + "), root " + std::to_string(problem.root) +
               ", count " + std::to_string(problem.count));
  bool clean = false;
  auto buffers = runAll<int64_t>(problem, ElementType::Int64, clean);
  EXPECT_TRUE(clean) << "messages that nobody received";
  for (uint32_t me = 0; me < problem.group.size; ++me) {
    Problem mine = problem;
    mine.position = me;
    const Range held = makeSchedule(mine).held;
    for (uint64_t e = 0; e < buffers[me].size(); ++e)
      if (auto value = expected(problem, me, held.first + e)) {
        ASSERT_EQ(buffers[me][e], *value) << "position " << me << ", element " << e;
      }
  }
}

TEST(Algorithms, GiveWhatTheCollectiveSays) {
  for (uint32_t size = 1; size <= 13; ++size)
    for (unsigned k = 0; k < NumKinds; ++k)
      for (unsigned a = 0; a < NumAlgorithms; ++a) {
        Problem problem;
        problem.kind = Kind(k);
        problem.group = {size, 1};
        problem.algorithm = Algorithm(a);
        if (!isByHosts(problem.algorithm) || !has(problem.kind, problem.algorithm) ||
            fitting(problem.kind, problem.algorithm, problem.group) != problem.algorithm)
          continue;
        const bool rooted = problem.kind == Kind::Bcast || problem.kind == Kind::Reduce ||
                            problem.kind == Kind::Gather || problem.kind == Kind::Scatter;
        for (uint32_t root : rooted ? std::set{0u, size / 2, size - 1} : std::set{0u})
          for (uint64_t count : {0, 1, 29}) {
            problem.root = root;
            problem.count = problem.kind == Kind::Barrier ? 0 : count;
            check(problem);
          }
      }
}

TEST(Algorithms, ATorusHasARowForEachSwitch) {
  for (Group group : {Group{12, 2}, Group{12, 3}, Group{12, 4}, Group{8, 4}, Group{6, 4}})
    for (Kind kind : {Kind::Allreduce, Kind::Allgather}) {
      Problem problem;
      problem.kind = kind;
      problem.algorithm = Algorithm::Torus;
      problem.group = group;
      problem.count = 31;
      check(problem);
    }
  EXPECT_EQ(torusRows({12, 2}), 2u);
  EXPECT_EQ(torusRows({12, 1}), 3u);
  EXPECT_EQ(torusRows({6, 4}), 2u); // four switches cannot have equally many of six
  EXPECT_EQ(torusRows({7, 1}), 1u);
}

/// The neighbours of a member, and the elements that it sends.
std::pair<size_t, uint64_t> costOf(const Problem &problem) {
  std::set<uint32_t> neighbours;
  uint64_t sent = 0;
  for (const Step &step : makeSchedule(problem).steps) {
    neighbours.insert({step.to, step.from});
    sent += step.sent.count;
  }
  neighbours.erase(Step::Nobody);
  return {neighbours.size(), sent};
}

TEST(Algorithms, HaveFewNeighboursAndSendNoMoreThanTheyMust) {
  for (uint32_t size : {2u, 8u, 64u, 1000u, 65'536u}) {
    const size_t log = std::bit_width(size - 1);
    for (uint32_t me : {0u, 1u, size / 2, size - 1}) {
      Problem problem;
      problem.kind = Kind::Allreduce;
      problem.group = {size, 1};
      problem.position = me;
      problem.count = 1'000'000;
      problem.algorithm = Algorithm::Doubling;
      EXPECT_LE(costOf(problem).first, log + 1);
      problem.algorithm = Algorithm::Halving;
      EXPECT_LE(costOf(problem).first, log + 1);
      // Two halves, and both whole where the size is no power of two.
      EXPECT_LE(costOf(problem).second, 3 * problem.count);
      problem.kind = Kind::Reduce;
      problem.algorithm = Algorithm::Binomial;
      EXPECT_LE(costOf(problem).first, log);
      EXPECT_LE(costOf(problem).second, problem.count);
      if (size > 1000)
        continue; // as many steps as members
      problem.kind = Kind::Allreduce;
      problem.algorithm = Algorithm::Ring;
      EXPECT_LE(costOf(problem).first, 2u);
      EXPECT_LE(costOf(problem).second, 2 * problem.count);
      problem.algorithm = Algorithm::Torus;
      EXPECT_LE(costOf(problem).first, 4u);
      EXPECT_LE(costOf(problem).second, 2 * problem.count);
    }
  }
}

TEST(Algorithms, AllMembersHaveTheBitsOfTheDocumentedOrder) {
  Problem problem;
  problem.kind = Kind::Allreduce;
  problem.count = 3 * 6;
  problem.group = {6, 1};
  bool clean = false;
  auto value = [](uint32_t p, uint64_t e) { return valueOf<float>(p, e); };
  for (Algorithm algorithm :
       {Algorithm::Doubling, Algorithm::Halving, Algorithm::Ring, Algorithm::Torus}) {
    SCOPED_TRACE(nameOf(algorithm));
    problem.algorithm = algorithm;
    auto buffers = runAll<float>(problem, ElementType::Float32, clean);
    for (uint32_t me = 1; me < 6; ++me)
      EXPECT_EQ(std::memcmp(buffers[0].data(), buffers[me].data(), 18 * sizeof(float)), 0);
    for (uint64_t e = 0; e < 18; ++e) {
      if (algorithm == Algorithm::Doubling) { // 0 and 2 are folded into 1 and 3
        const float low = (value(0, e) + value(1, e)) + (value(2, e) + value(3, e));
        EXPECT_EQ(buffers[0][e], low + (value(4, e) + value(5, e)));
      }
      if (algorithm == Algorithm::Halving) { // furthest apart first: (01, 4), (23, 5)
        const float even = (value(0, e) + value(1, e)) + value(4, e);
        EXPECT_EQ(buffers[0][e], even + ((value(2, e) + value(3, e)) + value(5, e)));
      }
      if (algorithm == Algorithm::Ring) {
        const uint32_t block = uint32_t(e / 3);
        float sum = value((block + 1) % 6, e);
        for (uint32_t p = 2; p <= 6; ++p)
          sum = sum + value((block + p) % 6, e);
        EXPECT_EQ(buffers[0][e], sum);
      }
    }
  }
}

TEST(Algorithms, PrefixesAreFoldedFromTheDocumentedSide) {
  Problem problem;
  problem.kind = Kind::Scan;
  problem.algorithm = Algorithm::Doubling;
  problem.count = 5;
  problem.group = {6, 1};
  bool clean = false;
  auto buffers = runAll<float>(problem, ElementType::Float32, clean);
  auto value = [](uint32_t p, uint64_t e) { return valueOf<float>(p, e); };
  for (uint64_t e = 0; e < 5; ++e) {
    EXPECT_EQ(buffers[3][e], (value(0, e) + value(1, e)) + (value(2, e) + value(3, e)));
    const float four = (value(1, e) + value(2, e)) + (value(3, e) + value(4, e));
    EXPECT_EQ(buffers[4][e], value(0, e) + four);
  }
}

/// A network in which a message fails.
struct Broken final : PointToPoint {
  Status exchange(uint32_t, std::span<const uint8_t>, uint32_t, std::span<uint8_t>) override {
    return Error{"", "cut"};
  }
};

TEST(Algorithms, EndAtTheFirstError) {
  Problem problem;
  problem.kind = Kind::Bcast;
  problem.algorithm = Algorithm::Binomial;
  problem.group = {4, 1};
  problem.count = 1;
  Broken network;
  uint8_t byte[1] = {};
  EXPECT_EQ(
      run(makeSchedule(problem), ReduceOp::None, ElementType::Uint8, byte, network).error().str(),
      "cut");
}

TEST(Volume, IsWhatTheMembersExchange) {
  // Four members fold 8 bytes in two rounds, and exchange both ways in each.
  const algorithms::Shape sum{.kind = Kind::Allreduce, .count = 1, .unit = 8};
  for (uint32_t position = 0; position < 4; ++position) {
    std::optional<Volume> volume = volumeAmongHosts(sum, {.size = 4}, position);
    ASSERT_TRUE(volume);
    EXPECT_EQ(volume->messages, 4u);
    EXPECT_EQ(volume->bytes, 32u);
  }
  // What is sent is received.
  for (Kind kind : {Kind::Bcast, Kind::Gather, Kind::Scatter, Kind::Alltoall, Kind::Scan})
    for (uint32_t size : {2u, 3u, 7u, 16u}) {
      Volume all;
      for (uint32_t position = 0; position < size; ++position)
        all += *volumeAmongHosts({.kind = kind, .count = 5, .unit = 4, .root = 1}, {.size = size},
                                 position);
      EXPECT_EQ(all.messages % 2, 0u);
      EXPECT_GE(all.messages, 2u * (size - 1));
      EXPECT_GE(all.bytes, 2u * (size - 1) * 20);
    }
  EXPECT_FALSE(volumeAmongHosts({.kind = Kind::ReduceScatter}, {.size = 4}, 0));
  EXPECT_EQ(volumeAmongHosts(sum, {.size = 1}, 0)->messages, 0u);
}

TEST(Choice, FollowsSizeAndTopology) {
  const Group eight{8, 1}, leaves{8, 2}, six{6, 1};
  EXPECT_EQ(hostAlgorithm(Kind::Allreduce, 8, eight), Algorithm::Doubling);
  EXPECT_EQ(hostAlgorithm(Kind::Allreduce, 65'536, eight), Algorithm::Halving);
  EXPECT_EQ(hostAlgorithm(Kind::Allreduce, 4 << 20, eight), Algorithm::Ring);
  EXPECT_EQ(hostAlgorithm(Kind::Allreduce, 4 << 20, leaves), Algorithm::Torus);
  EXPECT_EQ(hostAlgorithm(Kind::Reduce, 8, eight), Algorithm::Binomial);
  EXPECT_EQ(hostAlgorithm(Kind::Reduce, 1 << 20, eight), Algorithm::Halving);
  EXPECT_EQ(hostAlgorithm(Kind::Bcast, 100, eight), Algorithm::Binomial);
  EXPECT_EQ(hostAlgorithm(Kind::Bcast, 1 << 20, eight), Algorithm::Ring);
  EXPECT_EQ(hostAlgorithm(Kind::Bcast, 1 << 20, six), Algorithm::Binomial);
  EXPECT_EQ(hostAlgorithm(Kind::Allgather, 8, eight), Algorithm::Doubling);
  EXPECT_EQ(hostAlgorithm(Kind::Allgather, 8, six), Algorithm::Ring);
  EXPECT_EQ(hostAlgorithm(Kind::Allgather, 1 << 20, leaves), Algorithm::Torus);
  EXPECT_EQ(hostAlgorithm(Kind::ReduceScatterBlock, 8, six), Algorithm::Ring);
  EXPECT_EQ(hostAlgorithm(Kind::Scan, 8, eight), Algorithm::Doubling);
  EXPECT_EQ(hostAlgorithm(Kind::Alltoall, 8, eight), Algorithm::Pairwise);
  EXPECT_EQ(hostAlgorithm(Kind::ReduceScatter, 8, eight), Algorithm::Library);
  for (unsigned k = 0; k < NumKinds; ++k)
    for (uint64_t bytes : {0ull, 100ull, 100'000ull, 10'000'000ull})
      for (Group group : {eight, leaves, six})
        EXPECT_TRUE(has(Kind(k), hostAlgorithm(Kind(k), bytes, group)));
  EXPECT_EQ(namesFor(Kind::Scan), "auto, hosts, switch, library, doubling");
}

} // namespace
