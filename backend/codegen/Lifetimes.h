// When the control code of a handler runs its nests, for sharing registers.
#pragma once

#include "backend/regalloc/VrfAlloc.h"

#include "llvm/ADT/StringMap.h"

namespace llvm {
class Function;
} // namespace llvm

namespace acis::codegen {

/// Of each called nest (by callee) the first and the last place in the function's order
/// of execution at which it may run. Everything in one loop of the control code is at
/// the same places.
llvm::StringMap<regalloc::Lifetime> nestPlaces(const llvm::Function &function);

} // namespace acis::codegen
