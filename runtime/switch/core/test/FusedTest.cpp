// CCCFs in the switch: each pair of collectives against a plain reference, programs on the
// wire with anything wrong with them, and their way through lossy networks and two levels of
// switches. What the op computes is tested with compiled ones: test/Mpi/fused.test.
#include "runtime/io/Bytes.h"
#include "runtime/switch/core/FusedPrograms.h"
#include "runtime/switch/core/test/SimNetwork.h"
#include "runtime/switch/wire/Control.h"

#include <gtest/gtest.h>

#include <random>

using namespace acis;
using namespace acis::collective;

namespace {

constexpr uint32_t Ranks = 5;

FusedStep stepOf(Kind kind, uint32_t count, uint32_t root) {
  FusedStep step;
  step.present = true;
  step.kind = kind;
  step.op = ReduceOp::Sum;
  step.type = ElementType::Int32;
  step.count = count;
  step.root = root;
  return step;
}

/// MPI's definition, element by element.
int32_t expected(const FusedStep &step, const std::vector<std::vector<int32_t>> &send, uint32_t me,
                 uint32_t i) {
  const uint32_t n = step.count;
  int32_t sum = 0;
  switch (step.kind) {
  case Kind::Allreduce:
  case Kind::Reduce:
    for (const std::vector<int32_t> &from : send)
      sum += from[i];
    return sum;
  case Kind::Scan:
    for (uint32_t r = 0; r <= me; ++r)
      sum += send[r][i];
    return sum;
  case Kind::ReduceScatterBlock:
    for (const std::vector<int32_t> &from : send)
      sum += from[me * n + i];
    return sum;
  case Kind::Bcast:
    return send[step.root][i];
  case Kind::Scatter:
    return send[step.root][me * n + i];
  case Kind::Alltoall:
    return send[i / n][me * n + i % n];
  default: // Gather, Allgather
    return send[i / n][i % n];
  }
}

FusedProgram sample() {
  FusedProgram program;
  program.first = stepOf(Kind::Allreduce, 8, 0);
  program.second = stepOf(Kind::Alltoall, 1, 0);
  program.streamBytes = 40;
  program.inboundBytes = 64;
  program.sentBytes = 4 * Ranks;
  program.outputBytes = 4 * Ranks + 8;
  program.elf = {1, 2, 3};
  return program;
}

TEST(Fused, StepsAreThoseOfMpi) {
  for (Kind kind : {Kind::Allreduce, Kind::Reduce, Kind::Scan, Kind::ReduceScatterBlock,
                    Kind::Bcast, Kind::Scatter, Kind::Alltoall, Kind::Gather, Kind::Allgather})
    for (uint32_t root : {0u, 3u}) {
      const FusedStep step = stepOf(kind, 7, root);
      std::mt19937 random(unsigned(kind) + root);
      std::vector<std::vector<int32_t>> send(Ranks), got(Ranks);
      std::vector<std::span<const uint8_t>> from;
      std::vector<std::span<uint8_t>> to;
      for (uint32_t r = 0; r < Ranks; ++r) {
        send[r].resize(step.sendBytes(Ranks) / 4);
        got[r].assign(step.resultBytes(Ranks) / 4, -1);
        for (int32_t &value : send[r])
          value = int32_t(random() % 1000);
        from.push_back(
            std::as_bytes(std::span(send[r])).size()
                ? std::span(reinterpret_cast<const uint8_t *>(send[r].data()), 4 * send[r].size())
                : std::span<const uint8_t>());
        to.push_back({reinterpret_cast<uint8_t *>(got[r].data()), 4 * got[r].size()});
      }
      step.perform(from, to);
      for (uint32_t r = 0; r < Ranks; ++r)
        for (uint32_t i = 0; i < got[r].size(); ++i)
          EXPECT_EQ(got[r][i], step.hasResult(r) ? expected(step, send, r, i) : -1)
              << nameOf(kind) << " rank " << r << " element " << i;
    }
}

TEST(Fused, ProgramsAreReadAsTheyWereWritten) {
  const FusedProgram program = sample();
  Result<FusedProgram> read = FusedProgram::read(program.write());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->write(), program.write());
  EXPECT_EQ(read->elf, program.elf);
  EXPECT_EQ(program.problem(Ranks), "");
  // 8 of head; 32 sent, 8 more of the packet, 64 of memory; 32, 28 and 20 come back.
  EXPECT_EQ(program.blockBytes(Ranks), 8u + 104u);
}

