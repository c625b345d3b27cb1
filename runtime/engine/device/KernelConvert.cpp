// Element loops: conversions.
#include "runtime/engine/device/KernelTable.h"

namespace acis::element {

template <typename C> Kernel<C> convertKernel(isa::Op op, isa::Type type, isa::Type from) {
  return find<C, isa::Op::Sitofp, isa::Op::Fpconv>(op, type, from);
}
template Kernel<uint32_t> convertKernel<uint32_t>(isa::Op, isa::Type, isa::Type);
template Kernel<uint64_t> convertKernel<uint64_t>(isa::Op, isa::Type, isa::Type);

} // namespace acis::element
