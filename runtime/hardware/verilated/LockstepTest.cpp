// Engines `model` and `rtl` on random programs: the same bytes, traps and counters in the same
// number of cycles; and with random latencies, gaps and back-pressure still the same bytes.
#include "runtime/engine/loader/Image.h"
#include "runtime/engine/model/Model.h"
#include "runtime/engine/programs/Compare.h"
#include "runtime/engine/programs/ContextBuilder.h"
#include "runtime/engine/programs/RandomProgram.h"
#include "runtime/hardware/verilated/Verilated.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <optional>

namespace acis::rtl {
namespace {

using cts::Bytes;

struct Outcome {
  std::string error;
  std::vector<Bytes> packets;
  Bytes memory;
  std::optional<Trap> trap;
  Counters counters;
};

Outcome runOn(Device &device, const model::RandomProgram &program) {
  Outcome outcome;
  auto fails = [&](const Status &status) {
    if (!status)
      outcome.error = status.error().str();
    return !status;
  };
  auto image = loadImage(program.binary.elf(), device.overlay());
  if (!image) {
    outcome.error = image.error().str();
    return outcome;
  }
  if (fails(device.load(*image, "")) || fails(device.resizeMemory(program.memory.size())))
    return outcome;
  std::copy(program.memory.begin(), program.memory.end(), device.memory().begin());
  for (const Bytes &packet : program.packets)
    device.push(packet);
  fails(device.run());
  for (Bytes packet; device.pop(packet);)
    outcome.packets.push_back(packet);
  outcome.memory.assign(device.memory().begin(), device.memory().end());
  if (device.trap())
    outcome.trap = *device.trap();
  outcome.counters = device.counters();
  return outcome;
}

void expectSameData(const Outcome &got, const Outcome &expected) {
  EXPECT_EQ(got.error, expected.error);
  EXPECT_EQ(got.packets, expected.packets);
  EXPECT_EQ(got.trap.has_value(), expected.trap.has_value());
  if (got.trap && expected.trap) {
    EXPECT_EQ(got.trap->what, expected.trap->what);
    EXPECT_EQ(got.trap->pc, expected.trap->pc);
  }
  if (expected.trap)
    return; // how much was done before a trap depends on time
  EXPECT_TRUE(got.memory == expected.memory);
  EXPECT_EQ(got.counters.iterations, expected.counters.iterations);
  EXPECT_EQ(got.counters.bytesOut, expected.counters.bytesOut);
  EXPECT_EQ(got.counters.instructions, expected.counters.instructions);
}

std::unique_ptr<Device> rtlDevice(const Overlay &overlay, uint64_t seed) {
  auto device = makeRtlDevice(overlay, {seed, ""});
  EXPECT_TRUE(bool(device)) << device.error().str();
  return device ? std::move(*device) : nullptr;
}

class LockstepTest : public testing::TestWithParam<unsigned> {};

TEST_P(LockstepTest, ModelAndRtlAgree) {
  const Overlay overlay = *Overlay::load("tiny.json");
  const unsigned seed = GetParam();
  std::mt19937 random(seed);
  const model::RandomProgram program = model::randomProgram(overlay, random);
  const Outcome expected = runOn(*makeModelDevice(overlay), program);
  const Outcome exact = runOn(*rtlDevice(overlay, 0), program);
  SCOPED_TRACE("seed " + std::to_string(seed));
  expectSameData(exact, expected);
  cts::expectSameCounters(exact.counters, expected.counters, expected.trap.has_value());
  const Outcome disturbed = runOn(*rtlDevice(overlay, seed + 1), program);
  SCOPED_TRACE("disturbed");
  expectSameData(disturbed, expected);
}

/// ACIS_LOCKSTEP_SEEDS=1000 for a long run.
unsigned seeds() {
  const char *text = std::getenv("ACIS_LOCKSTEP_SEEDS");
  return text ? unsigned(std::atoi(text)) : 25;
}
INSTANTIATE_TEST_SUITE_P(Seeds, LockstepTest, testing::Range(0u, seeds()));

// An interlocked write is made early with a result of the float unit (latency 4), two cycles of
// array time ahead of the read that waits; a result of the integer unit (latency 1) is due at that
// read.
TEST(RtlDeviceTest, EarlyWriteTakesItsOwnResult) {
  const Overlay overlay = *Overlay::load("tiny.json");
  model::RandomProgram program(overlay);
  isa::LoopContext loop = cts::emptyContext(overlay, 3);
  loop.numArgs = 1;
  loop.streamOut = {true, {4, false, false}, 0};
  isa::PeContext &words = loop.pes[0];
  words.addresses = {{.base = 0, .limit = 1}};
  words.slots[0].read[0].on = true;
  words.slots[0].streamOut = {true, 0, cts::operand(isa::Source::Vrf0), {}};
  isa::Slot &sum = words.slots[1], &last = words.slots[2];
  sum.op = isa::Op::Fadd;
  sum.type = isa::Type::F32;
  sum.a = {isa::Source::Vrf0, 1};
  sum.b = cts::operand(isa::Source::Imm0);
  sum.imm[0] = 0x3f800000;
  last.op = isa::Op::Add;
  last.a = last.b = cts::operand(isa::Source::Imm0);
  last.imm[0] = 0x1234;
  last.write.on = last.write.interlock = true;
  last.write.stage = 1;
  last.write.data = cts::operand(isa::Source::Res);
  program.binary.contexts = {loop};
  cts::finishContext(program.binary.contexts[0], overlay);
  program.binary.code = {cts::as::addi(cts::as::t0, cts::as::zero, 6),
                         cts::as::launch(0, cts::as::t0, cts::as::zero), cts::as::wfi};
  program.packets = {Bytes(16)};
  const Outcome expected = runOn(*makeModelDevice(overlay), program);
  EXPECT_EQ(expected.counters.stalls[unsigned(Stall::Interlock)], 5u * 3);
  expectSameData(runOn(*rtlDevice(overlay, 0), program), expected);
}

TEST(RtlDeviceTest, RefusesAnOverlayThatWasNotTranslated) {
  Overlay overlay = *Overlay::load("tiny.json");
  overlay.fifoBeats = 7;
  auto device = makeRtlDevice(overlay, {});
  ASSERT_FALSE(bool(device));
  EXPECT_NE(device.error().what.find("is not in this program"), std::string::npos);
}

} // namespace
} // namespace acis::rtl
