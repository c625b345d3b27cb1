// See Operands.h.
#include "runtime/hardware/rtl/vector/Operands.h"

#include "runtime/engine/device/Element.h"

#include <bit>
#include <cmath>

namespace acis::rtl {

using isa::Op;
using isa::Type;

namespace {
/// The layout of a floating-point type by the width of its container.
template <typename Bits> struct Layout {
  static constexpr unsigned Fraction = sizeof(Bits) == 4 ? 23 : 52;
  static constexpr unsigned ExponentBits = sizeof(Bits) == 4 ? 8 : 11;
  static constexpr unsigned Bias = (1u << (ExponentBits - 1)) - 1;
  static constexpr Bits MaxExponent = (Bits(1) << ExponentBits) - 1;
  static constexpr Bits FractionMask = (Bits(1) << Fraction) - 1;
  static constexpr Bits Sign = Bits(1) << (sizeof(Bits) * 8 - 1);
  using Float = std::conditional_t<sizeof(Bits) == 4, float, double>;
};
} // namespace

template <typename Bits> static std::vector<uint64_t> specialFloats() {
  using L = Layout<Bits>;
  const Bits one = (L::MaxExponent >> 1) << L::Fraction, inf = L::MaxExponent << L::Fraction;
  const Bits minNormal = Bits(1) << L::Fraction;
  const Bits magnitudes[] = {
      0, 1, 2, 3, minNormal >> 1, minNormal - 2, minNormal - 1, minNormal, minNormal + 1,
      2 * minNormal - 1, 2 * minNormal,
      // around 1, 1/2, 2 and the place where an ulp is 1
      one - 1, one, one + 1, one - minNormal, one - minNormal + 1, one + minNormal,
      one + (minNormal >> 1), one + Bits(L::Fraction) * minNormal,
      one + Bits(L::Fraction) * minNormal + 1, one + Bits(L::Fraction + 1) * minNormal,
      // the ends of the integer types, half of the smallest exponent
      one + 7 * minNormal, one + 31 * minNormal, one + 31 * minNormal - 1, one + 32 * minNormal,
      one + 63 * minNormal, one + 63 * minNormal - 1, one + 64 * minNormal, one >> 1,
      // the end of the normal numbers, infinity, NaNs
      inf - minNormal, inf - 1, inf, inf + 1, inf + (minNormal >> 1), inf + minNormal - 1};
  std::vector<uint64_t> values;
  for (Bits magnitude : magnitudes) {
    values.push_back(magnitude);
    values.push_back(Bits(magnitude | L::Sign));
  }
  return values;
}

std::vector<uint64_t> specialValues(Type type) {
  if (type == Type::F32)
    return specialFloats<uint32_t>();
  if (type == Type::F64)
    return specialFloats<uint64_t>();
  std::vector<uint64_t> values = {0, 1, 2, 3, 5, 10, 0x5555555555555555, 0xaaaaaaaaaaaaaaaa};
  for (unsigned bits : {7u, 8u, 15u, 16u, 24u, 25u, 31u, 32u, 53u, 54u, 63u})
    for (int delta = -1; delta <= 1; ++delta) {
      values.push_back((uint64_t(1) << bits) + uint64_t(int64_t(delta)));
      values.push_back(~((uint64_t(1) << bits) + uint64_t(int64_t(delta))) + 1);
    }
  for (uint64_t &value : values)
    value &= ~uint64_t(0) >> (64 - element::bits(type));
  return values;
}

static bool readsFrom(Op op) { return op == Op::Sext || (op >= Op::Sitofp && op <= Op::Fpconv); }

std::vector<Operands> specialOperands(const Operation &operation) {
  const std::vector<uint64_t> values =
      specialValues(readsFrom(operation.op) ? operation.from : operation.type);
  std::vector<Operands> beats;
  const unsigned operands = isa::numOperands(operation.op);
  std::vector<std::array<uint64_t, 3>> all;
  for (uint64_t a : values)
    for (uint64_t b : operands > 1 ? values : std::vector<uint64_t>{0})
      for (uint64_t c : operands > 2 ? values : std::vector<uint64_t>{0})
        all.push_back({a, b, c});
  if (operation.laneBits == 64) {
    for (const auto &[a, b, c] : all)
      beats.push_back({a, b, c});
    return beats;
  }
  // Every pair comes to both lanes: the second lane is some pairs behind.
  for (size_t i = 0; i < all.size(); ++i) {
    const auto &low = all[i], &high = all[(i + 7) % all.size()];
    beats.push_back({low[0] | high[0] << 32, low[1] | high[1] << 32, low[2] | high[2] << 32});
  }
  return beats;
}

uint64_t RandomOperands::next() { // splitmix64
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// Makes the magnitudes of a and b such that their product lies between two subnormal numbers, past
/// the middle by so little that it is all in the bits that its shift to their place loses: behind
/// the middle there are at least as many zeros as a number has bits.
template <typename Bits> static void nearTieOfProduct(uint64_t choice, Bits &a, Bits &b) {
  using L = Layout<Bits>;
  constexpr unsigned Sig = L::Fraction + 1;
  const unsigned right = 2 + choice % 4; // the shift
  const uint64_t mask = (uint64_t(1) << (Sig + right + 1)) - 1;
  const uint64_t lost = 1 + (choice >> 8) % ((1u << right) - 1);
  const uint64_t wanted = uint64_t(1) << (Sig + right - 1) | lost;
  const uint64_t one = uint64_t(1) << L::Fraction;
  // Each odd significand has one other that gives the wanted bits; one in 2^(right + 2) is in
  // range.
  uint64_t x = (a & L::FractionMask) | 1, y = 0;
  do {
    x = ((x + 2) & L::FractionMask) | one;
    uint64_t inverse = x; // of x, modulo 2^64, by Newton's method: 3, 6, ... 96 bits of it
    for (unsigned i = 0; i < 5; ++i)
      inverse *= 2 - x * inverse;
    y = (wanted * inverse) & mask;
  } while (y >> L::Fraction != 1);
  const Bits exponents = L::Bias - right, first = 1 + Bits(choice >> 16) % (exponents - 1);
  a = (a & L::Sign) | first << L::Fraction | (Bits(x) & L::FractionMask);
  b = (b & L::Sign) | (exponents - first) << L::Fraction | (Bits(y) & L::FractionMask);
}

template <typename Bits>
void RandomOperands::element(bool isFloat, bool convertsInteger, Bits *abc) {
  using L = Layout<Bits>;
  for (unsigned i = 0; i < 3; ++i)
    abc[i] = Bits(next());
  const uint64_t choice = next();
  if (!isFloat) {
    // Numbers of every length, and small distances.
    for (unsigned i = 0; i < 3; ++i) {
      const unsigned cut = unsigned(choice >> (8 * i)) % (sizeof(Bits) * 8);
      if (choice >> (40 + i) & 1)
        abc[i] = (choice >> (50 + i) & 1) ? Bits(~(abc[i] >> cut)) : Bits(abc[i] >> cut);
    }
    if ((choice >> 32 & 7) == 0)
      abc[1] = Bits(abc[0] + (choice >> 36 & 3) - 1);
    // Halfway between two floats.
    if (convertsInteger && (choice >> 32 & 3) == 1)
      abc[0] = Bits(((abc[0] | 1) << (choice & 31)) | (choice >> 8 & 1));
    return;
  }
  const Bits mantissaNoise = Bits(next() & 7);
  switch (choice & 3) {
  case 0: // any bits, but most exponents in reach of each other
    if (choice & 4)
      for (unsigned i = 0; i < 3; ++i)
        abc[i] = (abc[i] & (L::Sign | L::FractionMask)) |
                 (((L::MaxExponent >> 1) - 20 + Bits(choice >> (8 + 8 * i) & 31)) << L::Fraction);
    break;
  case 1: // cancellation: equal but for the last bits, or one exponent apart
    abc[1] = abc[0] ^ mantissaNoise ^ ((choice & 4) ? L::Sign : 0);
    if (choice & 8)
      abc[1] = Bits(abc[1] + (Bits(1) << L::Fraction));
    break;
  case 2: // ties: a few bits at the top, one more anywhere
    for (unsigned i = 0; i < 3; ++i) {
      const unsigned keep = unsigned(choice >> (4 + 6 * i) & 7);
      const Bits top = L::FractionMask & ~(L::FractionMask >> keep);
      const Bits bit = Bits(1) << (choice >> (24 + 6 * i) & 63) % L::Fraction;
      const Bits exponent =
          (L::MaxExponent >> 1) - L::Fraction - 2 + Bits(abc[i] >> 8) % (2 * L::Fraction + 4);
      abc[i] = (abc[i] & L::Sign) | (exponent << L::Fraction) |
               (((abc[i] & top) | (choice >> (45 + i) & 1 ? bit : 0)) & L::FractionMask);
    }
    break;
  case 3: { // subnormal operands and results
    const Bits small = Bits(abc[0] >> 7) % (L::Fraction + 3);
    const Bits middle = (L::MaxExponent >> 1) / 2;
    if (choice & 4) // a product or quotient near the smallest number
      for (unsigned i = 0; i < 2; ++i)
        abc[i] = (abc[i] & (L::Sign | L::FractionMask)) |
                 ((i == 0 ? middle + small - L::Fraction : middle) << L::Fraction);
    else
      abc[choice >> 3 & 1] &= L::Sign | (L::FractionMask >> (choice >> 8 & 31) % L::Fraction);
    // Only the first and the last bits set: what is shifted out decides alone.
    if ((choice & 4) && (choice >> 48 & 1))
      for (unsigned i = 0; i < 2; ++i) {
        const Bits ends =
            (Bits(choice >> (50 + i) & 1) << (L::Fraction - 1)) | Bits(choice >> (52 + 2 * i) & 1);
        abc[i] = (abc[i] & ~L::FractionMask) | ends;
      }
    if ((choice & 4) && (choice >> 54 & 7) == 0)
      nearTieOfProduct(choice >> 8, abc[0], abc[1]);
    if (choice & 16)
      abc[2] = abc[2] & (L::Sign | (L::FractionMask >> (choice >> 20 & 15)));
    if (choice & 64 && !(choice & 4)) // quotients of subnormal numbers
      abc[1] = (abc[1] & (L::Sign | L::FractionMask)) | (Bits(choice >> 40) % 8 << L::Fraction);
    break;
  }
  }
  // c near -a * b, so that a fused sum cancels.
  if ((choice >> 60 & 3) == 0) {
    const auto product =
        std::bit_cast<typename L::Float>(abc[0]) * std::bit_cast<typename L::Float>(abc[1]);
    abc[2] = Bits(std::bit_cast<Bits>(product) ^ L::Sign) + (choice & 32 ? mantissaNoise : 0) -
             (choice & 32 ? 3 : 0);
  }
}

/// A 64-bit number halfway between two subnormal ones of 32 bits, or a few ulps past that.
uint64_t RandomOperands::nearTieOfSubnormal() {
  const uint64_t choice = next();
  const unsigned below = unsigned(choice % 24); // exponents below the smallest normal one
  const uint64_t half = uint64_t(1) << (28 + below), odd = (choice >> 8 & 1) ? 2 * half : 0;
  return (choice & uint64_t(1) << 63) | uint64_t(1023 - 126 - below) << 52 |
         ((half | odd) & Layout<uint64_t>::FractionMask) | (choice >> 16 & 3);
}

std::vector<Operands> RandomOperands::take(const Operation &operation, size_t n) {
  const Type read = readsFrom(operation.op) ? operation.from : operation.type;
  const bool isFloat = element::isFloat(read);
  const bool converts = operation.op == Op::Sitofp || operation.op == Op::Uitofp;
  std::vector<Operands> beats(n);
  for (Operands &beat : beats) {
    if (operation.laneBits == 64 && element::bits(read) == 64) {
      uint64_t abc[3];
      element(isFloat, converts, abc);
      if (operation.op == Op::Fpconv && (next() & 1))
        abc[0] = nearTieOfSubnormal();
      beat = {abc[0], abc[1], abc[2]};
      continue;
    }
    // Two lanes, or a narrow element with anything above it.
    uint32_t low[3], high[3] = {};
    element(isFloat, converts, low);
    if (operation.laneBits == 32)
      element(isFloat, converts, high);
    else
      for (uint32_t &above : high)
        above = uint32_t(next());
    beat = {low[0] | uint64_t(high[0]) << 32, low[1] | uint64_t(high[1]) << 32,
            low[2] | uint64_t(high[2]) << 32};
  }
  return beats;
}

} // namespace acis::rtl
