// Partial predication: the conditions inside an innermost loop become selects.
//
// All blocks between a branch and the place where its ways join are put into one line.
// What may be computed needlessly is; a phi becomes selects; a division gets the divisor
// 1 where the program would not divide. A load from an array or from memory is done
// always and marked !acis.guarded: where its condition is false its address may lie
// outside and its value is not used (the register file then gives 0 instead of a trap;
// memory has no such guard, so the verifier warns). What must not be done needlessly
// (stores, streams) keeps a branch of its own around it, a triangle of one block,
// whatever the conditions were.
#pragma once

#include "llvm/IR/PassManager.h"

namespace acis {

inline constexpr const char *GuardedMetadata = "acis.guarded";

class IfConvertPass : public llvm::PassInfoMixin<IfConvertPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace acis
