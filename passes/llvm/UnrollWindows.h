// Fully unrolls short inner loops that cannot be lanes of the overlay: loops over rows,
// loops over a window that is kept in a small local array, and triangular nests over such
// arrays, like sorts. What is around them can then be the lanes. Loops over VPEs stay (their
// iterations run side by side), and so do sums in the overlay's own order.
#pragma once

#include "llvm/IR/PassManager.h"

namespace acis {

class UnrollWindowsPass : public llvm::PassInfoMixin<UnrollWindowsPass> {
public:
  struct Limits {
    unsigned lanes = 16;        ///< elements of 32 bits that the overlay works on at once
    unsigned operations = 1024; ///< that one of its contexts holds
    unsigned memoryPorts = 16;  ///< each serves one access of a loop to off-chip memory
  };
  explicit UnrollWindowsPass(const Limits &limits) : limits(limits) {}
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);

private:
  Limits limits;
};

} // namespace acis
