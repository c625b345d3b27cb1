// Read-modify-write of a register file (sparse accumulation): done on the file itself,
// iteration by iteration, so that an iteration finds what the one before it wrote.
#include "runtime/engine/fast/LoopRun.h"

#include <algorithm>
#include <cstring>

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
    C sum[Vf]; // apart from both operands, so that the loop becomes vector code
    for (unsigned lane = 0; lane < Vf; ++lane)
      sum[lane] = element::apply<O, T, T, C>(beat[lane], other[k * Vf + lane], 0);
    std::memcpy(beat, sum, sizeof sum);
  }
  return firstOutside;
}

/// The same with an offset for each lane.
template <typename C, isa::Op O, isa::Type T, unsigned Vf>
unsigned updateLanes(C *range, C limit, const C *offsets, const C *other, unsigned n) {
  unsigned firstOutside = n;
  for (unsigned k = 0; k < n; ++k) {
    const C *at = offsets + k * Vf;
    C value[Vf];
    bool outside = false;
    for (unsigned lane = 0; lane < Vf; ++lane) {
      const bool inside = at[lane] < limit;
      outside |= !inside;
      value[lane] = range[size_t(inside ? at[lane] : 0) * Vf + lane];
    }
    for (unsigned lane = 0; lane < Vf; ++lane)
      value[lane] = element::apply<O, T, T, C>(value[lane], other[k * Vf + lane], 0);
    if (outside)
      firstOutside = std::min(firstOutside, k);
    for (unsigned lane = 0; lane < Vf; ++lane)
      if (at[lane] < limit)
        range[size_t(at[lane]) * Vf + lane] = value[lane];
  }
  return firstOutside;
}

template <typename C>
using UpdateLoop = unsigned (*)(C *range, C limit, const C *offsets, const C *other, unsigned n);

template <typename C> struct UpdateLoops {
  UpdateLoop<C> uniform = nullptr, lanes = nullptr;
};

/// Loops for the usual sums over beats of 64 bytes.
template <typename C> UpdateLoops<C> updateLoops(const isa::Slot &word, unsigned vf) {
  using isa::Op;
  using isa::Type;
  constexpr unsigned Vf = 64 / sizeof(C);
  constexpr Type real = sizeof(C) == 4 ? Type::F32 : Type::F64;
  constexpr Type integer = sizeof(C) == 4 ? Type::I32 : Type::I64;
  if (vf == Vf && word.op == Op::Fadd && word.type == real)
    return {updateUniform<C, Op::Fadd, real, Vf>, updateLanes<C, Op::Fadd, real, Vf>};
  if (vf == Vf && word.op == Op::Add && word.type == integer)
    return {updateUniform<C, Op::Add, integer, Vf>, updateLanes<C, Op::Add, integer, Vf>};
  return {};
}

} // namespace

/// The common case: a sum, nobody else wants the values, no tail. False: not this case,
/// nothing was done.
template <typename C> bool LoopRun<C>::updateFast(const Step &step, uint64_t i, unsigned n) {
  const Work &read = works[step.nodes[0]], &operation = works[step.nodes[1]];
  const isa::VrfAddress &address = *read.address;
  const UpdateLoops<C> loops = updateLoops<C>(*operation.word, vf);
  const bool reads0 = operation.in[0].node == step.nodes[0] && !operation.in[0].constant;
  const bool reads1 = operation.in[1].node == step.nodes[0] && !operation.in[1].constant;
  const bool cut = i + n == iterations && tail != 0;
  if (!loops.uniform || reads0 == reads1 || cut || address.limit == 0 || plan.used[step.nodes[0]] ||
      plan.used[step.nodes[1]])
    return false;
  const C *other = operand(operation, reads0 ? 1 : 0, i, n, scratch[0]);
  const bool lanes = address.indexed && !address.uniform;
  const C *index = address.indexed ? operand(read, 0, i, n, scratch[2]) : nullptr;
  AffineWalk at = walk(read, i);
  C *offsets = temporary;
  for (unsigned k = 0; k < n; ++k, at.next()) {
    const C start = C(at.value());
    if (lanes)
      laneOffsets(address, start, index + k * vf, offsets + k * vf);
    else
      offsets[k] = index ? offset(address, start, index[k * vf + address.lane]) : start;
  }
  const unsigned bad =
      (lanes ? loops.lanes : loops.uniform)(read.range, address.limit, offsets, other, n);
  if (bad < n && lanes)
    outside(read, i + bad, *std::find_if(offsets + bad * vf, offsets + (bad + 1) * vf, [&](C at) {
              return at >= address.limit;
            }));
  else if (bad < n)
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
