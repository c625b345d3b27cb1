#include "runtime/switch/core/Slot.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace acis::sw {

using namespace collective;
using Bytes = std::span<const uint8_t>;

void Slot::begin(const wire::Header &header, const Subtree &subtree, uint32_t children) {
  active = true;
  complete = sourced = offered = false;
  busyUntil = 0;
  hold = Hold::None;
  signature = withoutTask(header);
  tasks.clear();
  own = subtree;
  base = 0;
  missing = children;
  contributed.assign(children, false);
  ops.assign(children, header.op);
  partialLevel.assign(children, 0);
  if (partial.size() < children)
    partial.resize(children);
  for (Assembly &assembly : assemblies)
    assembly.seen = 0;
  digests.clear();
  // A gather's blocks are all written before the result goes out.
  data.resize(upOf(header.shape) == Up::Gather ? blockUp(header.shape, unit(), own.group) * own.size
                                               : 0);
}

/// MPI wants one operation on all members. Programs whose Reduce has several run with MPI libraries
/// all the same, which combine what a member gets by its own; OSU's benchmarks of non-blocking
/// collectives do so for their times. The result is at the root only, so ranks cannot go different
/// ways because of it.
static bool mayDiffer(const wire::Header &a, ReduceOp b) {
  auto isCompiled = [](ReduceOp op) { return op == ReduceOp::None || op == ReduceOp::User; };
  return a.kind == Kind::Reduce && !isCompiled(a.op) && !isCompiled(b);
}

std::string Slot::mismatch(const wire::Header &given) const {
  const wire::Header &s = signature, h = withoutTask(given);
  auto differ = [](std::string_view what, std::string_view a, std::string_view b) {
    return std::string(what) + " " + std::string(a) + " and " + std::string(b);
  };
  if (h.kind != s.kind)
    return differ("collectives", nameOf(s.kind), nameOf(h.kind));
  if (h.op != s.op && !mayDiffer(s, h.op))
    return differ("operations", nameOf(s.op), nameOf(h.op));
  if (h.element != s.element)
    return differ("types", nameOf(s.element), nameOf(h.element));
  if (h.count != s.count)
    return differ("counts", std::to_string(s.count), std::to_string(h.count));
  if (h.root != s.root)
    return differ("roots, positions", std::to_string(s.root), std::to_string(h.root));
  if (h.shape != s.shape || h.sequence != s.sequence || h.fragment != s.fragment ||
      h.handle != s.handle)
    return "different orders of collectives, or operators";
  return "";
}

bool Slot::assemble(uint32_t child, const wire::Header &header, Bytes payload, uint32_t packetBytes,
                    uint64_t bytes, Bytes &message) {
  const uint64_t parts = bytes == 0 ? 1 : (bytes + packetBytes - 1) / packetBytes;
  const uint64_t from = uint64_t(header.part) * packetBytes;
  if (header.parts != parts || payload.size() != std::min<uint64_t>(packetBytes, bytes - from))
    return false;
  message = payload;
  if (parts == 1)
    return true;
  if (assemblies.size() <= child)
    assemblies.resize(child + 1);
  Assembly &assembly = assemblies[child];
  assembly.bytes.resize(bytes);
  std::copy(payload.begin(), payload.end(), assembly.bytes.begin() + long(from));
  assembly.seen |= uint64_t(1) << header.part;
  message = assembly.bytes;
  return assembly.seen == (parts == 64 ? ~uint64_t(0) : (uint64_t(1) << parts) - 1);
}

Status Slot::contribute(uint32_t child, const Contribution &given, const Combiner &combine) {
  const auto &[range, op, message, digest] = given;
  assert(!contributed[child]);
  contributed[child] = true;
  ops[child] = op;
  --missing;
  switch (upOf(signature.shape)) {
  case Up::Fold:
    return fold(child, message, combine);
  case Up::Gather:
    std::copy(message.begin(), message.end(),
              data.begin() +
                  long(blockUp(signature.shape, unit(), own.group) * (range.first - own.first)));
    keepDigest(given);
    break;
  case Up::Source:
    if (range.contains(signature.root)) {
      data.assign(message.begin(), message.end());
      sourced = true;
      keepDigest(given);
    }
    break;
  }
  return Status::ok();
}

void Slot::keepDigest(const Contribution &given) {
  const Shape shape = signature.shape;
  if (!given.digest || given.message.size() != unit() ||
      (shape != Shape::Source && shape != Shape::GatherAll && shape != Shape::GatherRoot))
    return;
  digests.resize(shape == Shape::Source ? 1 : own.size);
  digests[shape == Shape::Source ? 0 : given.range.first - own.first] = *given.digest;
}

const wire::Digest *Slot::digestOf(Bytes piece) const {
  if (digests.empty() || piece.empty() || piece.size() != unit())
    return nullptr;
  const size_t at = size_t(piece.data() - data.data());
  if (at % unit() != 0 || at / unit() >= digests.size() || !digests[at / unit()])
    return nullptr;
  return &*digests[at / unit()];
}

