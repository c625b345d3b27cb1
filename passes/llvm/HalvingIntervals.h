// Analysis: loops that halve an interval until nothing is left of it, such as a search in a sorted
// table, or take elements from its ends, such as one for two numbers with a sum.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

#include <cstdint>
#include <optional>

namespace acis {

/// Backward branches at most, if the loop goes on while low < high or low <= high, and each
/// iteration moves one of the two to the middle between them, or to one behind it, or one of them
/// towards the other by a constant. Nothing if the
/// first interval may begin below zero, or has no known end.
std::optional<uint64_t> countOfHalving(const llvm::Loop &loop, llvm::ScalarEvolution &evolution);

} // namespace acis
