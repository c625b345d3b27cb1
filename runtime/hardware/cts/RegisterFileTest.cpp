// The vector register file: addresses, indices, limits, predicates, and the order of
// reads and writes of one beat.
#include "runtime/hardware/cts/Harness.h"

using namespace acis;
using namespace acis::cts;
using isa::LoopContext;
using isa::Op;
using isa::Source;

namespace {

/// Context 0 copies beats of the stream into the register file of PE 0 from beat 0 on.
LoopContext fillContext(const Overlay &overlay) {
  LoopContext loop = streamContext(overlay, 1, 32, 4, 0);
  loop.streamInSlots[0].on = true;
  isa::VrfAddress address;
  address.limit = 256;
  address.stride1 = 1;
  loop.pes[0].addresses = {address};
  loop.pes[0].slots[0].write = {true, 0, 0, {}, operand(Source::StreamIn), {}, false};
  finishContext(loop, overlay);
  return loop;
}

/// Context 2 sends beats 0, 1, ... of the register file.
LoopContext drainContext(const Overlay &overlay) {
  LoopContext loop = streamContext(overlay, 1, 32, 0, 4);
  loop.pes[0].addresses = fillContext(overlay).pes[0].addresses;
  loop.pes[0].slots[0].read[0].on = true;
  loop.pes[0].slots[0].streamOut = {true, 0, operand(Source::Vrf0), {}};
  finishContext(loop, overlay);
  return loop;
}

/// Fills 64 beats, runs `loop` over `beats` more beats of the stream, drains 64 beats.
struct FileJob {
  FileJob(const Overlay &overlay, const LoopContext &loop, uint32_t beats, uint32_t tail = 0,
          const Words &moreArgs = {})
      : job(overlay) {
    job.binary.contexts = {fillContext(overlay), loop, drainContext(overlay)};
    job.binary.code = launchCode(64);
    Words &code = job.binary.code;
    code.pop_back();
    Words second = launchCode(beats, tail, {64 * 64, 0});
    for (uint32_t k = 0; k < moreArgs.size(); ++k) {
      Words more;
      as::li(more, as::t0, moreArgs[k]);
      more.push_back(as::arg(2 + k, as::t0));
      second.insert(second.begin(), more.begin(), more.end());
    }
    second.pop_back();
    second.back() = as::launch(1, as::t0, as::t1);
    Words third = launchCode(64);
    third[third.size() - 2] = as::launch(2, as::t0, as::t1);
    code.insert(code.end(), second.begin(), second.end());
    code.insert(code.end(), third.begin(), third.end());
    file.resize(64 * 16);
    for (uint32_t i = 0; i < file.size(); ++i)
      file[i] = i * 1000;
  }

  /// Runs with the stream; compares what was sent by the loop and the file after it.
  void check(const Engine &engine, const std::vector<uint32_t> &stream,
             const std::vector<uint32_t> &sent, const std::vector<uint32_t> &after) {
    std::vector<uint32_t> in = file, expected = sent;
    in.insert(in.end(), stream.begin(), stream.end());
    expected.insert(expected.end(), after.begin(), after.end());
    job.packets = {bytesOf(in)};
    // The drain's output position follows what the loop has sent.
    if (!sent.empty()) {
      Words &code = job.binary.code;
      Words position;
      as::li(position, as::t2, uint32_t(sent.size() * 4));
      position.push_back(as::arg(1, as::t2));
      code.insert(code.end() - 2, position.begin(), position.end());
    }
    const Outcome outcome = job.run(engine);
    ASSERT_EQ(outcome.error, "");
    ASSERT_FALSE(outcome.trap) << outcome.trap->what;
    ASSERT_EQ(outcome.packets.size(), 1u);
    EXPECT_EQ(valuesOf<uint32_t>(outcome.packets[0]), expected);
  }

