// Packets that a switch must not believe: foreign, forged, damaged, replayed. Nothing
// that fails a check may change what the switch does for its jobs.
#include "runtime/switch/core/test/Reference.h"

#include <gtest/gtest.h>

#include <random>

using namespace acis;
using namespace acis::sim;
using namespace acis::wire;

namespace {

/// Everything of a switch that a bad packet must not change.
std::vector<uint64_t> stateOf(Network &network) {
  std::vector<uint64_t> out = {network.device(0).jobs(), network.device(0).sessions(),
                               network.device(0).counters().sessionsOpened};
  network.collectives(0).fingerprint(out);
  return out;
}

struct Recorded {
  Address from;
  std::vector<uint8_t> bytes;
};

/// A job in the middle of collectives, and what its ranks have sent to the switch.
struct Victim {
  Victim() : network(cluster()) {
    network.tap = [this](const Address &from, const Address &to, std::span<const uint8_t> bytes) {
      if (to == Network::switchAddress(0))
        seen.push_back({from, {bytes.begin(), bytes.end()}});
    };
    network.attach();
    network.add(0, {0, 1, 2});
    std::mt19937 random(1);
    for (int i = 0; i < 5; ++i) {
      Trial trial(Kind::Allreduce, 0, {0, 1, 2}, ReduceOp::Sum, ElementType::Int32, 10, 0, false,
                  random);
      for (uint32_t r = 0; r < 3; ++r)
        EXPECT_TRUE(trial.start(network, r));
      EXPECT_TRUE(network.run([&] { return trial.done(network); }));
    }
    network.tap = nullptr;
  }
  static Cluster cluster() {
    Cluster cluster;
    cluster.ranks = 3;
    cluster.keys = true;
    cluster.config.deadAfter = 100 * Second;
    return cluster;
  }
  void works() {
    std::mt19937 random(2);
    Trial trial(Kind::Allreduce, 0, {0, 1, 2}, ReduceOp::Sum, ElementType::Int32, 10, 0, false,
                random);
    for (uint32_t r = 0; r < 3; ++r)
      ASSERT_TRUE(trial.start(network, r));
    ASSERT_TRUE(network.run([&] { return trial.done(network); }));
    EXPECT_EQ(trial.check(), "");
  }

