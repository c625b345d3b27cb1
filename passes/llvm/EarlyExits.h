// Analysis: loops that may end in their middle, and how often they can run at most.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"

#include <optional>

namespace acis {

struct EarlyExit {
  llvm::Loop *loop = nullptr;
  /// The latch, if the loop also ends there by a count; else null.
  llvm::BasicBlock *counted = nullptr;
  const llvm::SCEV *count = nullptr; ///< backward branches at most; null: any number
  /// The input stream: iteration t reads it up to byte end + step * t. No end: not at all.
  const llvm::SCEV *end = nullptr;
  int64_t step = 0;
  /// An iteration has read all of it before it can leave the loop.
  bool readsFirst = true;
};

/// Whether the loop has to be looked at by examineExits(), which wants it in simplified and
/// closed form.
bool mayEndEarly(const llvm::Loop &loop, llvm::ScalarEvolution &evolution);

/// Nothing if nothing bounds the loop, or if it is not made of plain branches.
std::optional<EarlyExit> examineExits(llvm::Loop &loop, const llvm::DominatorTree &dominators,
                                      llvm::ScalarEvolution &evolution);

} // namespace acis
