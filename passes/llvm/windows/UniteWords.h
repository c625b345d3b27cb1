// Accesses of a stream in one loop become accesses of words of one size: a stream moves by
// elements, and a header has fields of 8, 16 and 32 bits.
#pragma once

#include "llvm/IR/PassManager.h"

namespace acis {

class UniteWordsPass : public llvm::PassInfoMixin<UniteWordsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace acis
