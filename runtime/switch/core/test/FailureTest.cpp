// What goes wrong around collectives: ranks that die or never come, switches that die or
// restart, calls that do not match, tables that are full. Every survivor is told who.
#include "runtime/switch/core/test/Reference.h"

#include <gtest/gtest.h>

#include <map>

using namespace acis;
using namespace acis::sim;
using namespace acis::wire;

namespace {

Cluster leavesAndSpine(uint32_t ranks) {
  Cluster cluster;
  cluster.ranks = ranks;
  cluster.parentOfSwitch = {2, 2, SessionOptions::NoSwitch};
  for (uint32_t r = 0; r < ranks; ++r)
    cluster.leafOfRank.push_back(uint16_t(r * 2 / ranks));
  cluster.config.deadAfter = 2 * Second;
  return cluster;
}

std::vector<uint32_t> iota(uint32_t n) {
  std::vector<uint32_t> out(n);
  for (uint32_t i = 0; i < n; ++i)
    out[i] = i;
  return out;
}

Collective allreduce(std::vector<int32_t> &in, std::vector<int32_t> &out, uint32_t context = 0) {
  Collective call;
  call.kind = Kind::Allreduce;
  call.context = context;
  call.op = ReduceOp::Sum;
  call.type = ElementType::Int32;
  call.count = in.size();
  call.send = in.data();
  call.recv = out.data();
  return call;
}

struct Job {
  explicit Job(const Cluster &cluster)
      : network(cluster), size(cluster.ranks), in(size, std::vector<int32_t>(4, 1)), out(in) {
    network.attach();
    network.add(0, iota(size));
  }
  Request start(uint32_t rank) {
    Result<Request> request = network.host(rank).start(allreduce(in[rank], out[rank]), network.now);
    EXPECT_TRUE(request);
    return request ? *request : 0;
  }
  bool allFailed(std::initializer_list<uint32_t> ranks) {
    return network.run(
        [&] {
          for (uint32_t r : ranks)
            if (network.host(r).failure().empty())
              return false;
          return true;
        },
        10 * Second);
  }

