// Brings reads of the input stream that stand outside of mapped loops into the order of the stream:
// the fields of a header may be read in any order. A read that comes behind one of a later element
// moves in front of that one, if C would read it there, too, or the later one is read in any case;
// so no packet is taken that the handler does not read.
#pragma once

#include "llvm/IR/PassManager.h"

namespace acis {

class OrderReadsPass : public llvm::PassInfoMixin<OrderReadsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace acis
