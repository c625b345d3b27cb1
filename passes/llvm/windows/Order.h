// Whether reads come in the order of the stream, as far as it is known when the compiler runs.
#pragma once

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class DominatorTree;
class LoadInst;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace acis {

/// On a read of what no other one has passed, since it would have been taken from an array then.
inline constexpr const char *BehindMetadata = "acis.behind";

/// Whether an iteration of a loop may begin in front of where the one before has ended, by reads of
/// which it is known where they lie.
bool nextMayGoBack(const llvm::Loop &loop, llvm::ArrayRef<llvm::LoadInst *> reads,
                   const llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution);

/// Whether a read may begin in front of where an earlier one of the same iteration has ended, that
/// of the innermost loop that has both, or of the handler. One of them is in a loop that the other
/// one is not in.
bool mayHavePassed(const llvm::LoadInst &before, const llvm::LoadInst &read,
                   const llvm::LoopInfo &loops, const llvm::DominatorTree &dominators,
                   llvm::ScalarEvolution &evolution);

/// The same of what mayHavePassed() leaves to the nest that a loop may become: rows that each
/// iteration of the loop reads whole. The loop is none, and nobody keeps them.
bool mayHavePassedInRow(const llvm::LoadInst &before, const llvm::LoadInst &read,
                        const llvm::Loop &loop, const llvm::LoopInfo &loops,
                        const llvm::DominatorTree &dominators, llvm::ScalarEvolution &evolution);

/// Whether iterations of a loop read where data says, in any order.
bool mayBeAnywhere(const llvm::LoadInst &read, const llvm::LoopInfo &loops,
                   llvm::ScalarEvolution &evolution);

} // namespace acis
