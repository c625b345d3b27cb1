// Makes each handler one function: everything it calls is inlined, and what no handler
// uses is removed from the module.
#pragma once

#include "passes/llvm/Diagnostic.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace acis {

/// Functions without a body that the back end implements: they stay calls.
bool isKnownToBackEnd(const llvm::Function &function);

/// Fails, with a message at the call, on what cannot be inlined: recursion, functions
/// without a body, calls through pointers, inline assembly, variable arguments.
bool inlineCalls(llvm::Module &module, Diagnostics &diagnostics);

} // namespace acis
