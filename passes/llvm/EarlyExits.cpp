// See EarlyExits.h.
#include "passes/llvm/EarlyExits.h"

#include "passes/llvm/ArrayCounts.h"
#include "passes/llvm/HalvingIntervals.h"
#include "passes/llvm/Handlers.h"
#include "passes/llvm/PositionCounts.h"
#include "passes/llvm/RangeCounts.h"
#include "passes/llvm/StateCounts.h"
#include "passes/llvm/UnitDemand.h"
#include "passes/llvm/windows/ByData.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace acis {

constexpr uint64_t MaxRunOut = 65535; ///< iterations of a loop that runs to its end for nothing

/// Loops of scalars only are the scalar unit's, which needs no predicates, unless they are what
/// an iteration of a loop of data does.
static bool isOfArray(const Loop &loop) {
  return touchesData(loop) || (loop.getParentLoop() && touchesData(*loop.getParentLoop()));
}

/// Whether a loop of scalars has a count that the array can be left to finish.
static bool isShort(const SCEV *count) {
  auto *constant = dyn_cast_or_null<SCEVConstant>(count);
  return constant && constant->getAPInt().ule(MaxRunOut);
}

bool mayEndEarly(const Loop &loop, ScalarEvolution &evolution) {
  if (!loop.isInnermost() || !isOfArray(loop))
    return false;
  return loop.getExitingBlock() != loop.getLoopLatch() || !loop.getLoopLatch() ||
         isa<SCEVCouldNotCompute>(evolution.getBackedgeTakenCount(&loop));
}

/// Backward branches at most, where the loop itself has no count.
static std::optional<uint64_t> constantCount(const Loop &loop, const DominatorTree &dominators,
                                             ScalarEvolution &evolution, LazyValueInfo &values) {
  std::optional<uint64_t> least;
  for (const std::optional<uint64_t> most :
       {countByRanges(loop, dominators, evolution, values), countOfHalving(loop, evolution),
        countByArrays(loop, evolution), countByMerge(loop, dominators, evolution),
        countByStates(loop, dominators, evolution, values)})
    if (most && (!least || *most < *least))
      least = most;
  return least;
}

/// Of `i != n` with a step that need not divide n, ScalarEvolution multiplies by the inverse of the
/// step: a count if the loop ends there, and any number if it ends elsewhere.
static bool isOfInverse(const SCEV *count) {
  constexpr unsigned MostBits = 16; ///< of a factor that a program has
  return SCEVExprContains(count, [](const SCEV *part) {
    auto *product = dyn_cast<SCEVMulExpr>(part);
    auto *factor = product ? dyn_cast<SCEVConstant>(product->getOperand(0)) : nullptr;
    return factor && factor->getAPInt()[0] && factor->getAPInt().abs().getActiveBits() > MostBits;
  });
}

std::optional<EarlyExit> examineExits(Loop &loop, const DominatorTree &dominators,
                                      ScalarEvolution &evolution, LazyValueInfo &values) {
  if (!mayEndEarly(loop, evolution) || !loop.isLoopSimplifyForm())
    return std::nullopt;
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  if (exiting.empty() ||
      any_of(exiting, [](BasicBlock *block) { return !isa<BranchInst>(block->getTerminator()); }))
    return std::nullopt;
  EarlyExit found;
  found.loop = &loop;
  BasicBlock *latch = loop.getLoopLatch();
  const SCEV *count = is_contained(exiting, latch) ? evolution.getExitCount(&loop, latch)
                                                   : evolution.getCouldNotCompute();
  if (!isa<SCEVCouldNotCompute>(count) && !isOfInverse(count)) {
    found.isCounted = true;
    found.count = count;
  } else if (const SCEV *most = evolution.getSymbolicMaxBackedgeTakenCount(&loop);
             !isa<SCEVCouldNotCompute>(most)) {
    found.count = most; // "i < n && x": the condition ends the loop before it has counted further
  } else if (auto most = constantCount(loop, dominators, evolution, values)) {
    found.count = evolution.getConstant(Type::getInt32Ty(loop.getHeader()->getContext()), *most);
  } else {
    found.count = countByPosition(loop, dominators, evolution, values);
  }
  // The array runs to the end of a bound also where the loop has ended: nobody waits for 2^31
  // turns.
  if (!found.isCounted && isa_and_nonnull<SCEVConstant>(found.count) && !isShort(found.count))
    found.count = nullptr;
  const InputReads reads = inputReadsIn(loop);
  found.window = windowOf(reads, loop, evolution);
  found.readsFirst = all_of(reads, [&](const LoadInst *read) {
    return all_of(exiting,
                  [&](BasicBlock *exit) { return dominators.dominates(read->getParent(), exit); });
  });
  const bool moves = found.window && found.window->step > 0;
  if ((!reads.empty() && !moves) || (!found.count && reads.empty()))
    return std::nullopt;
  if ((!touchesData(loop) && !isShort(found.count)) || (found.window && isReadOnFromEnd(loop)))
    return std::nullopt;
  SCEVExpander expander(evolution, "");
  if ((found.count && !expander.isSafeToExpand(found.count)) ||
      (found.window && !expander.isSafeToExpand(endOf(*found.window, evolution))))
    return std::nullopt;
  return found;
}

} // namespace acis