TEST(Fused, BadProgramsAreRefused) {
  const std::vector<uint8_t> good = sample().write();
  for (size_t size = 0; size < 64; ++size)
    EXPECT_FALSE(FusedProgram::read(std::span(good).first(size)));
  for (size_t at = 4; at < 32; at += 4) { // version, and each field of the first collective
    std::vector<uint8_t> bad = good;
    bad[at + 1] = 0xff;
    Result<FusedProgram> read = FusedProgram::read(bad);
    EXPECT_EQ(bool(read), at == 24 || at == 28) << at; // a count and a root may be anything
  }
  FusedProgram large = sample();
  large.outputBytes = 1 << 24;
  EXPECT_FALSE(FusedProgram::read(large.write()));
  FusedProgram sends = sample();
  sends.sentBytes = sends.outputBytes + 4;
  EXPECT_FALSE(FusedProgram::read(sends.write()));

  FusedProgram first = sample();
  first.first.kind = Kind::Reduce;
  EXPECT_NE(first.problem(Ranks), "");
  FusedProgram root = sample();
  root.second.root = Ranks;
  EXPECT_NE(root.problem(Ranks), "");
  FusedProgram few = sample();
  few.sentBytes = 4;
  EXPECT_NE(few.problem(Ranks), "");
}

TEST(Fused, ASwitchTellsWhatItDoesNotRun) {
  sw::FusedPrograms none(nullptr);
  const std::vector<uint8_t> bytes = sample().write();
  Status status = none.load(1, wire::operatorHash(bytes, ""), bytes, "");
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().str().find("no overlay"), std::string::npos);
  std::vector<uint8_t> blocks(2 * 16, 1);
  none.run(1, 5, 16, blocks);
  EXPECT_EQ(io::load<uint32_t>(blocks.data()), uint32_t(FusedOutcome::Failed));
  EXPECT_EQ(io::load<uint32_t>(blocks.data() + 16), uint32_t(FusedOutcome::Failed));
  none.run(1, 5, 0, blocks); // a block without a head
  EXPECT_EQ(none.counters().failed, 2u);
}

/// Each rank gives a block to a program that the switch does not have, again and again: all
/// are told, whatever is lost on the way, and other collectives go on between.
void throughNetwork(sim::Cluster shape) {
  sim::Network network(shape);
  network.attach();
  network.add(1, {0, 1, 2, 3});
  constexpr unsigned Rounds = 60;
  std::vector<std::vector<uint8_t>> given(4), got(4);
  std::vector<int32_t> value(4), sum(4);
  for (unsigned round = 0; round < Rounds; ++round) {
    std::vector<Request> requests(8);
    for (uint32_t r = 0; r < 4; ++r) {
      given[r].assign(1000, uint8_t(round));
      got[r].assign(1000, 0);
      io::store(given[r].data(), r);
      Collective fused;
      fused.kind = Kind::Fused;
      fused.context = 1;
      fused.count = 1000;
      fused.operatorHandle = 77;
      fused.send = given[r].data();
      fused.recv = got[r].data();
      Result<Request> started = network.host(r).start(fused, network.now);
      ASSERT_TRUE(started);
      requests[r] = *started;
      value[r] = int32_t(r + round);
      Collective plain;
      plain.context = 1;
      plain.kind = Kind::Allreduce;
      plain.op = ReduceOp::Sum;
      plain.type = ElementType::Int32;
      plain.count = 1;
      plain.send = &value[r];
      plain.recv = &sum[r];
      started = network.host(r).start(plain, network.now);
      ASSERT_TRUE(started);
      requests[4 + r] = *started;
    }
    ASSERT_TRUE(network.run([&] {
      for (uint32_t i = 0; i < 8; ++i)
        if (!network.host(i % 4).isDone(requests[i]))
          return false;
      return true;
    }));
    for (uint32_t r = 0; r < 4; ++r) {
      EXPECT_EQ(io::load<uint32_t>(got[r].data()), uint32_t(FusedOutcome::Failed));
      EXPECT_EQ(got[r][999], uint8_t(round)); // its own block came back
      EXPECT_EQ(sum[r], int32_t(6 + 4 * round));
    }
  }
}

TEST(Fused, OnALossyNetwork) {
  sim::Cluster shape;
  shape.keys = true;
  shape.faults.loss = shape.faults.duplicate = shape.faults.reorder = shape.faults.corrupt = 0.05;
  throughNetwork(shape);
}

TEST(Fused, OverASpine) {
  sim::Cluster shape;
  shape.keys = true;
  shape.leafOfRank = {0, 1, 0, 1};
  shape.parentOfSwitch = {2, 2, SessionOptions::NoSwitch};
  shape.faults.loss = 0.05;
  throughNetwork(shape);
}

TEST(Fused, LargeBlocksAreRefusedByTheHost) {
  sim::Network network(sim::Cluster{});
  network.attach();
  network.add(1, {0, 1, 2, 3});
  Collective fused;
  fused.kind = Kind::Fused;
  fused.context = 1;
  fused.count = sw::SwitchConfig{}.messageBytes / 4; // of each of the four
  EXPECT_TRUE(network.host(0).plan(fused));
  fused.count++;
  Result<client::Plan> plan = network.host(0).plan(fused);
  ASSERT_FALSE(plan);
  EXPECT_NE(plan.error().str().find("does not fit one message"), std::string::npos);
}

} // namespace
