// Every operation on every type it is defined for, on special and random values,
// against a reference written with wide integers.
#include "runtime/engine/device/Element.h"
#include "runtime/hardware/cts/Harness.h"

#include <bit>
#include <cmath>

using namespace acis;
using namespace acis::cts;
using isa::Op;
using isa::Source;
using isa::Type;

namespace {

__extension__ typedef __int128 Wide;

unsigned widthOf(Type type) {
  const unsigned widths[] = {8, 16, 32, 64, 32, 64};
  return widths[unsigned(type)];
}
uint64_t maskOf(unsigned width) { return width == 64 ? ~0ull : (1ull << width) - 1; }

Wide asSigned(uint64_t value, unsigned width) {
  const Wide v = Wide(value & maskOf(width));
  return v >> (width - 1) ? v - (Wide(1) << width) : v;
}

uint64_t integerReference(Op op, unsigned width, uint64_t ra, uint64_t rb, uint64_t rc) {
  const uint64_t a = ra & maskOf(width), b = rb & maskOf(width);
  const Wide sa = asSigned(a, width), sb = asSigned(b, width);
  const unsigned shift = unsigned(b % width);
  const Wide least = -(Wide(1) << (width - 1));
  switch (op) {
  case Op::Mov:
    return a;
  case Op::Add:
    return uint64_t(Wide(a) + b);
  case Op::Sub:
    return uint64_t(Wide(a) - b);
  case Op::Mul:
    return a * b;
  case Op::And:
    return a & b;
  case Op::Or:
    return a | b;
  case Op::Xor:
    return a ^ b;
  case Op::Shl:
    return a << shift;
  case Op::Lshr:
    return a >> shift;
  case Op::Ashr:
    return uint64_t(sa >> shift);
  case Op::Rotl:
    return shift == 0 ? a : a << shift | a >> (width - shift);
  case Op::Smin:
    return uint64_t(std::min(sa, sb));
  case Op::Smax:
    return uint64_t(std::max(sa, sb));
  case Op::Umin:
    return std::min(a, b);
  case Op::Umax:
    return std::max(a, b);
  case Op::Eq:
    return a == b;
  case Op::Ne:
    return a != b;
  case Op::Slt:
    return sa < sb;
  case Op::Sle:
    return sa <= sb;
  case Op::Ult:
    return a < b;
  case Op::Ule:
    return a <= b;
  case Op::Select:
    return ra != 0 ? b : rc;
  case Op::Sdiv:
    return b == 0 ? ~0ull : sa == least && sb == -1 ? a : uint64_t(sa / sb);
  case Op::Udiv:
    return b == 0 ? ~0ull : a / b;
  case Op::Srem:
    return b == 0 ? a : uint64_t(sa % sb);
  default: // Urem
    return b == 0 ? a : a % b;
  }
}

template <typename F> uint64_t bitsOfFloat(F value) {
  if (std::isnan(value))
    return sizeof(F) == 4 ? 0x7fc00000u : 0x7ff8000000000000ull;
  if constexpr (sizeof(F) == 4)
    return std::bit_cast<uint32_t>(value);
  else
    return std::bit_cast<uint64_t>(value);
}
template <typename F> F floatOf(uint64_t bits) {
  if constexpr (sizeof(F) == 4)
    return std::bit_cast<float>(uint32_t(bits));
  else
    return std::bit_cast<double>(bits);
}

template <typename F> F minimum(F a, F b) {
  if (std::isnan(a))
    return b;
  if (std::isnan(b))
    return a;
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

template <typename F> uint64_t floatReference(Op op, uint64_t ra, uint64_t rb, uint64_t rc) {
  const volatile F a = floatOf<F>(ra), b = floatOf<F>(rb), c = floatOf<F>(rc);
  const uint64_t sign = 1ull << (sizeof(F) * 8 - 1), all = maskOf(sizeof(F) * 8);
  switch (op) {
  case Op::Fadd:
    return bitsOfFloat<F>(a + b);
  case Op::Fsub:
    return bitsOfFloat<F>(a - b);
  case Op::Fmul:
    return bitsOfFloat<F>(a * b);
  case Op::Fmac: {
    const volatile F product = a * b;
    return bitsOfFloat<F>(product + c);
  }
  case Op::Fma:
    return bitsOfFloat<F>(std::fma(F(a), F(b), F(c)));
  case Op::Fmin:
    return bitsOfFloat<F>(minimum<F>(a, b));
  case Op::Fmax:
    return bitsOfFloat<F>(F(-minimum<F>(-a, -b)));
  case Op::Fneg:
    return (ra ^ sign) & all;
  case Op::Fabs:
    return ra & ~sign & all;
  case Op::Feq:
    return a == b;
  case Op::Flt:
    return a < b;
  case Op::Fle:
    return a <= b;
  case Op::Fdiv:
    return bitsOfFloat<F>(a / b);
  default:
    return bitsOfFloat<F>(std::sqrt(F(a)));
  }
}

/// Float to integer by hand: exact, since a double holds every f32.
uint64_t toInteger(double value, unsigned width, bool isSigned) {
  const double past = std::ldexp(1.0, int(width) - int(isSigned));
  const double least = isSigned ? -past : 0;
  if (std::isnan(value) || value >= past)
    return maskOf(width - isSigned);
  if (value <= least)
    return isSigned ? 1ull << (width - 1) : 0;
  return uint64_t(Wide(std::trunc(value))) & maskOf(width);
}

uint64_t convertReference(Op op, Type type, Type from, uint64_t a) {
  const unsigned width = widthOf(from);
  const double real = from == Type::F32 ? floatOf<float>(a) : floatOf<double>(a);
  switch (op) {
  case Op::Sext:
    return uint64_t(asSigned(a, width));
  case Op::Sitofp: {
    const int64_t v = int64_t(asSigned(a, width));
    return type == Type::F32 ? bitsOfFloat(float(v)) : bitsOfFloat(double(v));
  }
  case Op::Uitofp: {
    const uint64_t v = a & maskOf(width);
    return type == Type::F32 ? bitsOfFloat(float(v)) : bitsOfFloat(double(v));
  }
  case Op::Fptosi:
  case Op::Fptoui:
    return toInteger(real, widthOf(type), op == Op::Fptosi);
  default:
    return type == Type::F32 ? bitsOfFloat(float(real)) : bitsOfFloat(real);
  }
}

uint64_t reference(Op op, Type type, Type from, uint64_t a, uint64_t b, uint64_t c) {
  uint64_t value;
  if (op == Op::Sext || (op >= Op::Sitofp && op <= Op::Fpconv))
    value = convertReference(op, type, from, a);
  else if ((op >= Op::Fadd && op <= Op::Fle) || op == Op::Fdiv || op == Op::Fsqrt)
    value = type == Type::F32 ? floatReference<float>(op, a, b, c)
                              : floatReference<double>(op, a, b, c);
  else
    value = integerReference(op, widthOf(type), a, b, c);
  return value & maskOf(widthOf(type));
}

/// Values at the edges of every type, and random ones.
std::vector<uint64_t> interesting(unsigned laneBits) {
  std::vector<uint64_t> values = {0, 1, 2, 3, ~0ull, ~1ull, 7, 31, 32, 33, 100};
  for (unsigned width : {8, 16, 32, 64})
    for (int64_t step : {-1, 0, 1})
      for (uint64_t edge : {1ull << (width - 1), width == 64 ? 0 : 1ull << width})
        values.push_back(edge + uint64_t(step));
  const float infinity = std::numeric_limits<float>::infinity();
  for (float f :
       {0.5f,          -0.0f,        1.0f,         -1.5f,     2.5f,     1e-45f,       -1e-40f,
        3e38f,         -3e38f,       infinity,     -infinity, 127.5f,   -128.9f,      -129.f,
        255.9f,        256.f,        -0.9f,        32767.5f,  65535.9f, 2147483520.f, 2147483648.f,
        -2147483648.f, 4294967040.f, 4294967296.f, 9.2e18f,   1.9e19f}) {
    values.push_back(std::bit_cast<uint32_t>(f));
    values.push_back(std::bit_cast<uint64_t>(double(f)));
  }
  for (uint64_t nan : {0x7fc00000ull, 0xffc00001ull, 0x7f800001ull})
    values.push_back(nan);
  for (uint64_t nan : {0x7ff8000000000000ull, 0xfff0000000000001ull})
    values.push_back(nan);
  std::mt19937_64 random(7);
  while (values.size() < 160)
    values.push_back(random());
  if (laneBits == 32)
    for (uint64_t &value : values)
      value &= 0xffffffff;
  return values;
}

/// Each beat of results takes three beats of operands, popped in slots 0, 1, 2.
isa::LoopContext opContext(const Overlay &overlay, Op op, Type type, Type from, unsigned laneBits) {
  const unsigned bytes = laneBits / 8;
  isa::LoopContext loop = streamContext(overlay, 3, laneBits, bytes, bytes);
  for (isa::PortRead &pop : loop.streamInSlots)
    pop.on = true;
  isa::Slot &word = loop.pes[0].slots[2];
  word.op = op;
  word.type = type;
  word.from = from;
  word.a = operand(Source::StreamIn, 2);
  if (isa::numOperands(op) > 1)
    word.b = operand(Source::StreamIn, 1);
  if (isa::numOperands(op) > 2)
    word.c = operand(Source::StreamIn);
  const unsigned done = 2 + latencyOf(op, overlay);
  loop.pes[0].slots[done % 3].streamOut = {true, uint8_t(done / 3), operand(Source::Res), {}};
  finishContext(loop, overlay);
  return loop;
}

template <typename C>
void checkOp(const Engine &engine, const Overlay &overlay, Op op, Type type, Type from) {
  constexpr unsigned laneBits = sizeof(C) * 8;
  const unsigned vf = overlay.lanes * 32 / laneBits;
  const std::vector<uint64_t> values = interesting(laneBits);
  std::mt19937_64 random(unsigned(op) * 64 + unsigned(type) * 8 + unsigned(from));
  // The units of engine rtl have tests of their own, with more values
  // (runtime/hardware/rtl/vector).
  const unsigned beats = engine.slow ? 6 : isa::numOperands(op) == 1 ? 40 : 100;
  std::vector<C> stream;
  std::vector<C> expected;
  for (unsigned beat = 0; beat < beats; ++beat) {
    std::vector<C> a, b, c;
    for (unsigned lane = 0; lane < vf; ++lane) {
      a.push_back(C(values[isa::numOperands(op) == 1 ? (beat * vf + lane) % values.size()
                                                     : random() % values.size()]));
      b.push_back(random() % 4 == 0 ? a.back() : C(values[random() % values.size()]));
      c.push_back(C(values[random() % values.size()]));
      expected.push_back(C(reference(op, type, from, a.back(), b.back(), c.back())));
    }
    for (const auto &part : {a, b, c})
      stream.insert(stream.end(), part.begin(), part.end());
  }
  Job job(overlay);
  job.binary.contexts = {opContext(overlay, op, type, from, laneBits)};
  job.binary.code = launchCode(beats);
  job.packets = {bytesOf(stream)};
  const Outcome outcome = job.run(engine);
  ASSERT_EQ(outcome.error, "");
  ASSERT_FALSE(outcome.trap) << outcome.trap->what;
  ASSERT_EQ(outcome.packets.size(), 1u);
  const std::vector<C> got = valuesOf<C>(outcome.packets[0]);
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    const size_t at = i / vf * 3 * vf + i % vf;
    ASSERT_EQ(got[i], expected[i])
        << isa::mnemonic(op) << " type " << unsigned(type) << " from " << unsigned(from) << " on "
        << std::hex << stream[at] << ", " << stream[at + vf] << ", " << stream[at + 2 * vf];
  }
}

class Ops : public Conformance {};

TEST_P(Ops, EveryOperationOnEveryType) {
  const Overlay overlay = testOverlay();
  unsigned checked = 0;
  for (unsigned o = unsigned(Op::Mov); o <= unsigned(Op::Rotl); ++o)
    for (unsigned t = 0; t < 6; ++t)
      for (unsigned f = 0; f < 6; ++f) {
        const Op op = Op(o);
        const Type type = Type(t), from = Type(f);
        const bool conversion = op == Op::Sext || (op >= Op::Sitofp && op <= Op::Fpconv);
        if (op == Op::Iota || op == Op::Lane || op == Op::Slide || (!conversion && f != 0))
          continue;
        for (unsigned laneBits : {32u, 64u}) {
          if (!element::validTypes(op, type, from, laneBits))
            continue;
          ++checked;
          if (laneBits == 32)
            checkOp<uint32_t>(GetParam(), overlay, op, type, from);
          else
            checkOp<uint64_t>(GetParam(), overlay, op, type, from);
          if (HasFatalFailure())
            return;
        }
      }
  EXPECT_EQ(checked, 304u);
}

TEST_P(Ops, LaneMoves) {
  const Overlay overlay = testOverlay();
  for (unsigned k : {1u, 5u, 15u, 16u}) {
    Job job(overlay);
    isa::LoopContext loop = streamContext(overlay, 3, 32, 4, 4);
    isa::Slot &iota = loop.pes[0].slots[0], &lane = loop.pes[0].slots[1],
              &slide = loop.pes[0].slots[2];
    loop.streamInSlots[0].on = true;
    iota.op = Op::Iota;
    lane.op = Op::Lane;
    lane.a = operand(Source::StreamIn, 1);
    lane.imm[0] = k - 1;
    slide.op = Op::Slide;
    slide.imm[0] = k;
    slide.a = operand(Source::StreamIn, 2);
    slide.b = operand(Source::StreamIn, 5); // the beat before
    for (unsigned slot = 0; slot < 3; ++slot)
      loop.pes[0].slots[slot].streamOut = {true, 2, operand(Source::Res), {}};
    finishContext(loop, overlay);
    job.binary.contexts = {loop};
    const unsigned beats = 150; // more than two blocks of any engine's
    job.binary.code = launchCode(beats);
    std::vector<uint32_t> in;
    for (unsigned i = 0; i < beats * 16; ++i)
      in.push_back(i * 2654435761u);
    job.packets = {bytesOf(in)};
    const Outcome outcome = job.run(GetParam());
    ASSERT_EQ(outcome.error, "");
    ASSERT_EQ(outcome.packets.size(), 1u);
    const auto got = valuesOf<uint32_t>(outcome.packets[0]);
    ASSERT_EQ(got.size(), beats * 48u);
    for (unsigned i = 0; i < beats; ++i)
      for (unsigned l = 0; l < 16; ++l) {
        const unsigned e = i * 16 + l;
        ASSERT_EQ(got[i * 48 + l], e);
        ASSERT_EQ(got[i * 48 + 16 + l], in[i * 16 + k - 1]);
        ASSERT_EQ(got[i * 48 + 32 + l], e >= k ? in[e - k] : 0u) << i << " " << l;
      }
  }
}

ACIS_CONFORMANCE(Ops);

} // namespace