  Network network;
  uint32_t size;
  std::vector<std::vector<int32_t>> in, out;
};

TEST(Failure, RankThatNeverComesIsNamed) {
  Job job(leavesAndSpine(6));
  std::vector<Request> requests;
  for (uint32_t r : {0, 1, 2, 3, 5})
    requests.push_back(job.start(r));
  job.network.run([] { return false; }, Second);
  // On its own leaf and on the other one: rank 4's leaf has told the spine nothing of the
  // others there, so seen from the other leaf all of that leaf is missing.
  EXPECT_EQ(job.network.host(5).missing(requests[4]),
            "allreduce on context 0: rank 4 has not come");
  EXPECT_EQ(job.network.host(0).missing(requests[0]),
            "allreduce on context 0: ranks 3, 4, 5 have not come");
  EXPECT_EQ(job.network.host(0).failure(), "") << "it may still come";
  job.start(4);
  EXPECT_TRUE(job.network.run([&] { return job.network.host(0).isDone(requests[0]); }));
  EXPECT_EQ(job.out[0][0], 6);
}

TEST(Failure, DeadRankEndsTheJobEverywhere) {
  Job job(leavesAndSpine(4));
  job.network.kill(3);
  for (uint32_t r : {0, 1, 2})
    job.start(r);
  ASSERT_TRUE(job.allFailed({0, 1, 2}));
  for (uint32_t r : {0, 1, 2})
    EXPECT_EQ(job.network.host(r).failure().substr(0, 38),
              "rank 3 (10.1.0.3:9000) is gone: it has");
  // The job's memory is freed once its ranks are gone.
  for (uint32_t r : {0, 1, 2})
    job.network.kill(r);
  job.network.run([] { return false; }, 10 * Second);
  for (uint32_t id : {0, 1, 2}) {
    EXPECT_EQ(job.network.device(id).jobs(), 0u) << "switch " << id;
    EXPECT_EQ(job.network.device(id).sessions(), 0u) << "switch " << id;
    EXPECT_EQ(job.network.collectives(id).contexts(), 0u) << "switch " << id;
  }
}

Cluster answering(uint32_t ranks) {
  Cluster cluster = leavesAndSpine(ranks);
  cluster.config.deadAfter = 10 * Second;
  cluster.config.probes = true;
  return cluster;
}

TEST(Failure, DeathsAreNoticedSoonWhereMachinesAnswer) {
  Job job(answering(4));
  job.network.refuses = true;
  job.network.kill(3);
  const Time before = job.network.now;
  for (uint32_t r : {0, 1, 2})
    job.start(r);
  ASSERT_TRUE(job.allFailed({0, 1, 2}));
  EXPECT_LT(job.network.now - before, 5 * Second);
  EXPECT_EQ(job.network.host(0).failure(),
            "rank 3 (10.1.0.3:9000) is gone: nobody listens at its address any more");
  // So is a switch above, by what waits for it.
  Job other(answering(4));
  other.network.refuses = true;
  other.network.stop(2);
  const Time begin = other.network.now;
  for (uint32_t r : {0, 1, 2, 3})
    other.start(r);
  ASSERT_TRUE(other.allFailed({0, 1, 2, 3}));
  EXPECT_LT(other.network.now - begin, 5 * Second);
  EXPECT_EQ(other.network.host(0).failure(),
            "switch 10.2.0.2:9000 is gone: nobody listens at its address any more");
}

TEST(Failure, ForgedAnswersEndNobodyWhoIsThere) {
  Job job(answering(4));
  const Time end = job.network.now + 30 * Second;
  while (job.network.now < end) {
    for (uint32_t r = 0; r < 4; ++r)
      job.network.device(r / 2).refused(Network::hostAddress(r), job.network.now);
    job.network.device(0).refused(Network::switchAddress(2), job.network.now);
    job.network.run([] { return false; }, 100 * Millisecond);
  }
  for (uint32_t r = 0; r < 4; ++r)
    EXPECT_EQ(job.network.host(r).failure(), "");
}

TEST(Failure, SwitchAboveThatIsNotThereIsSaid) {
  for (const bool refuses : {true, false}) {
    Network network(answering(4));
    network.refuses = refuses;
    network.stop(2);
    network.attach();
    const Time begin = network.now;
    ASSERT_TRUE(network.host(0).join(0, iota(4), network.now));
    ASSERT_TRUE(network.run([&] { return !network.host(0).failure().empty(); }));
    EXPECT_LT(network.now - begin, (refuses ? 3 : 6) * Second);
    EXPECT_EQ(network.host(0).failure(),
              refuses ? "switch 10.2.0.2:9000: nobody listens there; start acisd, or name another "
                        "address"
                      : "switch 10.2.0.2:9000: the switch does not answer");
  }
}

TEST(Failure, JobThatHasFailedMayBeginAnew) {
  Job job(answering(4));
  job.network.refuses = true;
  job.network.kill(3);
  for (uint32_t r : {0, 1, 2})
    job.start(r);
  ASSERT_TRUE(job.allFailed({0, 1, 2}));
  // Not at once: some may not have heard of it.
  const Time before = job.network.now;
  for (uint32_t r = 0; r < 4; ++r)
    job.network.begin(r);
  job.network.attach();
  EXPECT_GT(job.network.now - before, Second / 2);
  EXPECT_LT(job.network.now - before, 2 * Second);
  job.network.add(0, iota(4));
  Request last = 0;
  for (uint32_t r = 0; r < 4; ++r)
    last = job.start(r);
  EXPECT_TRUE(job.network.run([&] { return job.network.host(3).isDone(last); }));
  EXPECT_EQ(job.out[3][0], 4);
}

TEST(Failure, WhoDoesNotAnswerLosesItsPlace) {
  Job job(answering(4));
  const Time before = job.network.now;
  job.network.kill(3);
  job.network.begin(3); // without the old one's session: nobody answers for it
  ASSERT_TRUE(job.allFailed({0, 1, 2}));
  EXPECT_LT(job.network.now - before, 3 * Second);
  for (uint32_t r = 0; r < 3; ++r)
    job.network.begin(r);
  job.network.attach();
}

TEST(Failure, RanksThatNameAnotherTurnAreRefused) {
  Job job(answering(4));
  job.network.kill(3);
  job.network.begin(3, 1);
  ASSERT_TRUE(job.allFailed({0, 1, 2})) << "3 has lost its place";
  const auto isAttached = [&] {
    return job.network.host(3).state() == collective::ParentLink::State::Attached;
  };
  ASSERT_TRUE(job.network.run(isAttached));
  job.network.begin(2);
  ASSERT_TRUE(job.network.run([&] { return !job.network.host(2).failure().empty(); }));
  EXPECT_EQ(job.network.host(2).failure(),
            "the switch refuses: job 7 goes by another switch above");
  EXPECT_EQ(job.network.host(3).failure(), "");
}

TEST(Failure, DeadSpineIsNamed) {
  Job job(leavesAndSpine(4));
  job.network.stop(2);
  for (uint32_t r : {0, 1, 2, 3})
    job.start(r);
  ASSERT_TRUE(job.allFailed({0, 1, 2, 3}));
  EXPECT_EQ(job.network.host(0).failure().substr(0, 30), "switch 10.2.0.2:9000 is gone: ");
}

TEST(Failure, DeadLeafIsNoticedOnBothSides) {
  Job job(leavesAndSpine(4));
  job.network.stop(0);
  for (uint32_t r : {0, 1, 2, 3})
    job.start(r);
  ASSERT_TRUE(job.allFailed({0, 1, 2, 3}));
  EXPECT_EQ(job.network.host(0).failure().substr(0, 19), "the switch is gone:");
  EXPECT_EQ(job.network.host(2).failure().substr(0, 33), "switch 0 (10.2.0.0:9000) is gone:");
}

TEST(Failure, RestartedSwitchIsNoticedAtOnce) {
  Job job(leavesAndSpine(4));
  job.network.restart(0);
  const Time before = job.network.now;
  job.start(0);
  ASSERT_TRUE(job.allFailed({0}));
  EXPECT_LT(job.network.now - before, Second);
  EXPECT_EQ(job.network.host(0).failure().substr(0, 49),
            "the switch does not know this rank's session: it ");
}

TEST(Failure, CallsThatDoNotMatch) {
  Job job(leavesAndSpine(2));
  job.start(0);
  Collective other = allreduce(job.in[1], job.out[1]);
  other.op = ReduceOp::Max;
  ASSERT_TRUE(job.network.host(1).start(other, job.network.now));
  ASSERT_TRUE(job.allFailed({0, 1}));
  EXPECT_EQ(job.network.host(0).failure(),
            "context 0: the ranks' calls do not match: operations sum and max (switch 1 differs "
            "from those before it)");
}

// OSU's benchmarks of non-blocking collectives are such a program.
TEST(Failure, ReduceOfDifferentOperationsGoesOn) {
  Job job(leavesAndSpine(4));
  const ReduceOp ops[] = {ReduceOp::Max, ReduceOp::Min, ReduceOp::Min, ReduceOp::Max};
  const int32_t values[] = {1, 5, 7, 3};
  for (uint32_t first : {0, 3}) { // whoever comes first does not matter
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t r = first == 0 ? i : 3 - i;
      job.in[r].assign(4, values[r]);
      Collective call = allreduce(job.in[r], job.out[r]);
      call.kind = Kind::Reduce;
      call.op = ops[r];
      ASSERT_TRUE(job.network.host(r).start(call, job.network.now));
      job.network.run([] { return false; }, Second);
    }
    EXPECT_EQ(job.out[0], std::vector<int32_t>(4, 5)) << "max of max(1, 5) and min(7, 3)";
    job.out[0].assign(4, 0);
  }
  for (uint32_t r : {0, 1, 2, 3})
    EXPECT_EQ(job.network.host(r).failure(), "");
}

