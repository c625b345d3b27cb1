// A launch returns a few values (isa::MaxResults). What else an innermost loop of data hands on is
// written to arrays of one element in each iteration and read behind the loop, where it is a step.
#pragma once

#include "llvm/IR/PassManager.h"

namespace acis {

class LoopResultsPass : public llvm::PassInfoMixin<LoopResultsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace acis
