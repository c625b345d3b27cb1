// Analysis: loops that may end in their middle, and how often they can run at most.
#pragma once

#include "passes/llvm/windows/Footprint.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"

#include <optional>

namespace llvm {
class LazyValueInfo;
}

namespace acis {

struct EarlyExit {
  llvm::Loop *loop = nullptr;
  bool isCounted = false;            ///< the latch ends it by the count, too
  const llvm::SCEV *count = nullptr; ///< backward branches at most; null: any number
  std::optional<Footprint> window;   ///< of the input stream; none: it is not read
  /// An iteration has read all of the window before it can leave the loop.
  bool readsFirst = true;
};

/// Whether the loop has to be looked at by examineExits(), which wants it in simplified and
/// closed form.
bool mayEndEarly(const llvm::Loop &loop, llvm::ScalarEvolution &evolution);

/// Nothing if nothing bounds the loop, or if it is not made of plain branches.
std::optional<EarlyExit> examineExits(llvm::Loop &loop, const llvm::DominatorTree &dominators,
                                      llvm::ScalarEvolution &evolution,
                                      llvm::LazyValueInfo &values);

} // namespace acis
