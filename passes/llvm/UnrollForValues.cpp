// Unrolls the loops that were chosen, by LLVM's utility.
#include "passes/llvm/Transforms.h"

#include "passes/llvm/UnrolledPlaces.h"
#include "passes/llvm/ValueCosts.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace acis {
namespace {

/// On loops that are to be unrolled; copies of a loop have it, too.
constexpr const char *ChosenMetadata = "acis.unroll";

class Unroller {
public:
  Unroller(Function &function, FunctionAnalysisManager &analyses)
      : function(function), loops(analyses.getResult<LoopAnalysis>(function)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        dominators(analyses.getResult<DominatorTreeAnalysis>(function)),
        assumptions(analyses.getResult<AssumptionAnalysis>(function)),
        target(analyses.getResult<TargetIRAnalysis>(function)),
        remarks(analyses.getResult<OptimizationRemarkEmitterAnalysis>(function)) {}

  bool run(const CostModel &cost) {
    const LoopSet chosen = chooseForValues(function, loops, evolution, dominators, cost);
    for (Loop *loop : chosen)
      addStringMetadataToLoop(loop, ChosenMetadata, 1);
    while (Loop *loop = next())
      unroll(*loop);
    return !chosen.empty();
  }

private:
  /// An innermost one of those that have a constant count by now.
  Loop *next() {
    const auto all = loops.getLoopsInPreorder();
    for (Loop *loop : reverse(all))
      if (getBooleanLoopAttribute(loop, ChosenMetadata) &&
          evolution.getSmallConstantTripCount(loop) != 0)
        return loop;
    return nullptr;
  }

  void unroll(Loop &loop) {
    for (const Loop *around = loop.getParentLoop(); around; around = around->getParentLoop())
      addPlace(function, UnrolledAttribute, placeOf(*around));
    if (!loop.getParentLoop())
      addPlace(function, UnrolledAttribute, HandlerPlace);
    UnrollLoopOptions options{};
    options.Count = evolution.getSmallConstantTripCount(&loop);
    options.Force = true;
    options.ForgetAllSCEV = true;
    if (UnrollLoop(&loop, options, &loops, &evolution, &dominators, &assumptions, &target, &remarks,
                   /*PreserveLCSSA=*/true) == LoopUnrollResult::Unmodified)
      addStringMetadataToLoop(&loop, ChosenMetadata, 0);
  }

  Function &function;
  LoopInfo &loops;
  ScalarEvolution &evolution;
  DominatorTree &dominators;
  AssumptionCache &assumptions;
  TargetTransformInfo &target;
  OptimizationRemarkEmitter &remarks;
};

} // namespace

bool unrollForValues(Function &function, FunctionAnalysisManager &analyses, const CostModel &cost) {
  return Unroller(function, analyses).run(cost);
}

} // namespace acis
