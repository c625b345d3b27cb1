// Read-modify-write of a register file (sparse accumulation): done on the file itself,
// iteration by iteration, so that an iteration finds what the one before it wrote.
#include "runtime/fast/LoopRun.h"

#include <algorithm>

namespace acis::fast {

namespace {

/// file[beat] = O(file[beat], other) for n beats. Beats outside the range are left
/// out; returns the first such iteration, or n.
template <typename C, isa::Op O, isa::Type T, unsigned Vf>
unsigned updateUniform(C *range, C limit, const C *offsets, const C *other, unsigned n) {
  unsigned firstOutside = n;
  for (unsigned k = 0; k < n; ++k) {
    if (offsets[k] >= limit) {
      firstOutside = std::min(firstOutside, k);
      continue;
    }
    C *beat = range + size_t(offsets[k]) * Vf;
    for (unsigned lane = 0; lane < Vf; ++lane)
      beat[lane] = element::apply<O, T, T, C>(beat[lane], other[k * Vf + lane], 0);
  }
  return firstOutside;
}

template <typename C>
using UniformLoop = unsigned (*)(C *range, C limit, const C *offsets, const C *other, unsigned n);

/// Loops for the usual sums over beats of 64 bytes.
template <typename C> UniformLoop<C> uniformLoop(const isa::Slot &word, unsigned vf) {
  using isa::Op;
  using isa::Type;
  if (vf * sizeof(C) != 64)
    return nullptr;
  if constexpr (sizeof(C) == 4) {
    if (word.op == Op::Fadd && word.type == Type::F32)
      return updateUniform<C, Op::Fadd, Type::F32, 16>;
    if (word.op == Op::Add && word.type == Type::I32)
      return updateUniform<C, Op::Add, Type::I32, 16>;
  } else {
    if (word.op == Op::Fadd && word.type == Type::F64)
      return updateUniform<C, Op::Fadd, Type::F64, 8>;
    if (word.op == Op::Add && word.type == Type::I64)
      return updateUniform<C, Op::Add, Type::I64, 8>;
  }
  return nullptr;
}

} // namespace

/// The common case: one beat per iteration, a sum, nobody else wants the values, no
/// tail. False: not this case, nothing was done.
template <typename C> bool LoopRun<C>::updateFast(const Step &step, uint64_t i, unsigned n) {
  const Work &read = works[step.nodes[0]], &operation = works[step.nodes[1]];
  const isa::VrfAddress &address = *read.address;
  const UniformLoop<C> loopOfOp = uniformLoop<C>(*operation.word, vf);
  const bool reads0 = operation.in[0].node == step.nodes[0] && !operation.in[0].constant;
  const bool reads1 = operation.in[1].node == step.nodes[0] && !operation.in[1].constant;
  const bool cut = i + n == iterations && tail != 0;
  if (!loopOfOp || reads0 == reads1 || (address.indexed && !address.uniform) || cut ||
      plan.used[step.nodes[0]] || plan.used[step.nodes[1]])
    return false;
  const C *other = operand(operation, reads0 ? 1 : 0, i, n, scratch[0]);
  AffineWalk at = walk(read, i);
  C *offsets = temporary;
  for (unsigned k = 0; k < n; ++k, at.next())
    offsets[k] = C(at.value());
  if (address.indexed) {
    const C *index = operand(read, 0, i, n, scratch[2]);
    for (unsigned k = 0; k < n; ++k)
      offsets[k] = offset(address, offsets[k], index[k * vf + address.lane]);
  }
  const unsigned bad = loopOfOp(read.range, address.limit, offsets, other, n);
  if (bad < n)
    outside(read, i + bad, offsets[bad]);
  return true;
}

template <typename C> void LoopRun<C>::update(const Step &step, uint64_t i, unsigned n) {
  if (updateFast(step, i, n))
    return;
  for (unsigned k = 0; k < n; ++k)
    for (uint32_t node : step.nodes)
      evaluate(works[node], i + k, 1);
}

#define ACIS_INSTANTIATE(C) template void LoopRun<C>::update(const Step &, uint64_t, unsigned);
ACIS_INSTANTIATE(uint32_t)
ACIS_INSTANTIATE(uint64_t)

} // namespace acis::fast
