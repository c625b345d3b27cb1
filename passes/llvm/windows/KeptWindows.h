// Windows that overlap: sums of neighbours, differences, filters.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"

namespace acis {

/// Lets an innermost loop that reads a word and, some iterations later, the same word at another
/// place of its window, read it the first time only: `in[i] + in[i + 1]` reads in[i + 1], and in[0]
/// in front of the loop. Loops of constant counts are left; all of what they read may be copied.
/// `reads` are all that the loop has of the input stream, each of a word of its own. Returns
/// whether the function was changed; blocks stay as they are, but for one in front of the loop.
bool keepWindow(llvm::Loop &loop, llvm::ArrayRef<llvm::LoadInst *> reads, llvm::LoopInfo &loops,
                llvm::DominatorTree &dominators, llvm::ScalarEvolution &evolution);

} // namespace acis