/// Rank `rank` ends without the call that others make before or after it.
void leftOneOut(const Cluster &cluster, uint32_t rank, bool first, bool session,
                const std::string &who) {
  Job job(cluster);
  client::HostSession &leaver = job.network.host(rank);
  auto leave = [&] {
    if (session)
      leaver.close(job.network.now);
    else
      leaver.leave(0, job.network.now);
    // What it said has arrived, at the top, too, and its session may be forgotten.
    job.network.run([] { return false; }, 3 * Second);
  };
  if (first)
    leave();
  std::vector<uint32_t> others = iota(cluster.ranks);
  std::erase(others, rank);
  for (uint32_t other : others)
    job.start(other);
  if (!first)
    leave();
  for (uint32_t other : others) {
    ASSERT_TRUE(job.allFailed({other}));
    EXPECT_EQ(job.network.host(other).failure(), "context 0: the ranks' calls do not match: " +
                                                     who + " has left, others call allreduce");
  }
}

TEST(Failure, WhoLeavesIsNotWaitedFor) {
  Cluster one;
  for (const bool first : {false, true})
    for (const bool session : {false, true}) {
      leftOneOut(one, 1, first, session, "rank 1");
      leftOneOut(leavesAndSpine(4), 1, first, session, "rank 1");
      leftOneOut(leavesAndSpine(2), 1, first, session, "switch 1");
    }
}

