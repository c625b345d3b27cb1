// Run-time choice of element loops, lane moves and the folding of accumulations.
#include "runtime/engine/device/Element.h"
#include "runtime/engine/device/KernelTable.h"

#include <algorithm>
#include <cassert>

namespace acis::element {

using isa::Op;
using isa::Type;

bool validTypes(Op op, Type type, Type from, unsigned laneBits) {
  return typesAllowed(op, type, from, laneBits);
}

Op foldOp(Op op) {
  switch (op) {
  case Op::Add:
  case Op::Mul:
  case Op::And:
  case Op::Or:
  case Op::Xor:
  case Op::Smin:
  case Op::Smax:
  case Op::Umin:
  case Op::Umax:
  case Op::Fadd:
  case Op::Fmul:
  case Op::Fmin:
  case Op::Fmax:
    return op;
  case Op::Fmac:
  case Op::Fma:
    return Op::Fadd;
  default:
    return Op::Nop;
  }
}

template <typename C> static Kernel<C> findKernel(Op op, Type type, Type from) {
  if (op == Op::Nop || op == Op::Iota || op == Op::Lane || op == Op::Slide)
    return nullptr;
  if (op <= Op::Sext || op == Op::Rotl)
    return integerKernel<C>(op, type, from);
  if (op <= Op::Fpconv)
    return convertKernel<C>(op, type, from);
  if (op <= Op::Fle)
    return floatKernel<C>(op, type, from);
  return divideKernel<C>(op, type, from);
}
template <> Kernel<uint32_t> kernel<uint32_t>(Op op, Type type, Type from) {
  return findKernel<uint32_t>(op, type, from);
}
template <> Kernel<uint64_t> kernel<uint64_t>(Op op, Type type, Type from) {
  return findKernel<uint64_t>(op, type, from);
}

uint64_t evaluate(Op op, Type type, Type from, uint64_t a, uint64_t b, uint64_t c) {
  const Kernel<uint64_t> loop = kernel<uint64_t>(op, type, from);
  assert(loop && "types were not checked");
  uint64_t result = 0;
  loop(&result, &a, &b, &c, 1);
  return result;
}

template <typename C>
static void evaluateAs(const isa::Slot &slot, unsigned vf, uint64_t iteration, const C *a,
                       const C *b, const C *c, C *result) {
  const C mask = C(~C(0)) >> (sizeof(C) * 8 - bits(slot.type));
  const unsigned k = unsigned(slot.imm[0]);
  switch (slot.op) {
  case Op::Nop:
    return;
  case Op::Iota:
    for (unsigned lane = 0; lane < vf; ++lane)
      result[lane] = C(iteration * vf + lane) & mask;
    return;
  case Op::Lane: {
    assert(k < vf && "lane was not checked");
    std::fill_n(result, vf, C(a[k] & mask));
    return;
  }
  case Op::Slide:
    assert(k >= 1 && k <= vf && "slide was not checked");
    for (unsigned lane = 0; lane < vf; ++lane)
      result[lane] = (lane >= k ? a[lane - k] : b[vf - k + lane]) & mask;
    return;
  default:
    // An operand that the operation does not have is not read by the loop.
    kernel<C>(slot.op, slot.type, slot.from)(result, a, b ? b : a, c ? c : a, vf);
  }
}

void evaluateBeat(const isa::Slot &slot, unsigned laneBits, unsigned beatBytes, uint64_t iteration,
                  const void *a, const void *b, const void *c, void *result) {
  if (laneBits == 32)
    evaluateAs<uint32_t>(slot, beatBytes / 4, iteration, static_cast<const uint32_t *>(a),
                         static_cast<const uint32_t *>(b), static_cast<const uint32_t *>(c),
                         static_cast<uint32_t *>(result));
  else
    evaluateAs<uint64_t>(slot, beatBytes / 8, iteration, static_cast<const uint64_t *>(a),
                         static_cast<const uint64_t *>(b), static_cast<const uint64_t *>(c),
                         static_cast<uint64_t *>(result));
}

template <typename C> static uint64_t foldAs(Op op, Type type, unsigned vf, C *partials) {
  const Kernel<C> loop = kernel<C>(foldOp(op), type, type);
  assert(loop && "accumulation was not checked");
  for (unsigned n = isa::AccPartials; n > 1; n /= 2)
    for (unsigned k = 0; k < n / 2; ++k) {
      C *even = partials + 2 * k * vf;
      loop(partials + k * vf, even, even + vf, even, vf);
    }
  for (unsigned n = vf; n > 1; n /= 2)
    for (unsigned k = 0; k < n / 2; ++k)
      loop(partials + k, partials + 2 * k, partials + 2 * k + 1, partials, 1);
  return partials[0];
}

uint64_t foldPartials(Op op, Type type, unsigned laneBits, unsigned beatBytes, void *partials) {
  if (laneBits == 32)
    return foldAs(op, type, beatBytes / 4, static_cast<uint32_t *>(partials));
  return foldAs(op, type, beatBytes / 8, static_cast<uint64_t *>(partials));
}

} // namespace acis::element
