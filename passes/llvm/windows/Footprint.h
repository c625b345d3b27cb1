// Where reads of the input stream lie, as far as it is known when the compiler runs: bytes from the
// beginning of the stream. See docs/rationale/front-end.md, Windows.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <optional>

namespace llvm {
class BasicBlock;
class DominatorTree;
class Instruction;
class LoadInst;
class Loop;
class LoopInfo;
class SCEV;
class ScalarEvolution;
class Type;
} // namespace llvm

namespace acis {

/// What a read takes in iteration t of a loop and in all iterations of the loops in it: `bytes`
/// bytes from byte start + step * t on. The start of a pointer that was moved is its position.
struct Footprint {
  const llvm::SCEV *start = nullptr;
  int64_t bytes = 0, step = 0;
};

/// None if the place is no sum of constant steps of the loop and of loops in it, which have
/// constant counts and go forward.
std::optional<Footprint> footprintOf(const llvm::LoadInst &read, const llvm::Loop &loop,
                                     llvm::ScalarEvolution &evolution);

/// The bytes between the bounds of what reads take, all of them; none if they do not move by one
/// step, at constant distances from each other, or if there are none.
std::optional<Footprint> windowOf(llvm::ArrayRef<llvm::LoadInst *> reads, const llvm::Loop &loop,
                                  llvm::ScalarEvolution &evolution);

/// What a loop around an access goes back by, from one iteration to the next: the access is in
/// `block` and takes `bytes` bytes from `start` on, of a stream, which has to be behind them by
/// then. The innermost such loop counts, of those up to `outermost` (null: all). None if there is
/// none, or where it is not known; only what every iteration accesses counts.
std::optional<int64_t> goesBackBy(const llvm::BasicBlock &block, const llvm::SCEV *start,
                                  int64_t bytes, const llvm::Loop *outermost,
                                  const llvm::LoopInfo &loops,
                                  const llvm::DominatorTree &dominators,
                                  llvm::ScalarEvolution &evolution);

/// The byte behind what iteration 0 takes.
const llvm::SCEV *endOf(const Footprint &print, llvm::ScalarEvolution &evolution);

/// Bytes of the stream in front of a read; null if it is not known which pointer it is from.
const llvm::SCEV *placeOf(const llvm::LoadInst &read, llvm::ScalarEvolution &evolution);

/// Bytes from one place to another one, if it is a constant: positive where `to` is later.
std::optional<int64_t> distance(const llvm::SCEV *from, const llvm::SCEV *to,
                                llvm::ScalarEvolution &evolution);

/// Whether the stream has passed a place where it is read: the read is of it or of a later one.
bool passes(const llvm::LoadInst &read, const llvm::SCEV *place, llvm::ScalarEvolution &evolution);

/// Whether an address can be computed in front of an instruction.
bool canExpandAt(const llvm::SCEV &address, const llvm::Instruction &at,
                 const llvm::DominatorTree &dominators, llvm::ScalarEvolution &evolution);

/// A word of a window: one place that reads of one type are of.
struct Word {
  const llvm::SCEV *place = nullptr;
  llvm::Type *type = nullptr;
  llvm::SmallVector<llvm::LoadInst *, 2> reads; ///< in the order of the function
};

/// The words of some reads; those of known distance from each other in the order of the stream.
llvm::SmallVector<Word, 8> wordsOf(llvm::ArrayRef<llvm::LoadInst *> reads,
                                   llvm::ScalarEvolution &evolution);

} // namespace acis