// What it gave stays, and nobody needs it for what a source gives to others.
TEST(Failure, WhoLeavesMayHaveGiven) {
  for (const Cluster &cluster : {Cluster(), leavesAndSpine(4)}) {
    Job job(cluster);
    Collective reduce = allreduce(job.in[1], job.out[1]);
    reduce.kind = Kind::Reduce;
    ASSERT_TRUE(job.network.host(1).start(reduce, job.network.now));
    ASSERT_TRUE(job.network.run([&] { return job.network.host(1).idle(); }));
    job.network.host(1).close(job.network.now);
    job.network.run([] { return false; }, 3 * Second);
    std::vector<Request> requests;
    for (uint32_t rank : {0, 2, 3}) {
      reduce.send = job.in[rank].data();
      reduce.recv = job.out[rank].data();
      requests.push_back(*job.network.host(rank).start(reduce, job.network.now));
    }
    for (uint32_t rank : {2, 3, 0}) {
      Collective bcast = allreduce(job.in[rank], job.in[rank]);
      bcast.kind = Kind::Bcast;
      bcast.op = ReduceOp::None;
      bcast.root = 2;
      requests.push_back(*job.network.host(rank).start(bcast, job.network.now));
    }
    job.in[2].assign(4, 1);
    EXPECT_TRUE(job.network.run([&] {
      return job.network.host(0).isDone(requests[0]) && job.network.host(0).isDone(requests[5]);
    })) << job.network.host(0).failure();
    EXPECT_EQ(job.out[0], std::vector<int32_t>(4, 4));
  }
}

TEST(Failure, FullTableIsReportedAndTheRestGoesOn) {
  Cluster cluster = leavesAndSpine(4);
  cluster.config.maxContexts = 2;
  Job job(cluster);
  job.network.add(1, iota(4));
  EXPECT_EQ(*job.network.host(0).joinAnswer(1), "");
  job.network.add(2, iota(4));
  EXPECT_EQ(*job.network.host(0).joinAnswer(2),
            "full: the switch holds 2 communicators, its limit");
  for (uint32_t r = 0; r < 4; ++r)
    job.network.host(r).leave(1, job.network.now);
  ASSERT_TRUE(job.network.run([&] { return !job.network.host(0).isLeaving(1); }));
  job.network.run([] { return false; }, Second);
  EXPECT_EQ(job.network.collectives(2).contexts(), 1u);
  job.network.add(2, {0, 3});
  EXPECT_EQ(*job.network.host(0).joinAnswer(2), "") << "the freed entry can be used";
}

/// One member finds no room, another does: when both free it, nobody has an entry. Context 1 is
/// what fills the first member's switch.
void refusedForOne(const Cluster &shape, uint32_t refused, uint32_t accepted, uint32_t filler,
                   uint32_t holder) {
  Cluster cluster = shape;
  cluster.config.maxContexts = 2;
  Job job(cluster);
  const std::vector<uint32_t> pair = {refused, accepted};
  job.network.add(1, {filler});
  ASSERT_TRUE(job.network.host(refused).join(2, pair, job.network.now));
  ASSERT_TRUE(job.network.run([&] { return job.network.host(refused).joinAnswer(2).has_value(); }));
  EXPECT_EQ(*job.network.host(refused).joinAnswer(2),
            "full: the switch holds 2 communicators, its limit");
  job.network.host(filler).leave(1, job.network.now);
  ASSERT_TRUE(job.network.run([&] { return !job.network.host(filler).isLeaving(1); }));
  ASSERT_TRUE(job.network.host(accepted).join(2, pair, job.network.now));
  job.network.run([] { return false; }, Second);
  EXPECT_EQ(*job.network.host(accepted).joinAnswer(2), "");
  for (uint32_t rank : pair)
    job.network.host(rank).leave(2, job.network.now);
  EXPECT_TRUE(job.network.run([&] {
    return !job.network.host(refused).isLeaving(2) && !job.network.host(accepted).isLeaving(2);
  }));
  job.network.run([] { return false; }, Second);
  for (uint32_t id = 0; id <= holder; ++id)
    EXPECT_EQ(job.network.collectives(id).contexts(), 1u) << "switch " << id;
}

