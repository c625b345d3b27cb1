// All that a network can do to 2 and 3 ranks on one switch, up to a number of faults: the
// real host and switch code, every order of delivery, loss and duplication of any packet,
// timers at any moment. States are hashed; each is reached by running its path again.
//
// In every state: nobody has a wrong result, and if the faults stop there, all calls end
// with the right ones.
#include "runtime/client/HostSession.h"
#include "runtime/switch/Collectives.h"
#include "runtime/switch/Switch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <unordered_set>

using namespace acis;
using namespace acis::wire;

namespace {

struct Budget {
  unsigned losses = 0, duplicates = 0, timers = 0;
};

/// What the ranks call, one after the other, without waiting.
using Program = std::vector<Kind>;

class World final : sw::Output {
public:
  World(uint32_t ranks, const Program &program)
      : device(configuration(), *this), clocks(ranks, Second), buffers(ranks) {
    auto plugin = std::make_unique<sw::Collectives>(device.services(),
                                                    sw::Collectives::Limits{.slots = 2}, nullptr);
    collectives = plugin.get();
    device.add(std::move(plugin));
    std::vector<uint32_t> all;
    for (uint32_t r = 0; r < ranks; ++r) {
      client::HostSession::Config config;
      config.link.who.id = r;
      config.link.who.size = ranks;
      config.link.nonce = r + 1;
      config.link.deadAfter = 1'000'000 * Second;
      hosts.push_back(
          std::make_unique<client::HostSession>(config, [this, r](std::span<const uint8_t> bytes) {
            flights.push_back({-1, int(r), {bytes.begin(), bytes.end()}});
          }));
      hosts.back()->tick(clocks[r]);
      all.push_back(r);
    }
    settle();
    for (uint32_t r = 0; r < ranks; ++r)
      EXPECT_TRUE(hosts[r]->join(0, all, clocks[r]));
    settle();
    for (uint32_t r = 0; r < ranks; ++r) {
      buffers[r].resize(program.size());
      for (size_t i = 0; i < program.size(); ++i)
        start(r, program[i], buffers[r][i], uint32_t(i) % ranks);
    }
    delivered = 0;
  }

  size_t inFlight() const { return flights.size(); }
  uint32_t ranks() const { return uint32_t(hosts.size()); }

  void deliver(size_t i) {
    Flight flight = std::move(flights[i]);
    flights.erase(flights.begin() + long(i));
    delivered += hash({uint64_t(flight.to), hashBytes(flight.bytes)});
    if (flight.to >= 0) {
      hosts[size_t(flight.to)]->receive(flight.bytes, clocks[size_t(flight.to)]);
      hosts[size_t(flight.to)]->tick(clocks[size_t(flight.to)]);
      return;
    }
    Address from;
    from.port = uint16_t(flight.from + 1);
    const sw::Ingress in{0, from, flight.bytes};
    device.receive({&in, 1}, Second);
  }
  void lose(size_t i) { flights.erase(flights.begin() + long(i)); }
  void duplicate(size_t i) {
    Flight copy = flights[i];
    flights.push_back(std::move(copy));
  }
  /// Longer than any wait for a repetition.
  void timer(uint32_t rank) {
    clocks[rank] += Second;
    hosts[rank]->tick(clocks[rank]);
  }

  uint64_t state() const {
    std::vector<uint64_t> parts = {delivered};
    for (const auto &host : hosts)
      host->fingerprint(parts);
    collectives->fingerprint(parts);
    std::vector<uint64_t> packets;
    for (const Flight &flight : flights)
      packets.push_back(
          hash({uint64_t(flight.to), uint64_t(flight.from), hashBytes(flight.bytes)}));
    std::sort(packets.begin(), packets.end());
    parts.insert(parts.end(), packets.begin(), packets.end());
    return hash(parts);
  }

  /// "" or what is wrong now.
  std::string wrongNow() const {
    for (uint32_t r = 0; r < ranks(); ++r) {
      if (!hosts[r]->failure().empty())
        return "rank " + std::to_string(r) + " failed: " + hosts[r]->failure();
      for (const Call &call : buffers[r])
        if (hosts[r]->isDone(call.request) && call.out != call.want)
          return "rank " + std::to_string(r) + ": " + std::string(nameOf(call.kind)) + " gave " +
                 std::to_string(call.out[0]) + ", not " + std::to_string(call.want[0]);
    }
    return "";
  }

  /// No more faults: everything is delivered in order, timers run.
  std::string finish() {
    for (unsigned round = 0; round < 12; ++round) {
      settle();
      bool idle = true;
      for (uint32_t r = 0; r < ranks(); ++r)
        idle &= hosts[r]->idle();
      if (idle)
        return wrongNow();
      for (uint32_t r = 0; r < ranks(); ++r)
        timer(r);
    }
    return "does not end";
  }

private:
  struct Flight {
    int to, from; ///< a rank, or -1: the switch
    std::vector<uint8_t> bytes;
  };
  struct Call {
    Kind kind = Kind::Barrier;
    Request request = 0;
    std::vector<int32_t> in, out, want;
  };

  static sw::SwitchConfig configuration() {
    sw::SwitchConfig config;
    config.slots = 2;
    config.deadAfter = 1'000'000 * Second;
    return config;
  }
  static uint64_t hash(const std::vector<uint64_t> &values) {
    uint64_t h = 0x9e3779b97f4a7c15;
    for (uint64_t value : values) {
      h = (h ^ value) * 0xff51afd7ed558ccd;
      h ^= h >> 32;
    }
    return h;
  }
  static uint64_t hashBytes(const std::vector<uint8_t> &bytes) {
    return std::hash<std::string_view>()(
        {reinterpret_cast<const char *>(bytes.data()), bytes.size()});
  }

