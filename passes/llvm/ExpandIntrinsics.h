// Bit operations that no unit of the overlay has become operations that it has:
// rotations, saturating additions and subtractions, byte swaps, counts of bits, three-way
// comparisons.
#pragma once

#include "llvm/IR/PassManager.h"

namespace acis {

class ExpandIntrinsicsPass : public llvm::PassInfoMixin<ExpandIntrinsicsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace acis
