#include "runtime/switch/collective/Combine.h"

#include <complex>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

namespace acis::collective {

namespace {

using Bytes = std::span<const uint8_t>;

/// Value and index; padding is not touched in the output.
template <typename T> struct Pair {
  T value;
  int32_t index;
};
static_assert(sizeof(Pair<int16_t>) == 8 && sizeof(Pair<float>) == 8 && sizeof(Pair<double>) == 16);

/// One element, at any alignment.
template <typename T, typename F>
void mapOne(const uint8_t *a, const uint8_t *b, uint8_t *out, F f) {
  T x, y;
  std::memcpy(&x, a, sizeof x);
  std::memcpy(&y, b, sizeof y);
  x = f(x, y);
  std::memcpy(out, &x, sizeof x);
}

/// Buffers have any alignment, and `out` may be `a` or `b`. Chunks through locals, which can be
/// neither, are what the compiler vectorises; their length is a constant, so that it copies with
/// the same vectors in place of calling a function for each.
template <typename T, typename F> void map(Bytes a, Bytes b, std::span<uint8_t> out, F f) {
  constexpr size_t Chunk = 256 / sizeof(T), ChunkBytes = Chunk * sizeof(T);
  size_t at = 0;
  for (T x[Chunk], y[Chunk]; at + ChunkBytes <= out.size(); at += ChunkBytes) {
    std::memcpy(x, a.data() + at, ChunkBytes);
    std::memcpy(y, b.data() + at, ChunkBytes);
    for (size_t i = 0; i < Chunk; ++i)
      x[i] = f(x[i], y[i]);
    std::memcpy(out.data() + at, x, ChunkBytes);
  }
  for (; at + sizeof(T) <= out.size(); at += sizeof(T))
    mapOne<T>(a.data() + at, b.data() + at, out.data() + at, f);
}

/// Integers add and multiply without undefined overflow.
template <typename T> auto wide(T value) {
  if constexpr (std::is_integral_v<T>)
    return std::conditional_t<sizeof(T) <= 4, uint32_t, uint64_t>(value);
  else
    return value;
}

template <typename T> void number(ReduceOp op, Bytes a, Bytes b, std::span<uint8_t> out) {
  switch (op) {
  case ReduceOp::Sum:
    return map<T>(a, b, out, [](T x, T y) { return T(wide(x) + wide(y)); });
  case ReduceOp::Prod:
    return map<T>(a, b, out, [](T x, T y) { return T(wide(x) * wide(y)); });
  case ReduceOp::Min:
    return map<T>(a, b, out, [](T x, T y) { return y < x ? y : x; });
  case ReduceOp::Max:
    return map<T>(a, b, out, [](T x, T y) { return x < y ? y : x; });
  default:
    break;
  }
  if constexpr (std::is_integral_v<T>) {
    switch (op) {
    case ReduceOp::LogicalAnd:
      return map<T>(a, b, out, [](T x, T y) { return T(x != 0 && y != 0); });
    case ReduceOp::LogicalOr:
      return map<T>(a, b, out, [](T x, T y) { return T(x != 0 || y != 0); });
    case ReduceOp::LogicalXor:
      return map<T>(a, b, out, [](T x, T y) { return T((x != 0) != (y != 0)); });
    case ReduceOp::BitAnd:
      return map<T>(a, b, out, [](T x, T y) { return T(x & y); });
    case ReduceOp::BitOr:
      return map<T>(a, b, out, [](T x, T y) { return T(x | y); });
    case ReduceOp::BitXor:
      return map<T>(a, b, out, [](T x, T y) { return T(x ^ y); });
    default:
      break;
    }
  }
}

template <typename T> void complexNumber(ReduceOp op, Bytes a, Bytes b, std::span<uint8_t> out) {
  using C = std::complex<T>;
  if (op == ReduceOp::Sum)
    return map<C>(a, b, out, [](C x, C y) { return x + y; });
  map<C>(a, b, out, [](C x, C y) {
    return C(x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real());
  });
}

/// The places of a sparse vector.
template <typename T> class Entries {
public:
  explicit Entries(Bytes bytes) : bytes(bytes), room(bytes.size() / sizeof(Pair<T>)) {}

  bool isFull() const { return room > 0 && at(0).index == MergeFull; }
  /// Whether there is one at this place. What follows one that is none is none.
  bool has(size_t place) const { return place < room && at(place).index >= 0; }
  Pair<T> at(size_t place) const {
    Pair<T> entry;
    std::memcpy(&entry, bytes.data() + place * sizeof entry, sizeof entry);
    return entry;
  }

private:
  Bytes bytes;
  size_t room;
};

/// Zeros also between value and index, so that the bits of a result are those of its entries.
template <typename T> void put(std::span<uint8_t> out, size_t place, T value, int32_t index) {
  uint8_t *to = out.data() + place * sizeof(Pair<T>);
  std::memset(to, 0, sizeof(Pair<T>));
  std::memcpy(to + offsetof(Pair<T>, value), &value, sizeof value);
  std::memcpy(to + offsetof(Pair<T>, index), &index, sizeof index);
}

template <typename T> void merge(Bytes first, Bytes second, std::span<uint8_t> out) {
  if (out.empty())
    return;
  const Entries<T> a(first), b(second);
  const size_t room = out.size() / sizeof(Pair<T>);
  std::vector<uint8_t> both(out.size());
  size_t x = 0, y = 0, n = 0;
  bool isFull = a.isFull() || b.isFull();
  for (; !isFull && (a.has(x) || b.has(y)); ++n) {
    if (n == room) {
      isFull = true;
      break;
    }
    const int32_t p = a.has(x) ? a.at(x).index : INT32_MAX,
                  q = b.has(y) ? b.at(y).index : INT32_MAX;
    const bool takesA = a.has(x) && (p <= q || !b.has(y)),
               takesB = b.has(y) && (q <= p || !a.has(x));
    T value = takesA ? a.at(x).value : b.at(y).value;
    if (takesA && takesB)
      value = T(wide(value) + wide(b.at(y).value));
    put<T>(both, n, value, takesA ? p : q);
    x += takesA;
    y += takesB;
  }
  for (n = isFull ? 0 : n; n < room; ++n)
    put<T>(both, n, T(0), n == 0 && isFull ? MergeFull : MergeNone);
  std::memcpy(out.data(), both.data(), room * sizeof(Pair<T>));
}

template <typename T> void pair(ReduceOp op, Bytes a, Bytes b, std::span<uint8_t> out) {
  using P = Pair<T>;
  if (op == ReduceOp::Merge)
    return merge<T>(a, b, out);
  const bool least = op == ReduceOp::MinLoc;
  map<P>(a, b, out, [least](P x, P y) {
    if (x.value == y.value)
      return y.index < x.index ? y : x;
    return (least ? y.value < x.value : x.value < y.value) ? y : x;
  });
}

} // namespace

void combine(ReduceOp op, ElementType type, Bytes a, Bytes b, std::span<uint8_t> out) {
  switch (type) {
  case ElementType::Int8:
    return number<int8_t>(op, a, b, out);
  case ElementType::Uint8:
    return number<uint8_t>(op, a, b, out);
  case ElementType::Int16:
    return number<int16_t>(op, a, b, out);
  case ElementType::Uint16:
    return number<uint16_t>(op, a, b, out);
  case ElementType::Int32:
    return number<int32_t>(op, a, b, out);
  case ElementType::Uint32:
    return number<uint32_t>(op, a, b, out);
  case ElementType::Int64:
    return number<int64_t>(op, a, b, out);
  case ElementType::Uint64:
    return number<uint64_t>(op, a, b, out);
  case ElementType::Float32:
    return number<float>(op, a, b, out);
  case ElementType::Float64:
    return number<double>(op, a, b, out);
  case ElementType::Complex64:
    return complexNumber<float>(op, a, b, out);
  case ElementType::Complex128:
    return complexNumber<double>(op, a, b, out);
  case ElementType::Int16Int:
    return pair<int16_t>(op, a, b, out);
  case ElementType::Int32Int:
    return pair<int32_t>(op, a, b, out);
  case ElementType::Int64Int:
    return pair<int64_t>(op, a, b, out);
  case ElementType::Float32Int:
    return pair<float>(op, a, b, out);
  case ElementType::Float64Int:
    return pair<double>(op, a, b, out);
  }
}

} // namespace acis::collective
