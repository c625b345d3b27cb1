// Several jobs on one switch: none takes what the others need.
#include "runtime/switch/core/Collectives.h"
#include "runtime/switch/core/Switch.h"

#include <gtest/gtest.h>

using namespace acis;
using namespace acis::sw;
using namespace acis::wire;

namespace {

/// Keeps what Joined says to each session.
struct Answers final : Services {
  std::map<SessionId, std::string> joined;

  Time now() const override { return 0; }
  void send(SessionId session, const Header &header, std::span<const uint8_t> payload) override {
    if (header.type == PacketType::Joined)
      joined[session] = Answer::read(payload)->refusal;
  }
  void sendEach(std::span<const Recipient> recipients, const wire::Header &header,
                std::span<const uint8_t> payload, const Digest *) override {
    for (const Recipient &to : recipients)
      send(to.session, header, payload);
  }
  Cast openCast(JobId) override { return {}; }
  void closeCast(uint32_t) override {}
  void sendCast(uint32_t, const Header &, std::span<const uint8_t>, const Digest *) override {}
  const SessionInfo *session(SessionId) const override { return nullptr; }
  bool hasParent() const override { return false; }
  void sendAbove(JobId, const Header &, std::span<const uint8_t>) override {}
  void requestAbove(JobId, PacketType, uint32_t, std::vector<uint8_t>) override {}
  uint32_t packetBytesAbove(JobId) const override { return 0; }
  const direct::Network *network() const override { return nullptr; }
  bool reach(sw::JobId, uint16_t) override { return false; }
  void sendAcross(sw::JobId, uint16_t, const wire::Header &, std::span<const uint8_t>) override {}
  bool charge(JobId, int64_t) override { return true; }
  void fail(JobId, const std::string &) override {}
  void sendRaw(unsigned, const Address &, std::span<const uint8_t>) override {}
};

/// A table of 90 entries that jobs join alone, one rank each; session = job.
struct Table {
  Answers services;
  Collectives collectives;

  Table() : collectives(services, limits(), EngineChoice{}) {}
  static Collectives::Limits limits() {
    Collectives::Limits limits;
    limits.contexts = 90;
    return limits;
  }
  std::string join(JobId job, uint32_t context) {
    Join join;
    join.size = 1;
    join.levels = {{0, 1, 0, 1}}; // the only child, position 0
    Header header;
    header.type = PacketType::Join;
    header.context = context;
    collectives.packet({header, join.write(), job, job});
    return services.joined[job];
  }
  /// Entries that the job gets before it is refused, and the refusal.
  std::pair<uint32_t, std::string> fill(JobId job) {
    for (uint32_t n = 0;; ++n)
      if (std::string refusal = join(job, n); !refusal.empty() || n > 1000)
        return {n, refusal};
  }
};

} // namespace

TEST(Fairness, AGreedyJobLeavesEntriesToOthers) {
  Table table;
  const auto [greedy, refusal] = table.fill(1);
  EXPECT_EQ(greedy, 80u);
  EXPECT_EQ(refusal, "full: the job holds 80 communicators, its share while 10 of the 90 entries "
                     "are free");
  // It goes on asking; the next job gets most of what is free, and the one after it its part.
  EXPECT_EQ(table.fill(2).first, 9u);
  EXPECT_EQ(table.join(1, 500).substr(0, 5), "full:");
  EXPECT_EQ(table.join(3, 0), "");
  EXPECT_EQ(table.join(4, 0), "full: the switch holds 90 communicators, its limit");
}

TEST(Fairness, WhatAJobHeldIsFreeWhenItEnds) {
  Table table;
  table.fill(1);
  table.collectives.jobEnded(1);
  EXPECT_EQ(table.collectives.contexts(), 0u);
  EXPECT_EQ(table.fill(2).first, 80u);
}

namespace {

/// The jobs of the answers in their order.
struct Order final : Output {
  std::vector<uint32_t> jobs;
  void send(unsigned, const Address &, std::span<const uint8_t> datagram) override {
    jobs.push_back(decode(datagram)->job);
  }
};

} // namespace

// A batch of 30 large datagrams of one job, then 2 of another: they take turns by bytes, so the
// other one is served in the first turn and not behind all of the first.
TEST(Fairness, JobsOfABatchTakeTurns) {
  Order order;
  sw::Switch device({}, order);
  std::vector<std::vector<uint8_t>> datagrams;
  std::vector<Ingress> batch;
  for (int n = 0; n < 32; ++n) {
    Header header;
    header.type = PacketType::Contribute;
    header.job = n < 30 ? 1 : 2;
    header.session = 99; // nobody's: the answer is a Reset
    header.length = 16'000;
    std::vector<uint8_t> bytes(HeaderBytes + header.length);
    encode(header, bytes);
    Tagger(std::nullopt).seal(bytes);
    datagrams.push_back(std::move(bytes));
  }
  for (const std::vector<uint8_t> &bytes : datagrams)
    batch.push_back({0, {}, bytes});
  device.receive(batch, Second);
  ASSERT_EQ(order.jobs.size(), 32u);
  EXPECT_EQ(std::vector<uint32_t>(order.jobs.begin(), order.jobs.begin() + 4),
            (std::vector<uint32_t>{1, 1, 2, 2}));
}
