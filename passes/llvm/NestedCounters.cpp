// for (r) for (c) out[k++] = ..: behind the inner loop k is what it was in front of it and a
// distance, which makes a counter of it in the loop around as well.
#include "passes/llvm/Transforms.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace acis {
namespace {

constexpr unsigned Budget = 4; ///< of LLVM, for an expression of the control code: no divisions

class NestedCounters {
public:
  NestedCounters(Function &handler, FunctionAnalysisManager &analyses)
      : loops(analyses.getResult<LoopAnalysis>(handler)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(handler)),
        costs(analyses.getResult<TargetIRAnalysis>(handler)),
        expander(evolution, "behind", /*PreserveLCSSA=*/false) {}

  bool run() {
    bool isChanged = false;
    SmallVector<Loop *, 8> outermostFirst = loops.getLoopsInPreorder();
    for (Loop *loop : reverse(outermostFirst))
      if (BasicBlock *exit = loop->getUniqueExitBlock(); exit && loop->getParentLoop())
        for (PHINode &phi : make_early_inc_range(exit->phis()))
          isChanged |= restate(phi, *loop);
    return isChanged;
  }

private:
  /// Whether the value is that of a counter of the loop around at the beginning of its iteration
  /// and a distance that is the same in all of them.
  bool isMovedCounter(const SCEV *value, const Loop &around) const {
    return any_of(around.getHeader()->phis(), [&](PHINode &counter) {
      if (counter.getType() != value->getType() || !isa<SCEVUnknown>(evolution.getSCEV(&counter)))
        return false;
      const SCEV *distance = evolution.getMinusSCEV(value, evolution.getSCEV(&counter));
      return !isa<SCEVCouldNotCompute>(distance) && evolution.isLoopInvariant(distance, &around);
    });
  }

  bool restate(PHINode &phi, const Loop &loop) {
    const Loop &around = *loop.getParentLoop();
    Value *last = phi.hasConstantValue();
    if (!last || !loop.contains(phi.getIncomingBlock(0)) || !evolution.isSCEVable(phi.getType()))
      return false;
    const SCEV *value = evolution.getSCEVAtScope(last, &around);
    Instruction &before = *phi.getParent()->getFirstInsertionPt();
    if (!evolution.isLoopInvariant(value, &loop) || !isMovedCounter(value, around) ||
        expander.isHighCostExpansion({value}, const_cast<Loop *>(&around), Budget, &costs,
                                     &before) ||
        !expander.isSafeToExpandAt(value, &before))
      return false;
    phi.replaceAllUsesWith(expander.expandCodeFor(value, phi.getType(), before.getIterator()));
    evolution.forgetLoop(&around);
    phi.eraseFromParent();
    return true;
  }

  LoopInfo &loops;
  ScalarEvolution &evolution;
  TargetTransformInfo &costs;
  SCEVExpander expander;
};

} // namespace

bool restateNestedCounters(Function &handler, FunctionAnalysisManager &analyses) {
  return NestedCounters(handler, analyses).run();
}

} // namespace acis
