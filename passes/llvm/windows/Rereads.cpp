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

constexpr uint64_t MaxInstructions = 384; ///< of the iterations, which control code runs

class Peeler {
public:
  Peeler(Function &function, FunctionAnalysisManager &analyses)
      : loops(analyses.getResult<LoopAnalysis>(function)),
        dominators(analyses.getResult<DominatorTreeAnalysis>(function)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        assumptions(analyses.getResult<AssumptionAnalysis>(function)),
        reads(inputReadsOf(function)) {}

  bool run() {
    bool changed = false;
    for (Loop *loop : loops.getLoopsInPreorder())
      if (uint64_t count = readAgain(*loop); count && count <= MaxInstructions / sizeOf(*loop)) {
        peel(*loop, unsigned(count));
        changed = true;
      }
    return changed;
  }

private:
  /// Iterations whose words may have been read in front of the loop; 0 if it cannot lose them.
  uint64_t readAgain(const Loop &loop) {
    if (!loop.isInnermost() || !loop.getLoopPreheader() || !canPeel(&loop))
      return 0;
    uint64_t count = 0;
    for (LoadInst *inside : reads)
      if (loop.contains(inside))
        for (LoadInst *before : reads)
          count = std::max(count, iterationOf(loop, *inside, *before));
    return count;
  }

  /// The number, from 1, of the iteration in which `inside` reads the last byte that `before` may
  /// have read.
  uint64_t iterationOf(const Loop &loop, LoadInst &inside, LoadInst &before) {
    if (loop.contains(&before) ||
        !isPotentiallyReachable(before.getParent(), loop.getLoopPreheader(), nullptr, &dominators,
                                &loops))
      return 0;
    std::optional<Footprint> print = footprintOf(inside, loop, evolution);
    if (!print || print->step == 0)
      return 0;
    std::optional<int64_t> at = distance(print->start, placeOf(before, evolution), evolution);
    const int64_t bytes = int64_t(before.getType()->getPrimitiveSizeInBits() / 8);
    if (!at || *at + bytes <= 0)
      return 0;
    return uint64_t((*at + bytes - 1) / print->step) + 1;
  }

  static size_t sizeOf(const Loop &loop) {
    size_t size = 0;
    for (const BasicBlock *block : loop.blocks())
      size += block->size();
    return size;
  }

  void peel(Loop &loop, unsigned count) {
    formLCSSA(loop, dominators, &loops, &evolution);
    ValueToValueMapTy copies;
    peelLoop(&loop, count, /*PeelLast=*/false, &loops, &evolution, dominators, &assumptions,
             /*PreserveLCSSA=*/true, copies);
  }

  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  AssumptionCache &assumptions;
  SmallVector<LoadInst *, 8> reads;
};

} // namespace

bool peelRereads(Function &handler, FunctionAnalysisManager &analyses) {
  return Peeler(handler, analyses).run();
}

} // namespace acis
