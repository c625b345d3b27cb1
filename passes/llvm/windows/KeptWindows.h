// Windows that overlap: sums of neighbours, differences, filters.
#pragma once

#include "llvm/IR/PassManager.h"

namespace acis {

/// Lets an innermost loop that reads a word and, some iterations later, the same word at another
/// place of its window, read it the first time only: `in[i] + in[i + 1]` reads in[i + 1], and in[0]
/// in front of the loop. Loops of constant counts are left; all of what they read may be copied.
/// Returns whether the function was changed; blocks stay as they are.
bool keepWindows(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

} // namespace acis