  Network network;
  std::vector<Recorded> seen;
};

TEST(Security, ReplayedPacketsChangeNothing) {
  Victim victim;
  const std::vector<uint64_t> before = stateOf(victim.network);
  victim.network.now += 20 * Second; // past the life of the cookies
  for (const Recorded &packet : victim.seen) {
    victim.network.inject(0, packet.from, packet.bytes);
    EXPECT_EQ(stateOf(victim.network), before);
  }
  EXPECT_GT(victim.network.device(0).counters().unauthenticated, 15u);
  victim.works();
}

TEST(Security, OtherVersionsAreDroppedAndCounted) {
  Victim victim;
  const std::vector<uint64_t> before = stateOf(victim.network);
  const sw::SwitchCounters &count = victim.network.device(0).counters();
  const uint64_t malformed = count.malformed, sent = count.sent;
  for (Recorded packet : victim.seen)
    for (const int version : {0, 1, Version + 1, 255}) { // 1 was the first
      packet.bytes[1] = uint8_t(version);
      victim.network.inject(0, packet.from, packet.bytes);
    }
  EXPECT_EQ(count.otherVersion, 4 * victim.seen.size());
  EXPECT_EQ(count.malformed, malformed);
  EXPECT_EQ(count.sent, sent);
  EXPECT_EQ(stateOf(victim.network), before);
  victim.works();
}

TEST(Security, ReplayIntoALaterJobIsRefused) {
  Victim old, victim; // same job number, key and addresses; other sessions
  victim.network.restart(0);
  std::vector<uint64_t> before = stateOf(victim.network);
  for (const Recorded &packet : old.seen)
    victim.network.inject(0, packet.from, packet.bytes);
  EXPECT_EQ(stateOf(victim.network), before);
}

TEST(Security, AnotherAddressWithTheRightBytesIsRefused) {
  Victim victim;
  const std::vector<uint64_t> before = stateOf(victim.network);
  for (const Recorded &packet : victim.seen)
    victim.network.inject(0, Network::hostAddress(77), packet.bytes);
  EXPECT_EQ(stateOf(victim.network), before);
}

/// `count` datagrams: noise, damaged recordings, forged headers.
void fuzz(unsigned count, unsigned seed) {
  Victim victim;
  const std::vector<uint64_t> before = stateOf(victim.network);
  std::mt19937_64 random(seed);
  for (unsigned i = 0; i < count; ++i) {
    const Recorded &base = victim.seen[random() % victim.seen.size()];
    std::vector<uint8_t> bytes = base.bytes;
    switch (random() % 4) {
    case 0:
      bytes.resize(random() % 200);
      for (uint8_t &byte : bytes)
        byte = uint8_t(random());
      break;
    case 1: // a changed field, the old tag
      bytes[random() % bytes.size()] ^= uint8_t(1 + random() % 255);
      break;
    case 2:
      bytes.resize(random() % (bytes.size() + 1));
      break;
    default: { // a plausible header with a new number and a guessed tag
      io::store(bytes.data() + 16, uint64_t(random() % 1000));
      bytes[2] = uint8_t(1 + random() % MaxPacketType);
      io::store(bytes.data() + HeaderBytes - TagBytes, uint64_t(random()));
    }
    }
    victim.network.inject(0, base.from, bytes);
    if (i % 1024 == 0 || i + 1 == count)
      ASSERT_EQ(stateOf(victim.network), before) << "after datagram " << i;
  }
  victim.works();
}

TEST(Security, AMillionFuzzedDatagramsChangeNothing) { fuzz(1'000'000, 1); }

TEST(Security, RatesAreLimitedBySource) {
  Cluster cluster;
  cluster.ranks = 1;
  cluster.config.packetsPerSecond = 100;
  Network network(cluster);
  network.attach();
  const std::vector<uint8_t> noise(100, 1);
  for (int i = 0; i < 1000; ++i)
    network.inject(0, Network::hostAddress(9), noise);
  EXPECT_EQ(network.device(0).counters().rateLimited, 900u);
  network.add(0, {0}); // others are not affected
}

TEST(Security, LimitsAreSaid) {
  Cluster cluster;
  cluster.ranks = 2;
  cluster.config.maxSessions = 1;
  Network network(cluster);
  network.run(
      [&] { return !network.host(0).failure().empty() || !network.host(1).failure().empty(); });
  const std::string &what =
      network.host(0).failure().empty() ? network.host(1).failure() : network.host(0).failure();
  EXPECT_EQ(what, "the switch refuses: there are 1 sessions already, the most allowed");
}

TEST(ReplayWindow, TakesEachNumberOnce) {
  ReplayWindow window;
  std::mt19937 random(3);
  std::vector<uint64_t> numbers;
  for (uint64_t n = 1; n <= 5000; ++n)
    numbers.push_back(n);
  for (size_t i = 0; i + 1 < numbers.size(); ++i) // local disorder
    std::swap(numbers[i], numbers[i + random() % std::min<size_t>(500, numbers.size() - i)]);
  std::vector<int> taken(5001);
  for (uint64_t n : numbers)
    taken[n] += window.accept(n);
  for (uint64_t n : numbers)
    EXPECT_FALSE(window.accept(n));
  for (uint64_t n = 1; n <= 5000; ++n)
    EXPECT_LE(taken[n], 1);
  EXPECT_TRUE(window.accept(100'000));
  EXPECT_FALSE(window.accept(100'000 - ReplayWindow::Size));
}

} // namespace
