// Fully unrolls short inner loops that cannot be lanes of the overlay: loops over rows,
// loops over a window that is kept in a small local array, and triangular nests over such
// arrays, like sorts. What is around them can then be the lanes. Loops over VPEs stay (their
// iterations run side by side) unless these take turns at a stream, and so do sums in the
// overlay's own order.
#pragma once

#include "passes/cost/CostModel.h"

#include "llvm/IR/PassManager.h"

namespace acis {

class UnrollWindowsPass : public llvm::PassInfoMixin<UnrollWindowsPass> {
public:
  explicit UnrollWindowsPass(const CostModel &cost) : cost(cost) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
  const CostModel &cost;
};

} // namespace acis
