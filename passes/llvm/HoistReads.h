// Moves a read of the input stream that is always made in front of one of the same element
// that is made under a condition: (c ? in[i] : 0) + in[i] reads in[i] once, in each iteration.
// So does a switch with a read of in[i] on each of its ways. A read under a condition that stays in
// the packet is made in each iteration (PacketReads).
#pragma once

#include "llvm/IR/PassManager.h"

namespace acis {

class HoistReadsPass : public llvm::PassInfoMixin<HoistReadsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace acis
