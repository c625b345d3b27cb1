// Which functions of a module are handlers, and which of its values are what.
#pragma once

#include "passes/llvm/windows/Streams.h"

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace acis {

bool isHandler(const llvm::Function &function);

/// The handlers with a body, in the order of the module.
llvm::SmallVector<llvm::Function *, 4> handlersOf(llvm::Module &module);

} // namespace acis
