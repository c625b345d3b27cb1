// LLVM's utility peels; early-cse, which follows, joins the reads.
#include "passes/llvm/PeelRereads.h"

#include "passes/llvm/Handlers.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopPeel.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace acis {
namespace {

constexpr unsigned MaxPeeled = 4;        ///< iterations
constexpr unsigned MaxInstructions = 96; ///< of one, which control code runs

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
      if (unsigned count = readAgain(*loop))
        changed |= peel(*loop, count);
    return changed;
  }

private:
  /// Iterations whose elements were read in front of the loop; 0 if it cannot lose them.
  unsigned readAgain(const Loop &loop) {
    if (!loop.isInnermost() || !loop.getLoopPreheader() || !canPeel(&loop) ||
        sizeOf(loop) > MaxInstructions)
      return 0;
    unsigned count = 0;
    for (LoadInst *inside : reads)
      if (loop.contains(inside))
        for (LoadInst *before : reads)
          count = std::max(count, iterationOf(loop, *inside, *before));
    return count;
  }

  /// The number, from 1, of the iteration in which `inside` reads what `before` has read.
  unsigned iterationOf(const Loop &loop, LoadInst &inside, LoadInst &before) {
    if (loop.contains(&before) || before.getType() != inside.getType() ||
        !dominators.dominates(before.getParent(), loop.getLoopPreheader()))
      return 0;
    auto *moving = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(inside.getPointerOperand()));
    if (!moving || moving->getLoop() != &loop || !moving->isAffine())
      return 0;
    auto *step = dyn_cast<SCEVConstant>(moving->getStepRecurrence(evolution));
    auto *distance = dyn_cast<SCEVConstant>(
        evolution.getMinusSCEV(evolution.getSCEV(before.getPointerOperand()), moving->getStart()));
    if (!step || !distance || !step->getAPInt().isStrictlyPositive() ||
        distance->getAPInt().isNegative() || distance->getAPInt().urem(step->getAPInt()) != 0)
      return 0;
    uint64_t number = distance->getAPInt().udiv(step->getAPInt()).getLimitedValue(MaxPeeled);
    return number < MaxPeeled ? unsigned(number) + 1 : 0;
  }

  static size_t sizeOf(const Loop &loop) {
    size_t size = 0;
    for (const BasicBlock *block : loop.blocks())
      size += block->size();
    return size;
  }

  bool peel(Loop &loop, unsigned count) {
    formLCSSA(loop, dominators, &loops, &evolution);
    ValueToValueMapTy copies;
    peelLoop(&loop, count, /*PeelLast=*/false, &loops, &evolution, dominators, &assumptions,
             /*PreserveLCSSA=*/true, copies);
    return true;
  }

  LoopInfo &loops;
  DominatorTree &dominators;
  ScalarEvolution &evolution;
  AssumptionCache &assumptions;
  SmallVector<LoadInst *, 8> reads;
};

} // namespace

PreservedAnalyses PeelRereadsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  return Peeler(function, analyses).run() ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace acis
