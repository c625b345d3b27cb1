// Folds of whole buffers are those of their elements, at any length and alignment, and where the
// result takes the place of an operand.
#include "runtime/switch/collective/Combine.h"

#include <gtest/gtest.h>

#include <cstring>
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
    for (unsigned o = unsigned(ReduceOp::Sum); o < unsigned(ReduceOp::Merge); ++o) {
      const auto type = ElementType(t);
      const auto op = ReduceOp(o);
      if (!isDefined(op, type))
        continue;
      for (const size_t count : {0, 1, 15, 16, 17, 64, 255, 256, 257, 600})
        for (const size_t skew : {0, 1, 4})
          expectSame(op, type, count, skew, random);
    }
}

struct Entry {
  double value;
  int32_t index, zero = 0;
};

Bytes sparse(const std::vector<std::pair<int, double>> &entries, size_t room) {
  std::vector<Entry> all(room, {0, -1});
  for (size_t i = 0; i < entries.size(); ++i)
    all[i] = {entries[i].second, entries[i].first};
  Bytes bytes(room * sizeof(Entry));
  std::memcpy(bytes.data(), all.data(), bytes.size());
  return bytes;
}

TEST(Combine, SparseVectorsAreMerged) {
  auto merged = [](const Bytes &a, const Bytes &b) {
    Bytes out(a.size(), 0xee), left = a, right = b;
    collective::combine(ReduceOp::Merge, ElementType::Float64Int, a, b, out);
    collective::combine(ReduceOp::Merge, ElementType::Float64Int, left, b, left);
    collective::combine(ReduceOp::Merge, ElementType::Float64Int, a, right, right);
    EXPECT_EQ(out, left);
    EXPECT_EQ(out, right);
    return out;
  };
  const Bytes none = sparse({}, 4), some = sparse({{2, 1.5}, {7, 2}}, 4);
  EXPECT_EQ(merged(none, none), none);
  EXPECT_EQ(merged(some, none), some);
  EXPECT_EQ(merged(none, some), some);
  EXPECT_EQ(merged(some, sparse({{0, 4}, {7, -3}, {INT32_MAX, 1}}, 4)),
            sparse({{0, 4}, {2, 1.5}, {7, -1}, {INT32_MAX, 1}}, 4));
  // One too many: none, and so from then on.
  const Bytes full = merged(some, sparse({{0, 1}, {1, 1}, {3, 1}}, 4));
  EXPECT_EQ(full, sparse({{-2, 0}}, 4));
  EXPECT_EQ(merged(full, none), full);
  EXPECT_EQ(merged(some, full), full);
  EXPECT_TRUE(merged({}, {}).empty());
}

/// Entries in no order, of any index: whatever comes out, nothing is read or written beyond.
TEST(Combine, MergesNonsenseSafely) {
  std::mt19937 random(2);
  for (unsigned t = unsigned(ElementType::Int16Int); t < NumElementTypes; ++t)
    for (int trial = 0; trial < 300; ++trial) {
      const size_t bytes = bytesOf(ElementType(t)) * (random() % 20);
      Bytes a(bytes), b(bytes), out(bytes);
      for (Bytes *each : {&a, &b})
        for (uint8_t &byte : *each)
          byte = uint8_t(random() % 3 == 0 ? random() : 0);
      collective::combine(ReduceOp::Merge, ElementType(t), a, b, out);
    }
}

} // namespace
