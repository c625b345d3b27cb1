// See Contents.h.
#include "runtime/sim/world/Contents.h"

#include "runtime/switch/collective/Combine.h"

#include <cstring>

namespace acis::cluster {
namespace {

/// A number from 0 to 3 that looks like chance (splitmix64).
unsigned valueOf(uint64_t seed, uint64_t rank, uint64_t element) {
  uint64_t z = seed * 0x9e3779b97f4a7c15 + rank * 0xbf58476d1ce4e5b9 + element;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return unsigned((z ^ z >> 31) & 3);
}

template <typename T> void put(unsigned value, uint8_t *at) {
  const T element = T(value);
  std::memcpy(at, &element, sizeof element);
}

/// Pairs get the value and an index of 0: all zero bytes but the first of a whole number, which
/// serves as both.
void putElement(ElementType type, unsigned value, uint8_t *at) {
  std::memset(at, 0, bytesOf(type));
  switch (type) {
  case ElementType::Float32:
  case ElementType::Complex64:
  case ElementType::Float32Int:
    return put<float>(value, at);
  case ElementType::Float64:
  case ElementType::Complex128:
  case ElementType::Float64Int:
    return put<double>(value, at);
  default:
    *at = uint8_t(value); // little-endian
  }
}

} // namespace

Contents::Contents(const Collective &shape, uint32_t ranks, uint64_t seed)
    : shape(shape), ranks(ranks), seed(seed), block(shape.count * bytesOf(shape.type)) {}

uint64_t Contents::blocksGiven() const {
  switch (shape.kind) {
  case Kind::Barrier:
    return 0;
  case Kind::Scatter:
  case Kind::Alltoall:
  case Kind::ReduceScatter:
  case Kind::ReduceScatterBlock:
    return ranks;
  default:
    return 1;
  }
}

uint64_t Contents::blocksWanted(uint32_t rank) const {
  switch (shape.kind) {
  case Kind::Barrier:
    return 0;
  case Kind::Gather:
    return rank == shape.root ? ranks : 0;
  case Kind::Allgather:
  case Kind::Alltoall:
    return ranks;
  default:
    return 1;
  }
}

Contents::Bytes Contents::given(uint32_t rank) const {
  const uint64_t elements = blocksGiven() * shape.count;
  const size_t size = bytesOf(shape.type);
  Bytes out(elements * size);
  for (uint64_t e = 0; e < elements; ++e) {
    // A product of many must stay exact.
    const unsigned value = valueOf(seed, rank, e);
    putElement(shape.type, shape.op == ReduceOp::Prod ? 1 + (value == 3) : value, &out[e * size]);
  }
  return out;
}

void Contents::prepare(uint32_t rank, Buffers &out) const {
  out.give = given(rank);
  out.get.assign(blocksWanted(rank) * block, 0xee);
  out.call = shape;
  out.call.send = out.give.data();
  out.call.recv = out.get.data();
  if (shape.kind == Kind::Bcast) { // one buffer: given at the root, and wanted elsewhere
    if (rank == shape.root)
      out.get = out.give;
    out.call.send = rank == shape.root ? out.give.data() : nullptr;
    out.call.recv = rank == shape.root ? nullptr : out.get.data();
  }
  if (shape.kind == Kind::ReduceScatter) {
    out.counts.assign(ranks, shape.count);
    out.call.counts = out.counts;
  }
}

const Contents::Bytes &Contents::folded(uint32_t last) const {
  while (folds.size() <= last) {
    Bytes next = given(uint32_t(folds.size()));
    if (!folds.empty())
      collective::combine(shape.op, shape.type, folds.back(), next, next);
    folds.push_back(std::move(next));
  }
  return folds[last];
}

Contents::Bytes Contents::expected(uint32_t rank) const {
  auto part = [&](const Bytes &from, uint64_t number) {
    return Bytes(from.begin() + long(number * block), from.begin() + long((number + 1) * block));
  };
  auto blockOfEach = [&](uint64_t number) {
    Bytes all;
    for (uint32_t r = 0; r < ranks; ++r) {
      const Bytes one = part(given(r), number);
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  };
  switch (shape.kind) {
  case Kind::Allreduce:
    return folded(ranks - 1);
  case Kind::Reduce:
    return rank == shape.root ? folded(ranks - 1) : Bytes();
  case Kind::ReduceScatter:
  case Kind::ReduceScatterBlock:
    return part(folded(ranks - 1), rank);
  case Kind::Scan:
    return folded(rank);
  case Kind::Exscan:
    return rank ? folded(rank - 1) : Bytes();
  case Kind::Bcast:
    return given(shape.root);
  case Kind::Scatter:
    return part(given(shape.root), rank);
  case Kind::Gather:
    return rank == shape.root ? blockOfEach(0) : Bytes();
  case Kind::Allgather:
    return blockOfEach(0);
  case Kind::Alltoall:
    return blockOfEach(rank);
  case Kind::Barrier:
    break;
  }
  return {};
}

std::string Contents::check(uint32_t rank, const Buffers &got) const {
  const Bytes want = expected(rank);
  for (size_t b = 0; b < want.size(); ++b)
    if (got.get[b] != want[b])
      return "rank " + std::to_string(rank) + ": byte " + std::to_string(b) + " of its result is " +
             std::to_string(got.get[b]) + " and not " + std::to_string(want[b]);
  return "";
}

} // namespace acis::cluster
