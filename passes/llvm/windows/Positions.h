// Analysis: positions that move on by sums and choices, as over the options of a header.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/ConstantRange.h"

#include <optional>

namespace llvm {
class LazyValueInfo;
class PHINode;
class ScalarEvolution;
} // namespace llvm

namespace acis {

/// What an iteration that comes to its end adds to a position, a phi of the loop's header; none if
/// it does not come from the one before by sums and choices.
std::optional<llvm::ConstantRange> movedInIteration(llvm::PHINode &position, const llvm::Loop &loop,
                                                    llvm::ScalarEvolution &evolution,
                                                    llvm::LazyValueInfo &values);

} // namespace acis
