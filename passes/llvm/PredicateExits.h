// Early exits as predicates: a loop that may end in its middle (break, return, while) becomes
// one that ends by its count only.
//
// After the exit that C takes, the iterations left still run and do nothing: a flag `done` is
// carried, stores happen only where it is not set, and a value that the code after the loop
// uses is carried from the iteration in which the loop ended. What such an iteration reads is
// not used, so reads of the input stream go on (marked !acis.always), and those of arrays give
// 0 where they are outside (!acis.guarded).
//
// The count is that of the loop's condition where it has one. A loop that reads the input
// stream must not go on into the next packet after its end, though: it runs up to the end of
// the packet that started the invocation, and goes on behind it element by element as long as
// it has not ended. The part for that is left out where the condition says that it is not
// needed, as in "i < *len / 4".
#pragma once

#include "llvm/IR/PassManager.h"

namespace acis {

/// On a read of the input stream that every iteration does, whatever its conditions say.
inline constexpr const char *AlwaysMetadata = "acis.always";

class PredicateExitsPass : public llvm::PassInfoMixin<PredicateExitsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

} // namespace acis
