// Element loops: divisions, remainders, square root.
#include "runtime/engine/device/KernelTable.h"

namespace acis::element {

template <typename C> Kernel<C> divideKernel(isa::Op op, isa::Type type, isa::Type from) {
  return find<C, isa::Op::Sdiv, isa::Op::Fsqrt>(op, type, from);
}
template Kernel<uint32_t> divideKernel<uint32_t>(isa::Op, isa::Type, isa::Type);
template Kernel<uint64_t> divideKernel<uint64_t>(isa::Op, isa::Type, isa::Type);

} // namespace acis::element
