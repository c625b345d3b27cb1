// Windows that were read in front of a loop.
#pragma once

#include "llvm/IR/PassManager.h"

namespace acis {

/// Takes the first iterations out of a loop that read what was read in front of it: `most = in[0];
/// for (i = 0; ..) most = max(most, in[i])`. Beside the first read, both are of one window. Returns
/// whether the function was changed.
bool peelRereads(llvm::Function &handler, llvm::FunctionAnalysisManager &analyses);

} // namespace acis
