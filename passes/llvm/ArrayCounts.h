// Analysis: loops that end before an array does, such as those over the letters of a string.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"

#include <cstdint>
#include <optional>

namespace acis {

/// Of a variable with a constant size; 0: it is none.
uint64_t bytesOf(const llvm::Value &object, const llvm::DataLayout &data);

/// Elements of the array that is accessed at an index, or at a constant distance from it: so many
/// values the index may have. 0: none is.
uint64_t placesAt(const llvm::Instruction &access, const llvm::PHINode &index,
                  llvm::ScalarEvolution &evolution);

/// Backward branches at most, of a loop that accesses an array in each iteration, one or another,
/// at places that move on by a constant: C does not access what is behind it.
std::optional<uint64_t> countByArrays(const llvm::Loop &loop, llvm::ScalarEvolution &evolution);

/// The same of a loop that merges arrays: each iteration accesses the next element of one of them.
std::optional<uint64_t> countByMerge(const llvm::Loop &loop, const llvm::DominatorTree &dominators,
                                     llvm::ScalarEvolution &evolution);

} // namespace acis
