// Folds of whole buffers are those of their elements, at any length and alignment, and where the
// result takes the place of an operand.
#include "runtime/switch/collective/Combine.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

using namespace acis;

namespace {

using Bytes = std::vector<uint8_t>;

/// Bytes of the elements that are neither value nor index, as (from, to).
std::pair<size_t, size_t> padding(ElementType type) {
  if (type == ElementType::Int16Int)
    return {2, 4};
  if (type == ElementType::Int64Int || type == ElementType::Float64Int)
    return {12, 16};
  return {0, 0};
}

/// Elements of random bits, but floating-point ones that are numbers: the bits of NaNs are the
/// processor's. Nor has padding a value.
Bytes randomElements(ElementType type, size_t count, std::mt19937 &random) {
  Bytes bytes(count * bytesOf(type));
  for (size_t i = 0; i < bytes.size(); ++i) {
    const size_t at = i % bytesOf(type);
    const bool isPadding = at >= padding(type).first && at < padding(type).second;
    bytes[i] = uint8_t(isPadding ? 0 : random() % 64);
  }
  return bytes;
}

/// One element after the other, each in buffers of its own.
Bytes foldEach(ReduceOp op, ElementType type, const Bytes &a, const Bytes &b, const Bytes &before) {
  const size_t size = bytesOf(type);
  Bytes out = before;
  for (size_t at = 0; at < a.size(); at += size) {
    Bytes x(a.begin() + long(at), a.begin() + long(at + size));
    Bytes y(b.begin() + long(at), b.begin() + long(at + size));
    Bytes z(before.begin() + long(at), before.begin() + long(at + size));
    collective::combine(op, type, x, y, z);
    std::copy(z.begin(), z.end(), out.begin() + long(at));
  }
  return out;
}

/// The same, `skew` bytes into larger buffers.
void expectSame(ReduceOp op, ElementType type, size_t count, size_t skew, std::mt19937 &random) {
  const Bytes a = randomElements(type, count, random), b = randomElements(type, count, random);
  const Bytes before = randomElements(type, count, random);
  auto at = [&](const Bytes &bytes) {
    Bytes shifted(skew);
    shifted.insert(shifted.end(), bytes.begin(), bytes.end());
    return shifted;
  };
  auto part = [&](Bytes &bytes) { return std::span(bytes).subspan(skew); };
  for (int place = 0; place < 3; ++place) {
    Bytes x = at(a), y = at(b), other = at(before);
    Bytes &out = place == 0 ? other : place == 1 ? x : y;
    const Bytes &was = place == 0 ? before : place == 1 ? a : b;
    const Bytes expected = at(foldEach(op, type, a, b, was));
    collective::combine(op, type, part(x), part(y), part(out));
    ASSERT_EQ(out, expected) << nameOf(op) << " of " << count << " " << nameOf(type) << ", skew "
                             << skew << ", result in place " << place;
  }
}

TEST(Combine, BuffersAreFoldedElementByElement) {
  std::mt19937 random(1);
  for (unsigned t = 0; t <= unsigned(ElementType::Float64Int); ++t)
    for (unsigned o = unsigned(ReduceOp::Sum); o < unsigned(ReduceOp::User); ++o) {
      const auto type = ElementType(t);
      const auto op = ReduceOp(o);
      if (!isDefined(op, type))
        continue;
      for (const size_t count : {0, 1, 15, 16, 17, 64, 255, 256, 257, 600})
        for (const size_t skew : {0, 1, 4})
          expectSame(op, type, count, skew, random);
    }
}

} // namespace
