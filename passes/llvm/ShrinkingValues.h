// Analysis: loops that end when a value has become small, such as those over the digits of a
// number.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"

#include <cstdint>
#include <optional>

namespace acis {

/// Backward branches at most, if a value of the loop is divided by a constant, shifted right by
/// one, loses a bit (x & (x - 1)) or one of its halves in each iteration, and the loop ends when it
/// is small.
std::optional<uint64_t> countOfShrinking(const llvm::Loop &loop,
                                         const llvm::DominatorTree &dominators,
                                         llvm::ScalarEvolution &evolution);

} // namespace acis
