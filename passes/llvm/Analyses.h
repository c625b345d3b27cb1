// The analyses that our LLVM passes use, and no others: registering everything that
// LLVM has would cost time in each run and space in the compiler.
#pragma once

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"

namespace acis {

struct Analyses {
  explicit Analyses(llvm::Module &module);

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::ModuleAnalysisManager modules;
};

} // namespace acis
