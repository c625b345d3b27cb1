// Elements that a predicate leaves out of the output stream, and register files that do not
// begin with zeros.
#include "runtime/hardware/cts/Harness.h"

using namespace acis;
using namespace acis::cts;
using isa::LoopContext;
using isa::Op;
using isa::Source;

namespace {

class Append : public Conformance {};

/// Sends the elements whose lowest bit is set, and one more than each (always).
LoopContext oddContext(const Overlay &overlay) {
  LoopContext loop = streamContext(overlay, 2, 32, 4, 4);
  loop.scalar = true;
  loop.streamInSlots[0].on = true;
  isa::Slot &first = loop.pes[0].slots[0], &second = loop.pes[0].slots[1];
  first.op = Op::And;
  first.a = operand(Source::StreamIn);
  first.b = operand(Source::Imm0);
  first.imm[0] = 1; // at time 2 on
  second.op = Op::Add;
  second.a = operand(Source::StreamIn, 1);
  second.b = operand(Source::Imm0);
  second.imm[0] = 1;
  const unsigned andDone = latencyOf(Op::And, overlay), addDone = 1 + latencyOf(Op::Add, overlay);
  // Both pushes one after the other, when both values are there.
  unsigned time = std::max(andDone, addDone);
  time += time % 2;
  loop.pes[0].slots[0].streamOut = {true, uint8_t(time / 2), operand(Source::StreamIn, time),
                                    operand(Source::Res, time - andDone)};
  loop.pes[0].slots[1].streamOut = {
      true, uint8_t(time / 2), operand(Source::Res, time + 1 - addDone), {}};
  finishContext(loop, overlay);
  return loop;
}

TEST_P(Append, LeavesElementsOut) {
  const Overlay overlay = testOverlay();
  for (uint32_t count : {1u, 2u, 33u, 500u}) {
    Job job(overlay);
    job.binary.contexts = {oddContext(overlay)};
    job.binary.code = launchCode(count);
    std::vector<uint32_t> in(count), expected;
    std::mt19937 random(count);
    for (uint32_t &value : in) {
      value = random();
      if (value & 1)
        expected.push_back(value);
      expected.push_back(value + 1);
    }
    job.packets = {bytesOf(in), bytesOf(in)};
    const Outcome outcome = job.run(GetParam());
    ASSERT_EQ(outcome.error, "");
    ASSERT_FALSE(outcome.trap) << outcome.trap->what;
    ASSERT_EQ(outcome.packets.size(), 2u);
    EXPECT_EQ(valuesOf<uint32_t>(outcome.packets[0]), expected);
    EXPECT_EQ(valuesOf<uint32_t>(outcome.packets[1]), expected);
    EXPECT_EQ(outcome.counters.bytesOut, 8 * expected.size());
  }
}

/// What follows is sent where the loop stopped, and nowhere else.
TEST_P(Append, TheNextPositionIsWhatWasSent) {
  const Overlay overlay = testOverlay();
  for (int32_t position : {12, 16, 8}) {
    Job job(overlay);
    job.binary.contexts = {oddContext(overlay)};
    job.binary.code = launchCode(2);
    Words &code = job.binary.code;
    code.pop_back();
    code.push_back(as::addi(as::t0, as::zero, position));
    code.push_back(as::streamout(as::t0, as::t0, 2));
    code.push_back(as::wfi);
    job.packets = {bytesOf(std::vector<uint32_t>{4, 7})};
    const Outcome outcome = job.run(GetParam());
    EXPECT_EQ(outcome.trap.has_value(), position != 12);
    if (position == 12) {
      EXPECT_EQ(valuesOf<uint32_t>(outcome.packets.at(0)), (std::vector<uint32_t>{5, 7, 8, 12}));
    }
  }
}

TEST_P(Append, OnlyInScalarLoops) {
  const Overlay overlay = testOverlay();
  Job job(overlay);
  LoopContext loop = oddContext(overlay);
  loop.scalar = false;
  job.binary.contexts = {loop};
  job.binary.code = launchCode(1);
  EXPECT_NE(job.run(GetParam()).error.find("none in a loop of lanes"), std::string::npos);
}

/// Sends the first beats of PE 1.
TEST_P(Append, RegisterFilesBeginWithInitialValues) {
  const Overlay overlay = testOverlay();
  LoopContext loop = streamContext(overlay, 1, 32, 0, 4);
  isa::VrfAddress address;
  address.limit = 4;
  address.stride1 = 1;
  loop.pes[1].addresses = {address};
  loop.pes[1].slots[0].read[0].on = true;
  loop.pes[1].slots[0].streamOut = {true, 0, operand(Source::Vrf0), {}};
  finishContext(loop, overlay);
  Job job(overlay);
  job.binary.contexts = {loop};
  job.binary.code = launchCode(4);
  const uint32_t beat = overlay.beatBytes(), words = beat / 4;
  // Two parts with the same content, the second over the end of a beat.
  job.binary.initial = {2, 0, 1, 4, 44, 8, 0, 1, 2 * beat - 4, 44, 8, 77, 88};
  job.packets = {Bytes(4)};
  std::vector<uint32_t> expected(4 * words);
  expected[1] = expected[2 * words - 1] = 77;
  expected[2] = expected[2 * words] = 88;
  const Outcome outcome = job.run(GetParam());
  ASSERT_EQ(outcome.error, "");
  ASSERT_FALSE(outcome.trap) << outcome.trap->what;
  EXPECT_EQ(valuesOf<uint32_t>(outcome.packets.at(0)), expected);
}

ACIS_CONFORMANCE(Append);

} // namespace