  void settle() {
    while (!flights.empty())
      deliver(0);
  }
  void start(uint32_t r, Kind kind, Call &slot, uint32_t root) {
    slot.kind = kind;
    const int32_t n = int32_t(ranks());
    slot.in = {int32_t(r) + 1};
    slot.out = slot.want = {-1};
    Collective call;
    call.kind = kind;
    call.op = ReduceOp::Sum;
    call.type = ElementType::Int32;
    call.count = 1;
    call.root = root;
    call.send = slot.in.data();
    call.recv = slot.out.data();
    if (kind == Kind::Allreduce || (kind == Kind::Reduce && r == root))
      slot.want = {n * (n + 1) / 2};
    if (kind == Kind::Scan)
      slot.want = {int32_t((r + 1) * (r + 2) / 2)};
    if (kind == Kind::Bcast) {
      if (r == root)
        call.recv = nullptr;
      else {
        call.send = nullptr;
        slot.want = {int32_t(root) + 1};
      }
    }
    Result<Request> request = hosts[r]->start(call, clocks[r]);
    EXPECT_TRUE(request);
    slot.request = request ? *request : 0;
  }
  void send(unsigned, const Address &to, std::span<const uint8_t> bytes) override {
    flights.push_back({int(to.port) - 1, -1, {bytes.begin(), bytes.end()}});
  }

  sw::Switch device;
  sw::Collectives *collectives = nullptr;
  std::vector<std::unique_ptr<client::HostSession>> hosts;
  std::vector<Time> clocks;
  std::vector<std::vector<Call>> buffers;
  std::vector<Flight> flights;
  uint64_t delivered = 0; ///< a sum over the packets, in no order
};

struct Action {
  enum Kind : uint8_t { Deliver, Lose, Duplicate, Timer } kind;
  uint16_t index;
};

class Explorer {
public:
  Explorer(uint32_t ranks, const Program &program) : ranks(ranks), program(program) {}

  /// Visits all; returns the number of states, or 0 after the first failure.
  size_t run(const Budget &budget) {
    visit(budget);
    return failed ? 0 : seen.size();
  }

private:
  void apply(World &world, Action action) {
    switch (action.kind) {
    case Action::Deliver:
      return world.deliver(action.index);
    case Action::Lose:
      return world.lose(action.index);
    case Action::Duplicate:
      return world.duplicate(action.index);
    case Action::Timer:
      return world.timer(action.index);
    }
  }

  void visit(const Budget &budget) {
    World world(ranks, program);
    for (Action action : path)
      apply(world, action);
    const uint64_t state =
        world.state() * 31 + (budget.losses * 64 + budget.duplicates * 8 + budget.timers);
    if (failed || !seen.insert(state).second)
      return;
    const size_t inFlight = world.inFlight();
    std::string what = world.wrongNow();
    if (what.empty())
      what = world.finish();
    if (!what.empty()) {
      failed = true;
      std::string text;
      for (Action action : path)
        text += "DLXT"[action.kind] + std::to_string(action.index) + " ";
      ADD_FAILURE() << what << " after " << text << "(D deliver, L lose, X duplicate, T timer)";
      return;
    }
    auto go = [&](Action::Kind kind, size_t index, const Budget &rest) {
      path.push_back({kind, uint16_t(index)});
      visit(rest);
      path.pop_back();
    };
    for (size_t i = 0; i < inFlight; ++i) {
      go(Action::Deliver, i, budget);
      if (budget.losses > 0)
        go(Action::Lose, i, {budget.losses - 1, budget.duplicates, budget.timers});
      if (budget.duplicates > 0)
        go(Action::Duplicate, i, {budget.losses, budget.duplicates - 1, budget.timers});
    }
    if (budget.timers > 0)
      for (uint32_t r = 0; r < ranks; ++r)
        go(Action::Timer, r, {budget.losses, budget.duplicates, budget.timers - 1});
  }

  uint32_t ranks;
  Program program;
  std::vector<Action> path;
  std::unordered_set<uint64_t> seen;
  bool failed = false;
};

void explore(uint32_t ranks, const Program &program, const Budget &budget, size_t least) {
  const size_t states = Explorer(ranks, program).run(budget);
  testing::Test::RecordProperty("states", int(states));
  std::printf("%zu states\n", states);
  EXPECT_GE(states, least) << "the exploration has lost its way";
}

TEST(Explore, TwoRanksAllreduceTwice) {
  explore(2, {Kind::Allreduce, Kind::Allreduce}, {1, 0, 1}, 1000);
}
TEST(Explore, TwoRanksOneAllreduceManyFaults) { explore(2, {Kind::Allreduce}, {2, 1, 2}, 1000); }
TEST(Explore, TwoRanksMoreCallsThanSlots) {
  explore(2, {Kind::Bcast, Kind::Reduce, Kind::Allreduce}, {1, 0, 1}, 1000);
}
TEST(Explore, ThreeRanksAllreduce) { explore(3, {Kind::Allreduce}, {1, 1, 1}, 1000); }
TEST(Explore, ThreeRanksBcast) { explore(3, {Kind::Bcast}, {1, 1, 1}, 1000); }
TEST(Explore, ThreeRanksScan) { explore(3, {Kind::Scan}, {1, 1, 1}, 1000); }

// Minutes each: --gtest_also_run_disabled_tests --gtest_filter='*Deep*'
TEST(Explore, DISABLED_DeepTwoRanks) {
  explore(2, {Kind::Allreduce, Kind::Bcast, Kind::Reduce}, {1, 1, 2}, 1000);
}
TEST(Explore, DISABLED_DeepThreeRanks) { explore(3, {Kind::Allreduce}, {1, 1, 2}, 1000); }

} // namespace