Status Slot::fold(uint32_t child, Bytes message, const Combiner &combine) {
  uint32_t index = child, width = uint32_t(contributed.size());
  uint32_t held = ~0u; // the partial that `message` lies in, once there was a neighbour
  for (unsigned level = 0; width > 1; ++level, index /= 2, width = (width + 1) / 2) {
    const uint32_t sibling = index ^ 1;
    if (sibling >= width)
      continue;
    const uint32_t mine = index << level, other = sibling << level;
    if (partialLevel[other] != level + 1) {
      if (held == ~0u)
        partial[mine].assign(message.begin(), message.end());
      else if (held != mine)
        std::swap(partial[held], partial[mine]);
      partialLevel[mine] = uint8_t(level + 1);
      return Status::ok();
    }
    partialLevel[other] = 0;
    std::vector<uint8_t> &into = partial[other];
    const bool left = index < sibling;
    signature.op = ops[std::min(mine, other)]; // the last pair's is that of child 0
    if (Status status =
            combine(signature, left ? message : Bytes(into), left ? Bytes(into) : message, into);
        !status)
      return status;
    held = other;
    message = into;
  }
  if (held == ~0u)
    data.assign(message.begin(), message.end());
  else
    std::swap(data, partial[held]);
  return Status::ok();
}

Status Slot::scan(const Combiner &combine) {
  const uint64_t block = unit();
  auto at = [&](uint64_t position) {
    return std::span<uint8_t>(data).subspan(position * block, block);
  };
  for (uint32_t p = 1; p < own.size; ++p)
    if (Status status = combine(signature, at(p - 1), at(p), at(p)); !status)
      return status;
  if (signature.shape == Shape::Exscan && block > 0)
    std::memmove(data.data() + block, data.data(), (own.size - 1) * block);
  return Status::ok();
}

void Slot::transpose() {
  const uint64_t block = unit(), n = own.size;
  std::vector<uint8_t> out(data.size());
  if (block > 0)
    for (uint64_t from = 0; from < n; ++from)
      for (uint64_t to = 0; to < n; ++to)
        std::memcpy(&out[(to * n + from) * block], &data[(from * n + to) * block], block);
  data.swap(out);
}

Status Slot::finishTop(const Combiner &combine) {
  complete = true;
  base = 0;
  if (signature.shape == Shape::Scan || signature.shape == Shape::Exscan)
    return scan(combine);
  if (signature.shape == Shape::Transpose)
    transpose();
  return Status::ok();
}

void Slot::setResult(Bytes result) {
  digests.clear();
  data.assign(result.begin(), result.end());
  base = own.first;
  complete = true;
}

Status Slot::setWhole(Bytes all, const Combiner &combine) {
  digests.clear();
  data.assign(all.begin(), all.end());
  own = {0, own.group, own.group};
  return finishTop(combine);
}

Bytes Slot::resultFor(const Subtree &child) const {
  const uint64_t bytes = bytesDown(signature.shape, unit(), child, signature.root);
  uint64_t from = 0;
  if (bytes > 0 && downOf(signature.shape) == Down::Split)
    from = splitBytes(signature.shape, unit(), own.group) * (child.first - base);
  assert(from + bytes <= data.size());
  return Bytes(data).subspan(from, bytes);
}

void Slot::setTask(uint32_t child, Task task) { tasks[child] = std::move(task); }

std::optional<Bytes> Slot::valueFor(const Subtree &child) const {
  const Shape shape = signature.shape;
  if (!collective::isOneWay(shape, child, signature.root))
    return resultFor(child);
  if (upOf(shape) != Up::Source)
    return std::nullopt;
  const bool split = downOf(shape) == Down::Split;
  return Bytes(data).subspan(split ? unit() * child.first : 0, unit());
}

uint64_t Slot::capacity() const {
  uint64_t bytes = data.capacity();
  for (const auto &[child, task] : tasks)
    bytes += task.given.capacity() + (task.output ? task.output->capacity() : 0);
  for (const std::vector<uint8_t> &buffer : partial)
    bytes += buffer.capacity();
  for (const Assembly &assembly : assemblies)
    bytes += assembly.bytes.capacity();
  return bytes;
}

void Slot::fingerprint(std::vector<uint64_t> &out) const {
  out.push_back(active);
  if (!active)
    return;
  out.insert(out.end(), {signature.slot, complete, sourced, offered, missing,
                         uint64_t(hold) | uint64_t(busyUntil != 0) << 8});
  for (size_t i = 0; i < contributed.size(); ++i)
    out.push_back(uint64_t(contributed[i]) | uint64_t(partialLevel[i]) << 8 |
                  uint64_t(tasks.contains(uint32_t(i))) << 16);
}

} // namespace acis::sw
