// Analysis: loops that end when a value has become small or large, such as those over the digits of
// a number or down a tree.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"

#include <cstdint>
#include <optional>

namespace llvm {
class LazyValueInfo;
}

namespace acis {

/// Backward branches at most, by the values that numbers of the loop may have in each iteration:
/// from those that they start with, an iteration computes the next ones, and the tests of the loop
/// take away those with which it ends. What is looked at ends after as many iterations as a number
/// has bits, as what halves or doubles does, or gets nearer to its end in each one, up to 1024.
std::optional<uint64_t> countByRanges(const llvm::Loop &loop, const llvm::DominatorTree &dominators,
                                      llvm::ScalarEvolution &evolution,
                                      llvm::LazyValueInfo &values);

} // namespace acis
