// Element loops: floating-point arithmetic and compares.
#include "runtime/engine/device/KernelTable.h"

namespace acis::element {

template <typename C> Kernel<C> floatKernel(isa::Op op, isa::Type type, isa::Type from) {
  return find<C, isa::Op::Fadd, isa::Op::Fle>(op, type, from);
}
template Kernel<uint32_t> floatKernel<uint32_t>(isa::Op, isa::Type, isa::Type);
template Kernel<uint64_t> floatKernel<uint64_t>(isa::Op, isa::Type, isa::Type);

} // namespace acis::element
