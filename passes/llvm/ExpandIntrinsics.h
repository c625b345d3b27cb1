// Operations that no unit of the overlay has become some that it has: funnel shifts, saturating
// additions and subtractions, byte swaps, counts of bits, three-way comparisons, arithmetic that
// tells of an overflow, rounding to an integer, classes of floating-point numbers.
#pragma once

#include "llvm/IR/PassManager.h"

namespace acis {

class ExpandIntrinsicsPass : public llvm::PassInfoMixin<ExpandIntrinsicsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace acis
