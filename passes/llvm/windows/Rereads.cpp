// LLVM's utility peels.
#include "passes/llvm/windows/Windows.h"

#include "passes/llvm/windows/Footprint.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopPeel.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace acis {
namespace {

constexpr uint64_t MaxInstructions = 1024; ///< of the iterations, which control code runs

size_t sizeOf(const Loop &loop) {
  size_t size = 0;
  for (const BasicBlock *block : loop.blocks())
    size += block->size();
  return size;
}

/// The number, from 1, of the iteration in which `inside` reads the last byte that `before` may
/// have read; 0: none.
uint64_t iterationOf(const Loop &loop, LoadInst &inside, LoadInst &before, const LoopInfo &loops,
                     const DominatorTree &dominators, ScalarEvolution &evolution) {
  if (loop.contains(&before) || !isPotentiallyReachable(before.getParent(), loop.getLoopPreheader(),
                                                        nullptr, &dominators, &loops))
    return 0;
  std::optional<Footprint> print = footprintOf(inside, loop, evolution);
  if (!print || print->step == 0)
    return 0;
  std::optional<int64_t> at = distance(print->start, placeOf(before, evolution), evolution);
  const int64_t bytes = int64_t(before.getType()->getPrimitiveSizeInBits() / 8);
  return at && *at + bytes > 0 ? uint64_t((*at + bytes - 1) / print->step) + 1 : 0;
}

} // namespace

bool peelRereads(Function &handler, FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(handler);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(handler);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(handler);
  auto &assumptions = analyses.getResult<AssumptionAnalysis>(handler);
  const InputReads reads = inputReadsOf(handler);
  bool changed = false;
  for (Loop *loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost() || !loop->getLoopPreheader() || !canPeel(loop))
      continue;
    uint64_t count = 0;
    for (LoadInst *inside : reads)
      if (loop->contains(inside))
        for (LoadInst *before : reads)
          count =
              std::max(count, iterationOf(*loop, *inside, *before, loops, dominators, evolution));
    if (count == 0 || count > MaxInstructions / sizeOf(*loop))
      continue;
    formLCSSA(*loop, dominators, &loops, &evolution);
    ValueToValueMapTy copies;
    peelLoop(loop, unsigned(count), /*PeelLast=*/false, &loops, &evolution, dominators,
             &assumptions, /*PreserveLCSSA=*/true, copies);
    changed = true;
  }
  return changed;
}

} // namespace acis
