// Analysis: loops that would never end if a few values were again what they were.
#pragma once

#include "llvm/Analysis/LoopInfo.h"

#include <cstdint>
#include <optional>

namespace llvm {
class DominatorTree;
class LazyValueInfo;
class ScalarEvolution;
} // namespace llvm

namespace acis {

/// Backward branches at most, of a loop that writes nothing.
std::optional<uint64_t> countByStates(const llvm::Loop &loop, const llvm::DominatorTree &dominators,
                                      llvm::ScalarEvolution &evolution,
                                      llvm::LazyValueInfo &values);

} // namespace acis
