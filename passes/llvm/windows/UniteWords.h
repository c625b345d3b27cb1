// Accesses of a stream in one loop become accesses of words of one size: a stream moves by
// elements, and a header has fields of 8, 16 and 32 bits.
#pragma once

#include "llvm/IR/PassManager.h"

namespace acis {

/// Returns whether the function was changed; blocks stay as they are.
bool uniteWords(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

} // namespace acis
