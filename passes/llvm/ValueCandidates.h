// Analysis: which loops have to be unrolled for what a handler accesses to become values.
#pragma once

#include "passes/cost/CostModel.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"

#include <optional>
#include <vector>

namespace acis {

using LoopSet = llvm::SmallSetVector<llvm::Loop *, 8>;

/// A load or a store of a stream, the memory, or an array.
struct PlacedAccess {
  llvm::Instruction *inst;
  const llvm::SCEV *place;
  const llvm::Value *object; ///< what the place is in
  llvm::Loop *loop;          ///< the innermost one around it, or null

  bool isWrite() const { return llvm::isa<llvm::StoreInst>(inst); }
};

/// A local array of which each place is a constant once these loops are unrolled.
struct ValueArray {
  const llvm::AllocaInst *array;
  uint64_t words; ///< of 32 bits; a byte is an argument and a result, too
  LoopSet loops;
  llvm::SmallVector<const llvm::Instruction *, 16> users; ///< that read or write
};

class ValueCandidates {
public:
  ValueCandidates(llvm::Function &function, llvm::LoopInfo &loops,
                  llvm::ScalarEvolution &evolution);

  const std::vector<PlacedAccess> &accesses() const { return all; }
  const std::vector<ValueArray> &arrays() const { return local; }

  /// The sets of loops that may be unrolled for values, smaller ones first.
  std::vector<LoopSet> promotions();
  /// Loops over VPEs that take turns at a stream, each for more than the lanes of one beat: there
  /// is a loop for each of them, since copies that run side by side would break the order.
  LoopSet turns(const CostModel &cost);
  /// Loops of scalars in a loop of data that may end in its middle, which is a mapped loop only if
  /// there are none in it.
  LoopSet bodies();

  /// Iterations, if they are a constant or will be; 0: not known. A triangle is half of a square.
  unsigned tripOf(const llvm::Loop &loop);

private:
  void findAccesses(llvm::Function &function);
  void findArrays(llvm::Function &function);
  bool addCounters(const llvm::SCEV *of, const llvm::Value *base, LoopSet &set) const;
  std::optional<LoopSet> close(LoopSet set);
  bool mayUnroll(llvm::Loop &loop);
  bool movesOverVpes(const PlacedAccess &access, const llvm::Loop &loop);

  llvm::Function &function;
  llvm::LoopInfo &loops;
  llvm::ScalarEvolution &evolution;
  std::vector<PlacedAccess> all;
  std::vector<ValueArray> local;
};

/// By how many bytes an iteration of a loop moves a place: 0 if it does not; none if that is no
/// constant.
std::optional<int64_t> stepOf(const llvm::SCEV *place, const llvm::Loop &loop,
                              llvm::ScalarEvolution &evolution);

} // namespace acis
