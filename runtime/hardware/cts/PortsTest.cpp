// Streams and memory ports: element formats, splat, tails, strides, predicates,
// several accesses per iteration.
#include "runtime/hardware/cts/Harness.h"

using namespace acis;
using namespace acis::cts;
using isa::LoopContext;
using isa::Op;
using isa::Source;

namespace {

Bytes randomBytes(size_t size, unsigned seed) {
  std::mt19937 random(seed);
  Bytes bytes(size);
  for (uint8_t &byte : bytes)
    byte = uint8_t(random());
  return bytes;
}

/// The value of an element in its container, by hand.
uint64_t element(const uint8_t *bytes, unsigned size, bool isSigned, unsigned laneBits) {
  uint64_t value = 0;
  for (unsigned i = 0; i < size; ++i)
    value |= uint64_t(bytes[i]) << 8 * i;
  if (isSigned && size < 8 && (value >> (8 * size - 1) & 1))
    value |= ~0ull << 8 * size;
  return laneBits == 32 ? uint32_t(value) : value;
}

/// Stream to stream on the last PE, without an operation.
LoopContext copyContext(const Overlay &overlay, unsigned laneBits, isa::ElementFormat in,
                        isa::ElementFormat out) {
  LoopContext loop = streamContext(overlay, 1, laneBits, 4, 4);
  loop.streamIn.format = in;
  loop.streamOut.format = out;
  loop.streamInSlots[0].on = true;
  loop.pes.back().slots[0].streamOut = {true, 0, operand(Source::StreamIn), {}};
  finishContext(loop, overlay);
  return loop;
}

class Ports : public Conformance {};

TEST_P(Ports, StreamFormatsAndTails) {
  const Overlay overlay = testOverlay();
  for (unsigned laneBits : {32u, 64u})
    for (unsigned size : {1u, 2u, 4u, 8u})
      for (bool isSigned : {false, true})
        for (bool splat : {false, true})
          for (unsigned tail : {0u, 1u, 5u}) {
            if (size * 8 > laneBits)
              continue;
            const unsigned vf = 16 * 32 / laneBits, beats = 70, wide = laneBits / 8;
            Job job(overlay);
            job.binary.contexts = {copyContext(overlay, laneBits, {uint8_t(size), isSigned, splat},
                                               {uint8_t(wide), false, false})};
            job.binary.code = launchCode(beats, tail);
            const unsigned last = tail ? tail : vf, elements = (beats - 1) * vf + last;
            job.packets = {randomBytes((splat ? beats : elements) * size, size)};
            const Outcome outcome = job.run(GetParam());
            ASSERT_EQ(outcome.error, "");
            ASSERT_FALSE(outcome.trap) << outcome.trap->what;
            ASSERT_EQ(outcome.packets.size(), 1u);
            ASSERT_EQ(outcome.packets[0].size(), elements * wide);
            for (unsigned e = 0; e < elements; ++e) {
              const uint8_t *from = &job.packets[0][(splat ? e / vf : e) * size];
              ASSERT_EQ(element(&outcome.packets[0][e * wide], wide, false, laneBits),
                        element(from, size, isSigned, laneBits))
                  << laneBits << " " << size << " " << e;
            }
          }
}

TEST_P(Ports, NarrowOutput) {
  const Overlay overlay = testOverlay();
  for (unsigned size : {1u, 2u, 4u}) {
    for (bool splat : {false, true}) {
      Job job(overlay);
      job.binary.contexts = {
          copyContext(overlay, 32, {4, false, false}, {uint8_t(size), false, splat})};
      job.binary.code = launchCode(3, 7);
      job.packets = {randomBytes((2 * 16 + 7) * 4, 3)};
      const Outcome outcome = job.run(GetParam());
      ASSERT_EQ(outcome.error, "");
      ASSERT_EQ(outcome.packets.size(), 1u);
      Bytes expected;
      for (unsigned e = 0; e < 39; ++e)
        if (!splat || e % 16 == 0)
          expected.insert(expected.end(), &job.packets[0][e * 4], &job.packets[0][e * 4] + size);
      EXPECT_EQ(outcome.packets[0], expected);
    }
  }
}

TEST_P(Ports, SeveralAccessesPerIteration) {
  const Overlay overlay = testOverlay();
  // Two pops and two pushes in an iteration of two slots, sent in swapped order.
  LoopContext loop = streamContext(overlay, 2, 32, 4, 4);
  loop.streamInSlots = {{true, 0}, {true, 0}};
  loop.pes[0].slots[1].streamOut = {true, 0, operand(Source::StreamIn), {}};
  loop.pes[1].slots[0].streamOut = {true, 1, operand(Source::StreamIn, 2), {}};
  finishContext(loop, overlay);
  for (unsigned tail : {0u, 3u}) {
    Job job(overlay);
    job.binary.contexts = {loop};
    const unsigned iterations = 100, last = tail ? tail : 16;
    job.binary.code = launchCode(iterations, tail);
    std::vector<uint32_t> in(99 * 32 + 2 * last), expected;
    for (uint32_t i = 0; i < in.size(); ++i)
      in[i] = i * 7 + 1;
    for (unsigned i = 0; i < iterations; ++i) {
      const unsigned n = i == iterations - 1 ? last : 16;
      for (unsigned half : {1u, 0u})
        for (unsigned l = 0; l < n; ++l)
          expected.push_back(in[i * 32 + half * n + l]);
    }
    job.packets = {bytesOf(in)};
    const Outcome outcome = job.run(GetParam());
    ASSERT_EQ(outcome.error, "");
    ASSERT_FALSE(outcome.trap) << outcome.trap->what;
    ASSERT_EQ(outcome.packets.size(), 1u);
    EXPECT_EQ(valuesOf<uint32_t>(outcome.packets[0]), expected);
  }
}

TEST_P(Ports, MemoryStridesAndPredicates) {
  const Overlay overlay = testOverlay();
  // Reads rows of int16 with two strides, writes those above 0 to another place.
  LoopContext loop = emptyContext(overlay);
  loop.numArgs = 2;
  loop.innerCount = 3;
  isa::PeContext &pe = loop.pes[1];
  pe.memIn = {true, {2, true, false}, 0, 4, 40, 200};
  pe.memOut = {true, {4, false, false}, 1, 0, 64, 192};
  isa::Slot &word = pe.slots[0];
  word.memIn.on = true;
  word.op = Op::Slt;
  word.a = operand(Source::Imm0);
  word.b = operand(Source::MemIn);
  word.memOut = {true, 6, operand(Source::MemIn, 6), operand(Source::Res)};
  finishContext(loop, overlay);
  Job job(overlay);
  job.binary.contexts = {loop};
  job.binary.code = launchCode(7, 9, {0x80000000, 0x80001000});
  job.packets = {Bytes(4)};
  job.memory = randomBytes(0x2000, 11);
  const Outcome outcome = job.run(GetParam());
  ASSERT_EQ(outcome.error, "");
  ASSERT_FALSE(outcome.trap) << outcome.trap->what;
  EXPECT_TRUE(outcome.packets.empty());
  Bytes expected = job.memory;
  for (unsigned i = 0; i < 7; ++i)
    for (unsigned l = 0; l < (i == 6 ? 9u : 16u); ++l) {
      int16_t v;
      std::memcpy(&v, &job.memory[4 + i % 3 * 40 + i / 3 * 200 + l * 2], 2);
      const int32_t w = v;
      if (v > 0)
        std::memcpy(&expected[0x1000 + i * 64 + l * 4], &w, 4);
    }
  EXPECT_EQ(outcome.memory, expected);
}

TEST_P(Ports, MemorySplat) {
  const Overlay overlay = testOverlay();
  LoopContext loop = streamContext(overlay, 1, 32, 0, 4);
  loop.pes[0].memIn = {true, {1, true, true}, 0, 0, 0, 3};
  loop.pes[0].slots[0].memIn.on = true;
  loop.pes[0].slots[0].streamOut = {true, 0, operand(Source::MemIn), {}};
  finishContext(loop, overlay);
  Job job(overlay);
  job.binary.contexts = {loop};
  job.binary.code = launchCode(4, 0, {0x80000001, 0});
  job.packets = {Bytes(1)};
  job.memory = {9, 0x80, 9, 9, 1, 9, 9, 2, 9, 9, 3}; // the last access ends the memory
  const Outcome outcome = job.run(GetParam());
  ASSERT_EQ(outcome.error, "");
  ASSERT_FALSE(outcome.trap) << outcome.trap->what;
  std::vector<int32_t> expected;
  for (int32_t v : {-128, 1, 2, 3})
    expected.insert(expected.end(), 16, v);
  ASSERT_EQ(outcome.packets.size(), 1u);
  EXPECT_EQ(valuesOf<int32_t>(outcome.packets[0]), expected);
}

ACIS_CONFORMANCE(Ports);

} // namespace
