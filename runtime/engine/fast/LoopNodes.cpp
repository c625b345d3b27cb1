// What each kind of node does for a block of iterations.
#include "backend/isa/Traps.h"
#include "runtime/engine/device/PortFormat.h"
#include "runtime/engine/fast/LoopRun.h"

#include <algorithm>
#include <cstring>

namespace acis::fast {

template <typename C> void LoopRun<C>::compute(Work &work, uint64_t i, unsigned n) {
  if (work.partials)
    return accumulate(work, i, n);
  if (!work.kernel)
    return laneMove(work, i, n);
  const C *a = operand(work, 0, i, n), *b = operand(work, 1, i, n), *c = operand(work, 2, i, n);
  work.kernel(result(work, i), a, b, c, size_t(n) * vf);
}

template <typename C> void LoopRun<C>::laneMove(Work &work, uint64_t i, unsigned n) {
  const C *a = operand(work, 0, i, n), *b = operand(work, 1, i, n);
  for (unsigned k = 0; k < n; ++k)
    element::evaluateBeat(*work.word, sizeof(C) * 8, unsigned(vf * sizeof(C)), i + k, a + k * vf,
                          b + k * vf, nullptr, result(work, i + k));
}

namespace {

/// partials[k % AccPartials] = O(a[k], partials[k % AccPartials]) for n full beats, the
/// first of which is beat `first`; one partial after the other stays in registers.
template <typename C, isa::Op O, isa::Type T>
void accumulateBeats(C *partials, const C *a, unsigned first, unsigned n) {
  constexpr unsigned vf = 64 / sizeof(C);
  for (unsigned p = 0; p < isa::AccPartials; ++p) {
    C *partial = partials + (first + p) % isa::AccPartials * vf;
    C sum[vf];
    std::memcpy(sum, partial, sizeof sum);
    for (unsigned k = p; k < n; k += isa::AccPartials)
      for (unsigned lane = 0; lane < vf; ++lane)
        sum[lane] = element::apply<O, T, T, C>(a[k * vf + lane], sum[lane], 0);
    std::memcpy(partial, sum, sizeof sum);
  }
}

template <typename C> using AccumulateLoop = void (*)(C *, const C *, unsigned, unsigned);

/// Loops for plain sums over beats of 64 bytes, nullptr for others.
template <typename C> AccumulateLoop<C> accumulateLoop(const isa::Slot &word, unsigned vf) {
  constexpr isa::Type real = sizeof(C) == 4 ? isa::Type::F32 : isa::Type::F64;
  constexpr isa::Type integer = sizeof(C) == 4 ? isa::Type::I32 : isa::Type::I64;
  if (vf * sizeof(C) != 64)
    return nullptr;
  if (word.op == isa::Op::Add && word.type == integer)
    return accumulateBeats<C, isa::Op::Add, integer>;
  if (word.op == isa::Op::Fadd && word.type == real)
    return accumulateBeats<C, isa::Op::Fadd, real>;
  return nullptr;
}

} // namespace

/// The partial result takes the place of the last operand.
template <typename C> void LoopRun<C>::accumulate(Work &work, uint64_t i, unsigned n) {
  const bool ternary = work.word->op == isa::Op::Fmac || work.word->op == isa::Op::Fma;
  const C *a = operand(work, 0, i, n);
  const C *b = ternary ? operand(work, 1, i, n) : nullptr;
  const bool cut = i + n == iterations && tail != 0;
  const AccumulateLoop<C> sums = accumulateLoop<C>(*work.word, vf);
  if (sums && !cut && !plan.used[size_t(&work - works.data())])
    return sums(work.partials, a, unsigned(i % isa::AccPartials), n);
  for (unsigned done = 0; done < n;) {
    const unsigned first = unsigned((i + done) % isa::AccPartials);
    const bool last = cut && done == n - 1;
    const unsigned full = std::min(isa::AccPartials - first, n - done);
    const unsigned beats = last || !cut ? full : std::min(full, n - 1 - done);
    C *partial = work.partials + first * vf;
    const size_t elements = last ? tail : size_t(beats) * vf;
    if (ternary)
      work.kernel(partial, a + done * vf, b + done * vf, partial, elements);
    else
      work.kernel(partial, a + done * vf, partial, partial, elements);
    if (plan.used[size_t(&work - works.data())])
      copyBeats(result(work, i + done), partial, beats);
    done += beats;
  }
}

/// One beat through an address that each lane has of its own.
template <typename C>
void LoopRun<C>::gatherLanes(const Work &work, const C *index, C start, uint64_t i, C *out) {
  const unsigned lanes = active(i);
  const C limit = work.address->limit;
  C *at = temporary;
  laneOffsets(*work.address, start, index, at);
  C most = 0;
  for (unsigned lane = 0; lane < vf; ++lane) {
    most = std::max(most, at[lane]);
    const bool inside = at[lane] < limit;
    // The range's first beat stands in for one outside, without a branch.
    const C value = limit ? work.range[size_t(inside ? at[lane] : 0) * vf + lane] : C(0);
    out[lane] = inside && lane < lanes ? value : C(0);
  }
  if (most < limit || work.address->zeroOutside)
    return;
  for (unsigned lane = 0; lane < lanes; ++lane)
    if (at[lane] >= limit)
      return outside(work, i, at[lane]);
}

template <typename C> void LoopRun<C>::readRegisters(Work &work, uint64_t i, unsigned n) {
  const isa::VrfAddress &address = *work.address;
  const C *index = address.indexed ? operand(work, 0, i, n) : nullptr;
  AffineWalk at = walk(work, i);
  for (unsigned k = 0; k < n; ++k, at.next()) {
    C *out = result(work, i + k);
    if (index && !address.uniform) {
      gatherLanes(work, index + k * vf, C(at.value()), i + k, out);
      continue;
    }
    const C beat =
        index ? offset(address, C(at.value()), index[k * vf + address.lane]) : C(at.value());
    if (beat < address.limit) {
      copyBeats(out, work.range + beat * vf, 1);
    } else {
      std::fill_n(out, vf, C(0));
      outside(work, i + k, beat);
    }
  }
}

template <typename C> void LoopRun<C>::writeRegisters(Work &work, uint64_t i, unsigned n) {
  const isa::VrfAddress &address = *work.address;
  const C *data = operand(work, 0, i, n);
  const C *index = address.indexed ? operand(work, 1, i, n) : nullptr;
  const bool predicated = work.node->operands[2].kind != GraphOperand::Kind::None;
  const C *predicate = predicated ? operand(work, 2, i, n) : nullptr;
  const bool perLane = index && !address.uniform;
  AffineWalk at = walk(work, i);
  for (unsigned k = 0; k < n; ++k, at.next(), data += vf) {
    const C start = C(at.value());
    const unsigned lanes = active(i + k);
    if (loop.scalar && predicated && !predicate[k])
      continue;
    if (!perLane) {
      const C beat = index ? offset(address, start, index[k * vf + address.lane]) : start;
      if (beat >= address.limit)
        outside(work, i + k, beat);
      else if (!predicated && lanes == vf)
        copyBeats(work.range + beat * vf, data, 1);
      else
        for (unsigned lane = 0; lane < lanes; ++lane)
          if (!predicated || predicate[k * vf + lane])
            work.range[beat * vf + lane] = data[lane];
      continue;
    }
    for (unsigned lane = 0; lane < lanes; ++lane) {
      if (predicated && !predicate[k * vf + lane])
        continue;
      const C beat = offset(address, start, index[k * vf + lane]);
      if (beat < address.limit)
        work.range[beat * vf + lane] = data[lane];
      else
        outside(work, i + k, beat);
    }
  }
}

template <typename C> void LoopRun<C>::popStream(Work &work, uint64_t i, unsigned n) {
  const isa::ElementFormat &format = loop.streamIn.format;
  const unsigned pops = unsigned(plan.source.graph.pops.size());
  const unsigned full = accessBytes(format, vf), bits = sizeof(C) * 8;
  const unsigned whole = active(i + n - 1) == vf ? n : n - 1; // beats without a tail
  const uint8_t *bytes = input.streamIn + i * pops * full;
  // Bytes that are containers already are used where they are.
  work.direct = nullptr;
  if (pops == 1 && format.bytes == sizeof(C) && !format.splat && whole == n &&
      plan.history[size_t(&work - works.data())] == 0 && plan.hazards.empty() && !plan.timed &&
      reinterpret_cast<uintptr_t>(bytes) % alignof(C) == 0) {
    work.direct = reinterpret_cast<const C *>(bytes);
    work.first = i;
    return;
  }
  if (pops == 1)
    expandBeats(format, bits, vf, whole, bytes, result(work, i));
  else
    for (unsigned k = 0; k < whole; ++k)
      expandElements(format, bits, vf, vf, bytes + (size_t(k) * pops + work.rank) * full,
                     result(work, i + k));
  if (whole == n)
    return;
  const unsigned last = accessBytes(format, tail);
  expandElements(format, bits, vf, tail, bytes + size_t(whole) * pops * full + work.rank * last,
                 result(work, i + whole));
}

template <typename C> void LoopRun<C>::pushStream(Work &work, uint64_t i, unsigned n) {
  const isa::ElementFormat &format = loop.streamOut.format;
  const unsigned pushes = unsigned(plan.source.graph.pushes.size());
  const unsigned full = accessBytes(format, vf);
  const C *data = operand(work, 0, i, n);
  for (unsigned k = 0; k < n; ++k) {
    const unsigned lanes = active(i + k), size = accessBytes(format, lanes);
    packElements(format, sizeof(C) * 8, lanes, data + k * vf, nullptr,
                 input.streamOut + (i + k) * pushes * full + work.rank * size);
  }
  if (work.node->operands[1].kind == GraphOperand::Kind::None)
    return;
  const C *predicate = operand(work, 1, i, n);
  for (unsigned k = 0; k < n; ++k)
    input.sends[(i + k) * pushes + work.rank] = predicate[k * vf] != 0;
}

/// The bytes of an access, or nullptr after a trap.
template <typename C>
uint8_t *LoopRun<C>::memoryAt(const Work &work, uint32_t address, unsigned bytes, uint64_t i) {
  const uint64_t at = uint64_t(address) - isa::MemoryBase;
  if (address >= isa::MemoryBase && at <= input.memory.size() && bytes <= input.memory.size() - at)
    return input.memory.data() + at;
  note(work, i, isa::trapMemory(bytes, address, input.memory.size()));
  return nullptr;
}

static AffineWalk walkOfMemory(const isa::MemAddress &address, const isa::LoopContext &loop,
                               const LoopInput &input, uint64_t i) {
  return {int64_t(input.args[address.arg]) + address.offset, address.stride0, address.stride1,
          loop.innerCount, i};
}

template <typename C> void LoopRun<C>::readMemory(Work &work, uint64_t i, unsigned n) {
  const isa::MemAddress &port = loop.pes[work.node->pe].memIn;
  AffineWalk at = walkOfMemory(port, loop, input, i);
  for (unsigned k = 0; k < n; ++k, at.next()) {
    const unsigned lanes = active(i + k), bytes = accessBytes(port.format, lanes);
    C *out = result(work, i + k);
    if (const uint8_t *from = memoryAt(work, uint32_t(at.value()), bytes, i + k))
      expandElements(port.format, sizeof(C) * 8, vf, lanes, from, out);
    else
      std::fill_n(out, vf, C(0));
  }
}

template <typename C> void LoopRun<C>::writeMemory(Work &work, uint64_t i, unsigned n) {
  const isa::MemAddress &port = loop.pes[work.node->pe].memOut;
  const C *data = operand(work, 0, i, n);
  const bool predicated = work.node->operands[1].kind != GraphOperand::Kind::None;
  const C *predicate = predicated ? operand(work, 1, i, n) : nullptr;
  AffineWalk at = walkOfMemory(port, loop, input, i);
  for (unsigned k = 0; k < n; ++k, at.next()) {
    const unsigned lanes = active(i + k), bytes = accessBytes(port.format, lanes);
    if (uint8_t *to = memoryAt(work, uint32_t(at.value()), bytes, i + k))
      packElements(port.format, sizeof(C) * 8, lanes, data + k * vf,
                   predicate ? predicate + k * vf : nullptr, to);
  }
}

#define ACIS_INSTANTIATE(C)                                                                        \
  template void LoopRun<C>::compute(Work &, uint64_t, unsigned);                                   \
  template void LoopRun<C>::readRegisters(Work &, uint64_t, unsigned);                             \
  template void LoopRun<C>::writeRegisters(Work &, uint64_t, unsigned);                            \
  template void LoopRun<C>::popStream(Work &, uint64_t, unsigned);                                 \
  template void LoopRun<C>::pushStream(Work &, uint64_t, unsigned);                                \
  template void LoopRun<C>::readMemory(Work &, uint64_t, unsigned);                                \
  template void LoopRun<C>::writeMemory(Work &, uint64_t, unsigned);
ACIS_INSTANTIATE(uint32_t)
ACIS_INSTANTIATE(uint64_t)

} // namespace acis::fast
