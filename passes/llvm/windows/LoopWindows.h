// Windows of loops' iterations: a word that an iteration reads under conditions is read by each.
#pragma once

#include "llvm/IR/PassManager.h"

namespace acis {

/// Reads each word of an iteration once and in any case where the stream has it then: an iteration
/// that reads it or a later one on each of its ways passes it, and so does one of the packet's
/// elements. What the stream may not have stays under its condition. Returns whether the function
/// was changed; blocks stay as they are.
bool readLoopWindows(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

} // namespace acis
