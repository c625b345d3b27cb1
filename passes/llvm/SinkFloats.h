// Moves floating-point computations into the loops that use them: the scalar unit, which
// runs what is outside of mapped loops, has no floating point. A value that does not
// change in a loop is computed there in each iteration, at no cost in time; long computations stay.
#pragma once

#include "llvm/IR/PassManager.h"

namespace acis {

class SinkFloatsPass : public llvm::PassInfoMixin<SinkFloatsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace acis