  Job job;
  std::vector<uint32_t> file;
};

isa::VrfAddress indexedAddress(bool uniform = false, unsigned lane = 0, unsigned shift = 0,
                               unsigned bits = 0) {
  isa::VrfAddress address;
  address.limit = 64;
  address.indexed = true;
  address.uniform = uniform;
  address.lane = uint8_t(lane);
  address.shift = uint8_t(shift);
  address.bits = uint8_t(bits);
  return address;
}

/// Sends the beats that the stream's elements select.
LoopContext gatherContext(const Overlay &overlay, const isa::VrfAddress &address) {
  LoopContext loop = streamContext(overlay, 1, 32, 4, 4);
  loop.numArgs = 3;
  loop.streamInSlots[0].on = true;
  loop.pes[0].addresses = {address};
  loop.pes[0].slots[0].read[1] = {true, 0, 0, operand(Source::StreamIn)};
  loop.pes[0].slots[0].streamOut = {true, 0, operand(Source::Vrf1), {}};
  finishContext(loop, overlay);
  return loop;
}

std::vector<uint32_t> randomStream(size_t elements, uint32_t below, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint32_t> stream(elements);
  for (uint32_t &element : stream)
    element = random() % below;
  return stream;
}

class RegisterFile : public Conformance {};

TEST_P(RegisterFile, IndexPerLane) {
  const Overlay overlay = testOverlay();
  const auto stream = randomStream(79 * 16 + 3, 64, 1);
  FileJob f(overlay, gatherContext(overlay, indexedAddress()), 80, 3, {0});
  std::vector<uint32_t> sent;
  for (size_t e = 0; e < stream.size(); ++e)
    sent.push_back(f.file[stream[e] * 16 + e % 16]);
  f.check(GetParam(), stream, sent, f.file);
}

TEST_P(RegisterFile, UniformFieldPlusArgument) {
  const Overlay overlay = testOverlay();
  isa::VrfAddress address = indexedAddress(/*uniform=*/true, 5, 8, 5);
  address.arg = 2;
  address.stride0 = -1;
  LoopContext loop = gatherContext(overlay, address);
  loop.innerCount = 4;
  FileJob f(overlay, loop, 80, 0, {7});
  const auto stream = randomStream(80 * 16, ~0u, 2);
  std::vector<uint32_t> sent;
  for (uint32_t i = 0; i < 80; ++i)
    for (uint32_t l = 0; l < 16; ++l)
      sent.push_back(f.file[(7 - i % 4 + (stream[i * 16 + 5] >> 8 & 31)) * 16 + l]);
  f.check(GetParam(), stream, sent, f.file);
}

TEST_P(RegisterFile, ZeroOutside) {
  const Overlay overlay = testOverlay();
  isa::VrfAddress address = indexedAddress();
  address.zeroOutside = true;
  address.limit = 40;
  address.base = 8;
  const auto stream = randomStream(80 * 16, 100, 3);
  FileJob f(overlay, gatherContext(overlay, address), 80, 0, {0});
  std::vector<uint32_t> sent;
  for (size_t e = 0; e < stream.size(); ++e)
    sent.push_back(stream[e] < 40 ? f.file[(8 + stream[e]) * 16 + e % 16] : 0);
  f.check(GetParam(), stream, sent, f.file);
}

/// file[idx] = idx where the predicate, bit 8 of the element, is set.
TEST_P(RegisterFile, PredicatedScatter) {
  const Overlay overlay = testOverlay();
  LoopContext loop = streamContext(overlay, 1, 32, 4, 0);
  loop.streamInSlots[0].on = true;
  isa::VrfAddress address = indexedAddress(false, 0, 0, 8);
  address.zeroOutside = true;
  loop.pes[0].addresses = {address};
  isa::Slot &word = loop.pes[0].slots[0];
  word.op = Op::And;
  word.a = operand(Source::StreamIn);
  word.b = operand(Source::Imm0);
  word.imm[0] = 256;
  word.write = {
      true, 6, 0, operand(Source::StreamIn, 6), operand(Source::StreamIn, 6), operand(Source::Res),
      false};
  finishContext(loop, overlay);
  const auto stream = randomStream(79 * 16 + 1, 512, 4);
  FileJob f(overlay, loop, 80, 1);
  std::vector<uint32_t> after = f.file;
  for (size_t e = 0; e < stream.size(); ++e)
    if ((stream[e] & 256) && (stream[e] & 255) < 64)
      after[(stream[e] & 255) * 16 + e % 16] = stream[e];
  f.check(GetParam(), stream, {}, after);
}

/// file[idx] op= element, with interlock.
LoopContext updateContext(const Overlay &overlay, const isa::VrfAddress &address, Op op) {
  LoopContext loop = streamContext(overlay, 1, 32, 4, 0);
  loop.streamInSlots[0].on = true;
  loop.pes[0].addresses = {address};
  isa::Slot &word = loop.pes[0].slots[0];
  word.read[0] = {true, 0, 0, operand(Source::StreamIn)};
  word.op = op;
  word.a = operand(Source::Vrf0);
  word.b = operand(Source::StreamIn);
  word.write = {true, 6, 0, operand(Source::StreamIn, 6), operand(Source::Res), {}, true};
  if (!address.indexed)
    word.read[0].index = word.write.index = {};
  finishContext(loop, overlay);
  return loop;
}

TEST_P(RegisterFile, InterlockedUpdates) {
  const Overlay overlay = testOverlay();
  for (const uint32_t rows : {1u, 3u, 64u})
    for (const bool uniform : {false, true})
      for (const Op op : {Op::Add, Op::Sub})
        for (const uint32_t tail : {0u, 6u}) {
          const isa::VrfAddress address = indexedAddress(uniform, uniform ? 2 : 0);
          const auto stream = randomStream(149 * 16 + (tail ? tail : 16), rows, rows);
          FileJob f(overlay, updateContext(overlay, address, op), 150, tail);
          std::vector<uint32_t> after = f.file;
          for (size_t e = 0; e < stream.size(); ++e) {
            const uint32_t row = uniform ? stream[e / 16 * 16 + 2] : stream[e];
            uint32_t &place = after[row * 16 + e % 16];
            place = op == Op::Add ? place + stream[e] : place - stream[e];
          }
          f.check(GetParam(), stream, {}, after);
        }
}

TEST_P(RegisterFile, InterlockedUpdateOfOneBeat) {
  const Overlay overlay = testOverlay();
  isa::VrfAddress address;
  address.base = 3;
  address.limit = 1;
  const auto stream = randomStream(100 * 16, 1000, 5);
  FileJob f(overlay, updateContext(overlay, address, Op::Add), 100);
  std::vector<uint32_t> after = f.file;
  for (size_t e = 0; e < stream.size(); ++e)
    after[3 * 16 + e % 16] += stream[e];
  f.check(GetParam(), stream, {}, after);
}

/// Without interlock a read sees what was written in earlier cycles, and nothing else:
/// read in cycle i, write in cycle i + 6, the addresses repeat every `rows` iterations.
TEST_P(RegisterFile, ArrayTimeOrdersTheRest) {
  const Overlay overlay = testOverlay();
  for (const int rows : {1, 4, 6, 7, 20, 100}) {
    isa::VrfAddress address;
    address.limit = 64;
    address.stride0 = 1;
    LoopContext loop = updateContext(overlay, address, Op::Add);
    loop.innerCount = uint16_t(std::min(rows, 64));
    loop.pes[0].slots[0].write.interlock = false;
    const uint32_t beats = 150;
    const auto stream = randomStream(beats * 16, 1000, 6);
    FileJob f(overlay, loop, beats);
    std::vector<std::vector<uint32_t>> history{f.file}; // file at the end of cycle T - 1
    std::vector<uint32_t> value(beats * 16);
    for (uint32_t t = 0; t < beats + 7; ++t) {
      std::vector<uint32_t> now = history.back();
      for (uint32_t l = 0; l < 16; ++l) {
        if (t < beats)
          value[t * 16 + l] = now[t % loop.innerCount * 16 + l] + stream[t * 16 + l];
      }
      if (t >= 6 && t - 6 < beats)
        for (uint32_t l = 0; l < 16; ++l)
          now[(t - 6) % loop.innerCount * 16 + l] = value[(t - 6) * 16 + l];
      history.push_back(now);
    }
    f.check(GetParam(), stream, {}, history.back());
  }
}

/// A write that comes before the read of the same iteration.
TEST_P(RegisterFile, WriteThenRead) {
  const Overlay overlay = testOverlay();
  isa::VrfAddress address;
  address.limit = 64;
  address.stride0 = 1;
  LoopContext loop = streamContext(overlay, 1, 32, 4, 4);
  loop.innerCount = 5;
  loop.streamInSlots[0].on = true;
  loop.pes[0].addresses = {address};
  isa::Slot &word = loop.pes[0].slots[0];
  word.write = {true, 0, 0, {}, operand(Source::StreamIn), {}, false};
  word.read[0] = {true, 1, 0, {}};
  word.streamOut = {true, 1, operand(Source::Vrf0), {}};
  finishContext(loop, overlay);
  const auto stream = randomStream(100 * 16, 1000, 7);
  FileJob f(overlay, loop, 100);
  std::vector<uint32_t> after = f.file;
  for (size_t i = 95; i < 100; ++i)
    std::copy_n(&stream[i * 16], 16, &after[i % 5 * 16]);
  f.check(GetParam(), stream, stream, after);
}

ACIS_CONFORMANCE(RegisterFile);

} // namespace
