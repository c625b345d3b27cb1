// Shortens the way of a value that a loop carries through two selects that both may keep it:
// c ? old : (d ? new : old) becomes (d and not c) ? new : old. The loop starts iterations no
// faster than the carried value comes round; the condition does not go round with it.
#pragma once

#include "llvm/IR/PassManager.h"

namespace acis {

class CarriedSelectsPass : public llvm::PassInfoMixin<CarriedSelectsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace acis
