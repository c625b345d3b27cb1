// Element loops: integer arithmetic, logic, compares, select.
#include "runtime/engine/device/KernelTable.h"

namespace acis::element {

template <typename C> Kernel<C> integerKernel(isa::Op op, isa::Type type, isa::Type from) {
  using isa::Op;
  return op == Op::Rotl ? find<C, Op::Rotl, Op::Rotl>(op, type, from)
                        : find<C, Op::Mov, Op::Sext>(op, type, from);
}
template Kernel<uint32_t> integerKernel<uint32_t>(isa::Op, isa::Type, isa::Type);
template Kernel<uint64_t> integerKernel<uint64_t>(isa::Op, isa::Type, isa::Type);

} // namespace acis::element
