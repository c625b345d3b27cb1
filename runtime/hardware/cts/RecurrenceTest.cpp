// Values that go from one iteration to the next: accumulations with their documented
// order, general recurrences.
#include "runtime/hardware/cts/Harness.h"

#include <functional>

using namespace acis;
using namespace acis::cts;
using isa::LoopContext;
using isa::Op;
using isa::Source;
using isa::Type;

namespace {

/// Result 0 = op over the stream; sent by the scalar unit as two words.
Job sumJob(const Overlay &overlay, Op op, Type type, uint64_t identity, uint32_t beats,
           uint32_t tail) {
  const unsigned laneBits = type == Type::I64 || type == Type::F64 ? 64 : 32;
  LoopContext loop = streamContext(overlay, 1, laneBits, laneBits / 8, 0);
  loop.numResults = 1;
  loop.streamInSlots[0].on = true;
  isa::Slot &word = loop.pes[1].slots[0];
  word.op = op;
  word.type = type;
  word.a = operand(Source::StreamIn);
  if (op == Op::Fmac) // squares
    word.b = operand(Source::StreamIn);
  word.imm[1] = identity;
  word.accumulate = true;
  word.result = 0;
  finishContext(loop, overlay);
  Job job(overlay);
  job.binary.contexts = {loop};
  job.binary.code = launchCode(beats, tail);
  job.binary.code.pop_back();
  Words &code = job.binary.code;
  code.push_back(as::result(as::a4, 0));
  code.push_back(as::result(as::a5, 1));
  code.push_back(as::streamout(as::a4, as::zero, 2));
  code.push_back(as::addi(as::t0, as::zero, 4));
  code.push_back(as::streamout(as::a5, as::t0, 2));
  code.push_back(as::wfi);
  return job;
}

/// Element e goes to lane e % vf of partial (e / vf) % 8; partials fold pairwise,
/// then lanes.
template <typename T>
T orderedSum(const std::vector<T> &values, unsigned vf, T identity,
             const std::function<T(T, T)> &step, const std::function<T(T, T)> &fold) {
  std::vector<T> partial(8 * vf, identity);
  for (size_t e = 0; e < values.size(); ++e) {
    T &p = partial[e / vf % 8 * vf + e % vf];
    p = step(values[e], p);
  }
  for (unsigned n = 8; n > 1; n /= 2)
    for (unsigned k = 0; k < n / 2; ++k)
      for (unsigned l = 0; l < vf; ++l)
        partial[k * vf + l] = fold(partial[2 * k * vf + l], partial[(2 * k + 1) * vf + l]);
  for (unsigned n = vf; n > 1; n /= 2)
    for (unsigned k = 0; k < n / 2; ++k)
      partial[k] = fold(partial[2 * k], partial[2 * k + 1]);
  return partial[0];
}

template <typename T>
void checkSum(const Engine &engine, Op op, Type type, T identity,
              const std::function<T(T, T)> &step, const std::function<T(T, T)> &fold) {
  const Overlay overlay = testOverlay();
  const unsigned vf = 64 / sizeof(T);
  for (auto [beats, tail] : {std::pair(1u, 1u), std::pair(3u, 0u), std::pair(64u, 5u),
                             std::pair(131u, 7u), std::pair(200u, 0u)}) {
    uint64_t identityBits = 0;
    std::memcpy(&identityBits, &identity, sizeof identity);
    Job job = sumJob(overlay, op, type, identityBits, beats, tail);
    std::mt19937_64 random(beats);
    std::vector<T> values((beats - 1) * vf + (tail ? tail : vf));
    for (T &value : values)
      if constexpr (std::is_floating_point_v<T>)
        value = T(int64_t(random())) / T(1 << 30);
      else
        value = T(random());
    job.packets = {bytesOf(values)};
    const Outcome outcome = job.run(engine);
    ASSERT_EQ(outcome.error, "");
    ASSERT_FALSE(outcome.trap) << outcome.trap->what;
    ASSERT_EQ(outcome.packets.size(), 1u);
    const T expected = orderedSum(values, vf, identity, step, fold);
    Bytes bits(8);
    std::memcpy(bits.data(), &expected, sizeof expected);
    EXPECT_EQ(outcome.packets[0], bits) << isa::mnemonic(op) << " " << beats << " " << tail;
  }
}

class Recurrence : public Conformance {};

TEST_P(Recurrence, IntegerAccumulations) {
  using F32 = std::function<uint32_t(uint32_t, uint32_t)>;
  auto both = [&](Op op, uint32_t identity, const F32 &f) {
    checkSum<uint32_t>(GetParam(), op, Type::I32, identity, f, f);
  };
  both(Op::Add, 0, [](uint32_t a, uint32_t b) { return a + b; });
  both(Op::Mul, 1, [](uint32_t a, uint32_t b) { return a * b; });
  both(Op::And, ~0u, [](uint32_t a, uint32_t b) { return a & b; });
  both(Op::Or, 0, [](uint32_t a, uint32_t b) { return a | b; });
  both(Op::Xor, 0, [](uint32_t a, uint32_t b) { return a ^ b; });
  both(Op::Umin, ~0u, [](uint32_t a, uint32_t b) { return std::min(a, b); });
  both(Op::Umax, 0, [](uint32_t a, uint32_t b) { return std::max(a, b); });
  both(Op::Smin, 0x7fffffff,
       [](uint32_t a, uint32_t b) { return uint32_t(std::min(int32_t(a), int32_t(b))); });
  both(Op::Smax, 0x80000000,
       [](uint32_t a, uint32_t b) { return uint32_t(std::max(int32_t(a), int32_t(b))); });
  const std::function<uint64_t(uint64_t, uint64_t)> add = [](uint64_t a, uint64_t b) {
    return a + b;
  };
  checkSum<uint64_t>(GetParam(), Op::Add, Type::I64, 0, add, add);
}

// A constant is in all lanes, those behind a tail, too: these keep what the partial result had,
// which is the identity where the tail is its first beat.
TEST_P(Recurrence, LanesBehindATailKeepTheirPartialResult) {
  const Overlay overlay = testOverlay();
  for (const auto type : {Type::I32, Type::I64})
    for (auto [beats, tail] : {std::pair(1u, 1u), std::pair(1u, 7u), std::pair(3u, 5u),
                               std::pair(8u, 7u), std::pair(9u, 3u)}) {
      const unsigned vf = type == Type::I64 ? 8 : 16, elements = (beats - 1) * vf + tail;
      Job job = sumJob(overlay, Op::Mul, type, 1, beats, tail);
      isa::Slot &word = job.binary.contexts[0].pes[1].slots[0];
      word.a = operand(Source::Imm0);
      word.imm[0] = 3;
      job.packets = {Bytes(elements * (64 / vf))};
      const Outcome outcome = job.run(GetParam());
      ASSERT_EQ(outcome.error, "");
      ASSERT_FALSE(outcome.trap) << outcome.trap->what;
      uint64_t expected = 1;
      for (unsigned e = 0; e < elements; ++e)
        expected *= 3;
      if (type == Type::I32)
        expected &= UINT32_MAX;
      ASSERT_EQ(outcome.packets.size(), 1u);
      EXPECT_EQ(valuesOf<uint64_t>(outcome.packets[0]), std::vector<uint64_t>{expected})
          << beats << " " << tail;
    }
}

template <typename T> void checkFloats(const Engine &engine, Type type) {
  const std::function<T(T, T)> add = [](T a, T b) { return a + b; };
  const std::function<T(T, T)> smaller = [](T a, T b) { return std::min(a, b); };
  const std::function<T(T, T)> square = [](T a, T b) {
    const volatile T product = a * a;
    return product + b;
  };
  checkSum<T>(engine, Op::Fadd, type, T(-0.0), add, add);
  checkSum<T>(engine, Op::Fmin, type, std::numeric_limits<T>::infinity(), smaller, smaller);
  checkSum<T>(engine, Op::Fmac, type, T(0), square, add);
}

TEST_P(Recurrence, FloatAccumulationsInTheDocumentedOrder) {
  checkFloats<float>(GetParam(), Type::F32);
  checkFloats<double>(GetParam(), Type::F64);
}

TEST_P(Recurrence, ValueOfTheIterationBefore) {
  const Overlay overlay = testOverlay();
  // y[i] = y[i-1] * 3 + x[i], one beat each; y[-1] is 0. Multiply in slot 0 of
  // iteration i, add 6 cycles later; 12 cycles from y to y.
  LoopContext loop = streamContext(overlay, 12, 32, 4, 4);
  loop.streamInSlots[0].on = true;
  isa::PeContext &pe = loop.pes[0];
  isa::Slot &mul = pe.slots[0], &add = pe.slots[6];
  mul.op = Op::Mul;
  mul.imm[0] = 3;
  mul.a = operand(Source::Res); // the sum finishes in slot 0 of the next iteration
  mul.b = operand(Source::Imm0);
  add.op = Op::Add;
  add.a = operand(Source::Res);
  add.b = operand(Source::StreamIn, 6);
  pe.slots[0].streamOut = {true, 1, operand(Source::Res), {}};
  finishContext(loop, overlay);
  Job job(overlay);
  job.binary.contexts = {loop};
  job.binary.code = launchCode(150, 4);
  std::vector<uint32_t> in(149 * 16 + 4), expected;
  for (uint32_t i = 0; i < in.size(); ++i)
    in[i] = i * i + 5;
  for (size_t i = 0; i < in.size(); ++i)
    expected.push_back((i < 16 ? 0 : expected[i - 16] * 3) + in[i]);
  job.packets = {bytesOf(in)};
  const Outcome outcome = job.run(GetParam());
  ASSERT_EQ(outcome.error, "");
  ASSERT_FALSE(outcome.trap) << outcome.trap->what;
  ASSERT_EQ(outcome.packets.size(), 1u);
  EXPECT_EQ(valuesOf<uint32_t>(outcome.packets[0]), expected);
}

TEST_P(Recurrence, AnewInEachRow) {
  const Overlay overlay = testOverlay();
  // y[i] = y[i-1] + x[i], and 100 in the place of y[i-1] where a row of `inner` begins.
  for (uint16_t inner : {uint16_t(1), uint16_t(5), uint16_t(64), uint16_t(100)}) {
    LoopContext loop = streamContext(overlay, 6, 32, 4, 4);
    loop.innerCount = inner;
    loop.streamInSlots[0].on = true;
    isa::Slot &add = loop.pes[0].slots[0];
    add.op = Op::Add;
    add.imm[1] = 100;
    add.a = operand(Source::Res);
    add.a.first = isa::FirstOfRow;
    add.a.init = 1;
    add.b = operand(Source::StreamIn);
    add.streamOut = {true, 1, operand(Source::Res), {}};
    finishContext(loop, overlay);
    Job job(overlay);
    job.binary.contexts = {loop};
    job.binary.code = launchCode(150);
    std::vector<uint32_t> in(150 * 16), expected;
    for (uint32_t i = 0; i < in.size(); ++i)
      in[i] = i * i + 5;
    for (size_t i = 0; i < in.size(); ++i)
      expected.push_back((i / 16 % inner == 0 ? 100 : expected[i - 16]) + in[i]);
    job.packets = {bytesOf(in)};
    const Outcome outcome = job.run(GetParam());
    ASSERT_EQ(outcome.error, "");
    ASSERT_FALSE(outcome.trap) << outcome.trap->what;
    ASSERT_EQ(outcome.packets.size(), 1u);
    EXPECT_EQ(valuesOf<uint32_t>(outcome.packets[0]), expected) << inner;
  }
}

TEST_P(Recurrence, LongDistances) {
  const Overlay overlay = testOverlay();
  // x[i] - x[i - d] with the delay line, d up to 63 iterations at II = 1.
  for (unsigned d : {1u, 8u, 63u}) {
    LoopContext loop = streamContext(overlay, 1, 32, 4, 4);
    loop.streamInSlots[0].on = true;
    isa::Slot &word = loop.pes[0].slots[0];
    word.op = Op::Sub;
    word.a = operand(Source::StreamIn);
    word.b = operand(Source::StreamIn, d);
    word.streamOut = {true, 6, operand(Source::Res), {}};
    finishContext(loop, overlay);
    Job job(overlay);
    job.binary.contexts = {loop};
    job.binary.code = launchCode(300);
    std::vector<uint32_t> in(300 * 16), expected;
    for (uint32_t i = 0; i < in.size(); ++i)
      in[i] = i * i * i;
    for (size_t i = 0; i < in.size(); ++i)
      expected.push_back(in[i] - (i < d * 16 ? 0 : in[i - d * 16]));
    job.packets = {bytesOf(in)};
    const Outcome outcome = job.run(GetParam());
    ASSERT_EQ(outcome.error, "");
    ASSERT_EQ(outcome.packets.size(), 1u);
    EXPECT_EQ(valuesOf<uint32_t>(outcome.packets[0]), expected);
  }
}

TEST_P(Recurrence, ConstantsFromArguments) {
  const Overlay overlay = testOverlay();
  LoopContext loop = streamContext(overlay, 1, 64, 8, 8);
  loop.numArgs = 4;
  loop.streamInSlots[0].on = true;
  isa::Slot &word = loop.pes[0].slots[0];
  word.op = Op::Add;
  word.type = Type::I64;
  word.a = operand(Source::StreamIn);
  word.b = operand(Source::Imm1);
  word.immArg[1] = 2; // and 3, the upper half
  word.streamOut = {true, 6, operand(Source::Res), {}};
  finishContext(loop, overlay);
  Job job(overlay);
  job.binary.contexts = {loop};
  job.binary.code = launchCode(1, 3, {0, 0, 0xfffffff0, 0x12345678});
  job.packets = {bytesOf(std::vector<uint64_t>{1, 0x10, 0xffffffffffffffff})};
  const Outcome outcome = job.run(GetParam());
  ASSERT_EQ(outcome.error, "");
  ASSERT_EQ(outcome.packets.size(), 1u);
  EXPECT_EQ(valuesOf<uint64_t>(outcome.packets[0]),
            (std::vector<uint64_t>{0x12345678fffffff1, 0x1234567900000000, 0x12345678ffffffef}));
}

ACIS_CONFORMANCE(Recurrence);

} // namespace
