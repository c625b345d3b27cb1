// Counts in elements what indexes an array in bytes: a choice of two positions in an array, such as
// that of the largest element so far, is one of two distances of 4 bytes, where the register file
// is accessed by the numbers of elements.
#pragma once

#include "llvm/IR/PassManager.h"

namespace acis {

class ElementIndicesPass : public llvm::PassInfoMixin<ElementIndicesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace acis