TEST(Failure, RefusedForOneMemberLeavesNothing) {
  Cluster one;
  one.ranks = 3;
  refusedForOne(one, 0, 1, 2, 0);
  refusedForOne(leavesAndSpine(4), 0, 3, 1, 2);
}

TEST(Failure, ContextOfAnotherGroupIsRefused) {
  Job job(leavesAndSpine(4));
  ASSERT_TRUE(job.network.host(0).join(5, std::vector<uint32_t>{0, 1}, job.network.now));
  ASSERT_TRUE(job.network.host(1).join(5, std::vector<uint32_t>{1, 0}, job.network.now));
  job.network.run([] { return false; }, Second);
  EXPECT_EQ(*job.network.host(0).joinAnswer(5), "");
  EXPECT_EQ(*job.network.host(1).joinAnswer(5),
            "context 5 is in use by another group; context ids must be free on all members");
}

TEST(Failure, JobThatEndsLeavesNothing) {
  Job job(leavesAndSpine(4));
  for (uint32_t r = 0; r < 4; ++r)
    job.start(r);
  ASSERT_TRUE(job.network.run([&] {
    for (uint32_t r = 0; r < 4; ++r)
      if (!job.network.host(r).idle())
        return false;
    return true;
  }));
  for (uint32_t r = 0; r < 4; ++r)
    job.network.host(r).close(job.network.now);
  job.network.run([] { return false; }, 20 * Second);
  for (uint32_t r = 0; r < 4; ++r)
    EXPECT_EQ(job.network.host(r).state(), collective::ParentLink::State::Closed);
  for (uint32_t id : {0, 1, 2}) {
    EXPECT_EQ(job.network.device(id).jobs(), 0u) << "switch " << id;
    EXPECT_EQ(job.network.device(id).counters().jobsFailed, 0u) << "switch " << id;
  }
}

TEST(Failure, JobOutOfMemoryWaitsAndOthersGoOn) {
  Cluster cluster = leavesAndSpine(2);
  cluster.config.maxJobBytes = 64;
  Job job(cluster);
  const Request request = job.start(0);
  job.start(1);
  EXPECT_TRUE(job.network.run([&] { return job.network.host(0).isDone(request); }))
      << "4 integers fit";
  std::vector<int32_t> in(1000), out(1000);
  Result<Request> large = job.network.host(0).start(allreduce(in, out), job.network.now);
  ASSERT_TRUE(large);
  job.network.run([] { return false; }, Second);
  EXPECT_EQ(job.network.host(0).missing(*large),
            "allreduce on context 0: the switch has not confirmed this rank's message");
}

/// What a capture is told of the datagrams that went no further.
struct Drops final : sw::Tap {
  std::map<std::string, unsigned> reasons;
  void arrived(const sw::Ingress &, Time) override {}
  void verdict(const sw::Services::Verdict &verdict) override {
    ++reasons[std::string(verdict.dropped)];
  }
  void sent(unsigned, const Address &, std::span<const uint8_t>, Time) override {}
};

uint64_t statistic(sw::Switch &device, std::string_view wanted) {
  for (const auto &[name, value] : device.statistics())
    if (name == wanted)
      return value;
  return ~uint64_t(0);
}

TEST(Failure, CapturesSayWhyACollectivesPacketWasDropped) {
  Drops drops;
  Cluster cluster = leavesAndSpine(4);
  cluster.faults.loss = 0.3;
  cluster.config.maxJobBytes = 4096;
  cluster.config.deadAfter = 60 * Second;
  Job job(cluster);
  job.network.device(0).watch(&drops);
  for (unsigned i = 0; i < 20; ++i)
    for (uint32_t r = 0; r < 4; ++r)
      job.start(r);
  ASSERT_TRUE(job.network.run([&] { return job.network.host(0).idle(); }));
  EXPECT_GT(drops.reasons["duplicate"], 0u);
  EXPECT_EQ(drops.reasons["duplicate"], statistic(job.network.device(0), "dropped_duplicate"));
  EXPECT_EQ(drops.reasons["the job's memory in the switch is used up"], 0u);
  std::vector<int32_t> in(4000), out(4000);
  ASSERT_TRUE(job.network.host(0).start(allreduce(in, out), job.network.now));
  job.network.run([] { return false; }, Second);
  EXPECT_GT(drops.reasons["the job's memory in the switch is used up"], 0u);
  job.network.device(0).watch(nullptr);
}

} // namespace
