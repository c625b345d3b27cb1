#include "runtime/switch/core/test/Reference.h"

#include "runtime/switch/collective/Combine.h"

#include <numeric>

namespace acis::sim {

namespace {

void fillElement(uint8_t *at, ElementType type, std::mt19937 &random) {
  const int value = int(random() % 7) - 3;
  auto put = [&]<typename T>(T v, size_t offset = 0) { std::memcpy(at + offset, &v, sizeof v); };
  std::memset(at, 0, bytesOf(type));
  switch (type) {
  case ElementType::Float32:
    return put(float(value));
  case ElementType::Float64:
    return put(double(value));
  case ElementType::Complex64:
    put(float(value));
    return put(float(value % 2), 4);
  case ElementType::Complex128:
    put(double(value));
    return put(double(value % 2), 8);
  case ElementType::Float32Int:
    put(float(value));
    return put(int32_t(random() % 100), 4);
  case ElementType::Float64Int:
    put(double(value));
    return put(int32_t(random() % 100), 8);
  case ElementType::Int16Int:
    put(int16_t(value));
    return put(int32_t(random() % 100), 4);
  case ElementType::Int32Int:
    put(int32_t(value));
    return put(int32_t(random() % 100), 4);
  case ElementType::Int64Int:
    put(int64_t(value));
    return put(int32_t(random() % 100), 8);
  default:
    const int64_t wide = value;
    std::memcpy(at, &wide, bytesOf(type));
  }
}

/// Products of small integers differ in the sign of zero with the order: it does not count.
template <typename T> void clearZeroSigns(std::vector<uint8_t> &bytes) {
  for (size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
    T value;
    std::memcpy(&value, &bytes[at], sizeof value);
    value += T(0);
    std::memcpy(&bytes[at], &value, sizeof value);
  }
}

void clearZeroSigns(ElementType type, std::vector<uint8_t> &bytes) {
  if (type == ElementType::Float32 || type == ElementType::Complex64)
    clearZeroSigns<float>(bytes);
  else if (type == ElementType::Float64 || type == ElementType::Complex128)
    clearZeroSigns<double>(bytes);
}

} // namespace

Trial::Trial(Kind kind, uint32_t context, const std::vector<uint32_t> &ranks, ReduceOp op,
             ElementType type, uint64_t count, uint32_t root, bool inPlace, std::mt19937 &random)
    : kind(kind), context(context), ranks(ranks), op(op), type(type), count(count), root(root),
      inPlace(inPlace && kind != Kind::Bcast && kind != Kind::Barrier), given(ranks.size()),
      buffer(ranks.size()), result(ranks.size()), requests(ranks.size()) {
  const size_t n = ranks.size(), bytes = bytesOf(type);
  if (kind == Kind::ReduceScatter)
    for (size_t i = 0; i < n; ++i)
      counts.push_back(random() % 3 == 0 ? 0 : random() % (count + 1));
  const uint64_t all = std::accumulate(counts.begin(), counts.end(), uint64_t(0));
  for (uint32_t i = 0; i < n; ++i) {
    uint64_t in = count, out = count;
    switch (kind) {
    case Kind::ReduceScatter:
      in = all;
      out = counts[i];
      break;
    case Kind::ReduceScatterBlock:
    case Kind::Scatter:
      in = count * n;
      break;
    case Kind::Gather:
    case Kind::Allgather:
      out = count * n;
      break;
    case Kind::Alltoall:
      in = out = count * n;
      break;
    case Kind::Barrier:
      in = out = 0;
      break;
    default:
      break;
    }
    given[i].resize(in * bytes);
    for (uint64_t e = 0; e < in; ++e)
      fillElement(&given[i][e * bytes], type, random);
    result[i].assign(out * bytes, 0xee);
  }
  original = given;
}

Collective Trial::call(uint32_t i) {
  Collective call;
  call.kind = kind;
  call.context = context;
  call.op = op;
  call.type = type;
  call.root = root;
  call.count = count;
  call.counts = counts;
  call.send = given[i].data();
  call.recv = result[i].data();
  const size_t block = count * bytesOf(type);
  const bool atRoot = i == root;
  if (kind == Kind::Bcast) {
    call.recv = atRoot ? nullptr : result[i].data();
    call.send = atRoot ? given[i].data() : nullptr;
  } else if (inPlace && kind == Kind::Allgather) {
    std::copy(given[i].begin(), given[i].end(), result[i].begin() + long(i * block));
    call.send = nullptr;
  } else if (inPlace &&
             (kind == Kind::Reduce ? atRoot : kind != Kind::Scatter && kind != Kind::Gather)) {
    // The buffer for both is as large as the larger one.
    result[i].resize(std::max(result[i].size(), given[i].size()));
    std::copy(given[i].begin(), given[i].end(), result[i].begin());
    call.send = nullptr;
    call.recv = result[i].data();
  } else if (inPlace && atRoot && kind == Kind::Gather) {
    std::copy(given[i].begin(), given[i].end(), result[i].begin() + long(i * block));
    call.send = nullptr;
  } else if (inPlace && atRoot && kind == Kind::Scatter) {
    call.recv = nullptr;
  }
  return call;
}

Status Trial::start(Network &network, uint32_t i) {
  Result<Request> request = network.host(ranks[i]).start(call(i), network.now);
  if (!request)
    return request.error();
  requests[i] = *request;
  return Status::ok();
}

bool Trial::done(Network &network, uint32_t i) const {
  return network.host(ranks[i]).isDone(requests[i]);
}

bool Trial::done(Network &network) const {
  for (uint32_t i = 0; i < ranks.size(); ++i)
    if (!done(network, i))
      return false;
  return true;
}

/// Empty: not looked at.
Trial::Bytes Trial::expected(uint32_t i) const {
  const size_t n = ranks.size(), bytes = bytesOf(type), block = count * bytes;
  auto fold = [&](uint32_t last) {
    Bytes sum = original[0];
    for (uint32_t r = 1; r <= last; ++r)
      collective::combine(op, type, sum, original[r], sum);
    return sum;
  };
  auto part = [&](const Bytes &from, size_t offset, size_t size) {
    return Bytes(from.begin() + long(offset), from.begin() + long(offset + size));
  };
  switch (kind) {
  case Kind::Allreduce:
    return fold(uint32_t(n) - 1);
  case Kind::Reduce:
    return i == root ? fold(uint32_t(n) - 1) : Bytes();
  case Kind::Bcast:
    return i == root ? Bytes() : original[root];
  case Kind::Gather:
  case Kind::Allgather: {
    if (kind == Kind::Gather && i != root)
      return {};
    Bytes all;
    for (const Bytes &one : original)
      all.insert(all.end(), one.begin(), one.end());
    return all;
  }
  case Kind::Scatter:
    return inPlace && i == root ? Bytes() : part(original[root], i * block, block);
  case Kind::ReduceScatter: {
    const uint64_t before = std::accumulate(counts.begin(), counts.begin() + i, uint64_t(0));
    return part(fold(uint32_t(n) - 1), before * bytes, counts[i] * bytes);
  }
  case Kind::ReduceScatterBlock:
    return part(fold(uint32_t(n) - 1), i * block, block);
  case Kind::Scan:
    return fold(i);
  case Kind::Exscan:
    return i == 0 ? Bytes() : fold(i - 1);
  case Kind::Alltoall: {
    Bytes all;
    for (const Bytes &one : original)
      all.insert(all.end(), one.begin() + long(i * block), one.begin() + long((i + 1) * block));
    return all;
  }
  case Kind::Barrier:
    return {};
  }
  return {};
}

std::string Trial::check() const {
  for (uint32_t i = 0; i < ranks.size(); ++i) {
    Bytes want = expected(i), found = result[i];
    clearZeroSigns(type, want);
    clearZeroSigns(type, found);
    for (size_t at = 0; at < want.size(); ++at)
      if (found[at] != want[at])
        return std::string(nameOf(kind)) + " " + std::string(nameOf(op)) + " " +
               std::string(nameOf(type)) + " x " + std::to_string(count) + ", root " +
               std::to_string(root) + (inPlace ? ", in place" : "") + ": rank " +
               std::to_string(i) + " of " + std::to_string(ranks.size()) + ", byte " +
               std::to_string(at) + " is " + std::to_string(found[at]) + ", not " +
               std::to_string(want[at]);
    if (kind == Kind::Exscan && i == 0 && !inPlace && !result[i].empty() && result[i][0] != 0xee)
      return "exscan has written to rank 0";
  }
  return "";
}

} // namespace acis::sim
