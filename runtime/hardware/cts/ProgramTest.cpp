// Control: invocations and packets, stream positions, launches back to back, scalar
// stream accesses, memory and counters.
#include "runtime/hardware/cts/Harness.h"

using namespace acis;
using namespace acis::cts;
using isa::LoopContext;
using isa::Op;
using isa::Source;

namespace {

/// out[i] = in[i] + argument 2.
LoopContext addContext(const Overlay &overlay) {
  LoopContext loop = streamContext(overlay, 1, 32, 4, 4);
  loop.numArgs = 3;
  loop.streamInSlots[0].on = true;
  isa::Slot &word = loop.pes[0].slots[0];
  word.op = Op::Add;
  word.a = operand(Source::StreamIn);
  word.b = operand(Source::Imm0);
  word.immArg[0] = 2;
  word.streamOut = {true, 6, operand(Source::Res), {}};
  finishContext(loop, overlay);
  return loop;
}

std::vector<uint32_t> counting(uint32_t from, size_t count) {
  std::vector<uint32_t> values(count);
  for (uint32_t &value : values)
    value = from++;
  return values;
}

class Program : public Conformance {
protected:
  Outcome runGood(const Job &job) {
    const Outcome outcome = job.run(GetParam());
    EXPECT_EQ(outcome.error, "");
    EXPECT_FALSE(outcome.trap) << outcome.trap->what << " at " << outcome.trap->pc;
    return outcome;
  }
  const Overlay overlay = testOverlay();
};

TEST_P(Program, ProductsBehindDivisions) {
  // The quotient is written when the product is about to be made: each gets its own.
  using namespace as;
  constexpr uint32_t a = 1000003, b = 12;
  Job job(overlay);
  Words &code = job.binary.code;
  li(code, t0, a);
  li(code, t1, b);
  li(code, t2, 0);
  std::vector<uint32_t> expected;
  for (uint32_t funct3 : {4u, 5u, 6u, 7u}) { // div, divu, rem, remu
    code.push_back(rType(0x33, funct3, 1, s0, t0, t1));
    code.push_back(rType(0x33, 0, 1, s1, t0, t1));
    for (uint32_t result : {s0, s1}) {
      code.push_back(streamout(result, t2, 2));
      code.push_back(addi(t2, t2, 4));
    }
    expected.insert(expected.end(), {funct3 < 6 ? a / b : a % b, a * b});
  }
  code.push_back(wfi);
  job.packets = {Bytes(4)};
  const Outcome outcome = runGood(job);
  ASSERT_EQ(outcome.packets.size(), 1u);
  EXPECT_EQ(valuesOf<uint32_t>(outcome.packets[0]), expected);
}

TEST_P(Program, InvocationsOwnTheShortestRunOfPackets) {
  Job job(overlay);
  job.binary.contexts = {addContext(overlay)};
  job.binary.code = launchCode(2, 0, {0, 0, 100}); // 128 bytes
  // One packet with something left over, then two that only together are enough.
  job.packets = {bytesOf(counting(0, 40)), bytesOf(counting(1000, 20)), bytesOf(counting(1020, 20)),
                 bytesOf(counting(2000, 32))};
  const Outcome outcome = runGood(job);
  ASSERT_EQ(outcome.packets.size(), 3u);
  EXPECT_EQ(valuesOf<uint32_t>(outcome.packets[0]), counting(100, 32));
  EXPECT_EQ(valuesOf<uint32_t>(outcome.packets[1]), counting(1100, 32));
  EXPECT_EQ(valuesOf<uint32_t>(outcome.packets[2]), counting(2100, 32));
  EXPECT_EQ(outcome.counters.packetsIn, 4u);
  EXPECT_EQ(outcome.counters.packetsOut, 3u);
  EXPECT_EQ(outcome.counters.bytesIn, 160u + 80 + 80 + 128);
  EXPECT_EQ(outcome.counters.bytesOut, 3u * 128);
  EXPECT_EQ(outcome.counters.beatsIn, 3u + 2 + 2 + 2);
  EXPECT_EQ(outcome.counters.iterations, 6u);
  for (const auto &[name, count] : outcome.counters.instructions)
    if (name == "acis.launch") {
      EXPECT_EQ(count, 3u);
    }
}

TEST_P(Program, LaunchesBackToBackWithSkips) {
  Job job(overlay);
  job.binary.contexts = {addContext(overlay)};
  Words &code = job.binary.code;
  // 1 beat from byte 0, 3 elements from byte 100, 2 beats from byte 112.
  const uint32_t from[] = {0, 100, 112}, beats[] = {1, 1, 2}, tails[] = {0, 3, 1};
  uint32_t sent = 0;
  std::vector<uint32_t> expected;
  for (unsigned k = 0; k < 3; ++k) {
    const Words launch = launchCode(beats[k], tails[k], {from[k], sent, k * 1000});
    code.insert(code.end(), launch.begin(), launch.end() - 1);
    const uint32_t elements = (beats[k] - 1) * 16 + (tails[k] ? tails[k] : 16);
    sent += elements * 4;
    for (uint32_t e = 0; e < elements; ++e)
      expected.push_back(from[k] / 4 + e + k * 1000);
  }
  code.push_back(as::wfi);
  job.packets = {bytesOf(counting(0, 60))};
  const Outcome outcome = runGood(job);
  ASSERT_EQ(outcome.packets.size(), 1u);
  EXPECT_EQ(valuesOf<uint32_t>(outcome.packets[0]), expected);
}

TEST_P(Program, ZeroIterationsAreNothing) {
  Job job(overlay);
  job.binary.contexts = {addContext(overlay)};
  job.binary.code = launchCode(0, 0, {0, 0, 1});
  job.packets = {Bytes(64), Bytes(64)};
  const Outcome outcome = runGood(job);
  EXPECT_TRUE(outcome.packets.empty());
  EXPECT_EQ(outcome.counters.packetsIn, 2u);
  EXPECT_EQ(outcome.counters.iterations, 0u);
}

TEST_P(Program, ScalarStreamAccess) {
  Job job(overlay);
  Words &code = job.binary.code;
  code.push_back(as::streamin(as::a4, as::zero, 0)); // u8 at 0
  code.push_back(as::addi(as::t0, as::zero, 1));
  code.push_back(as::streamin(as::a5, as::t0, 4)); // s8 at 1
  code.push_back(as::addi(as::t0, as::zero, 3));
  code.push_back(as::streamin(as::a6, as::t0, 5)); // s16 at 3
  code.push_back(as::csrr(as::a7, 0x800));         // pktlen
  uint32_t position = 0;
  for (uint32_t reg : {as::a4, as::a5, as::a6, as::a7}) {
    code.push_back(as::addi(as::t1, as::zero, int32_t(position)));
    code.push_back(as::streamout(reg, as::t1, 2));
    position += 4;
  }
  code.push_back(as::addi(as::t1, as::zero, 16));
  code.push_back(as::streamout(as::a5, as::t1, 0)); // low byte only
  code.push_back(as::addi(as::t1, as::zero, 17));
  code.push_back(as::csrrw(0, 0x800, as::t1));
  code.push_back(as::wfi);
  job.packets = {Bytes{0xfe, 0xfd, 0, 0x34, 0x92, 7}};
  const Outcome outcome = runGood(job);
  ASSERT_EQ(outcome.packets.size(), 1u);
  Bytes expected = bytesOf(std::vector<uint32_t>{0xfe, 0xfffffffd, 0xffff9234, 6});
  expected.push_back(0xfd);
  EXPECT_EQ(outcome.packets[0], expected);
}

TEST_P(Program, TilesSkipped) {
  Job job(overlay);
  Words &code = job.binary.code;
  code.push_back(as::addi(as::t0, as::zero, 5));
  code.push_back(as::tile(as::a4, as::t0, as::zero)); // expects 5, finds 9
  code.push_back(as::addi(as::t1, as::zero, 4));
  code.push_back(as::tile(as::a5, as::t0, as::t1)); // finds 2: none skipped
  code.push_back(as::streamout(as::a4, as::zero, 2));
  code.push_back(as::streamout(as::a5, as::t1, 2));
  code.push_back(as::wfi);
  job.packets = {bytesOf(std::vector<uint32_t>{9, 2})};
  const Outcome outcome = runGood(job);
  ASSERT_EQ(outcome.packets.size(), 1u);
  EXPECT_EQ(valuesOf<uint32_t>(outcome.packets[0]), (std::vector<uint32_t>{9, 2}));
  EXPECT_EQ(outcome.counters.tilesSkipped, 4u);
}

TEST_P(Program, StateStaysBetweenInvocations) {
  // Counts in the job's memory and in scratch.
  Job job(overlay);
  Words &code = job.binary.code;
  as::li(code, as::t2, 0x10000040);
  for (uint32_t base : {uint32_t(as::a2), uint32_t(as::t2)}) {
    code.push_back(as::lw(as::a4, base, 8));
    code.push_back(as::addi(as::a4, as::a4, 3));
    code.push_back(as::sw(as::a4, base, 8));
  }
  code.push_back(as::streamout(as::a4, as::zero, 2));
  code.push_back(as::wfi);
  job.packets = {Bytes(1), Bytes(1), Bytes(1)};
  job.memory.resize(16);
  const Outcome outcome = runGood(job);
  ASSERT_EQ(outcome.packets.size(), 3u);
  EXPECT_EQ(valuesOf<uint32_t>(outcome.packets[2]), (std::vector<uint32_t>{9}));
  EXPECT_EQ(valuesOf<uint32_t>(outcome.memory), (std::vector<uint32_t>{0, 0, 9, 0}));
}

TEST_P(Program, LoadResetsEverything) {
  Job job(overlay);
  job.binary.contexts = {addContext(overlay)};
  job.binary.code = launchCode(1, 0, {0, 0, 1});
  auto image = loadImage(job.binary.elf(), overlay);
  ASSERT_TRUE(bool(image));
  std::unique_ptr<Device> device = GetParam().make(overlay);
  EXPECT_FALSE(bool(device->load(*image, "nobody")));
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(bool(device->load(*image, "test")));
    ASSERT_TRUE(bool(device->resizeMemory(64)));
    EXPECT_EQ(device->memory()[5], 0);
    device->memory()[5] = 1;
    device->push(Bytes(10)); // too short: a trap
    EXPECT_FALSE(bool(device->run()));
    EXPECT_NE(device->trap(), nullptr);
  }
  ASSERT_TRUE(bool(device->load(*image, "")));
  EXPECT_EQ(device->trap(), nullptr);
  EXPECT_EQ(device->counters().bytesIn, 0u);
  device->push(Bytes(64));
  EXPECT_TRUE(bool(device->run()));
  Bytes packet;
  EXPECT_TRUE(device->pop(packet));
  EXPECT_FALSE(device->pop(packet));
}

ACIS_CONFORMANCE(Program);

} // namespace
