// Takes the first iterations out of a loop that reads elements of the input stream that were read
// in front of it: `most = in[0]; for (i = 0; ..) most = max(most, in[i])`. A stream is read
// forward; once the iteration stands beside the first read, both are one.
#pragma once

#include "llvm/IR/PassManager.h"

namespace acis {

class PeelRereadsPass : public llvm::PassInfoMixin<PeelRereadsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace acis
