// Registration by hand, in the style of LLVM's PassBuilder.
#include "passes/llvm/Analyses.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LastRunTrackingAnalysis.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryDependenceAnalysis.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ProfileSummaryInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SimpleLoopUnswitch.h"

using namespace llvm;

namespace acis {
namespace {

AAManager makeAliasAnalysis() {
  AAManager manager;
  manager.registerFunctionAnalysis<BasicAA>();
  manager.registerFunctionAnalysis<ScopedNoAliasAA>();
  manager.registerFunctionAnalysis<TypeBasedAA>();
  return manager;
}

void registerFunctionAnalyses(FunctionAnalysisManager &functions) {
  functions.registerPass([] { return makeAliasAnalysis(); });
  functions.registerPass([] { return AssumptionAnalysis(); });
  functions.registerPass([] { return BasicAA(); });
  functions.registerPass([] { return BlockFrequencyAnalysis(); });
  functions.registerPass([] { return BranchProbabilityAnalysis(); });
  functions.registerPass([] { return DominatorTreeAnalysis(); });
  functions.registerPass([] { return LastRunTrackingAnalysis(); });
  functions.registerPass([] { return LazyValueAnalysis(); });
  functions.registerPass([] { return LoopAnalysis(); });
  functions.registerPass([] { return MemoryDependenceAnalysis(); });
  functions.registerPass([] { return MemorySSAAnalysis(); });
  functions.registerPass([] { return OptimizationRemarkEmitterAnalysis(); });
  functions.registerPass([] { return PassInstrumentationAnalysis(); });
  functions.registerPass([] { return PostDominatorTreeAnalysis(); });
  functions.registerPass([] { return ScalarEvolutionAnalysis(); });
  functions.registerPass([] { return ScopedNoAliasAA(); });
  functions.registerPass([] { return TargetIRAnalysis(); });
  functions.registerPass([] { return TargetLibraryAnalysis(); });
  functions.registerPass([] { return TypeBasedAA(); });
}

} // namespace

Analyses::Analyses(Module &module) {
  registerFunctionAnalyses(functions);
  loops.registerPass([] { return PassInstrumentationAnalysis(); });
  // IndVarSimplify marks loops with a condition that no longer changes in them.
  loops.registerPass([] { return ShouldRunExtraSimpleLoopUnswitch(); });
  modules.registerPass([] { return PassInstrumentationAnalysis(); });
  modules.registerPass([] { return ProfileSummaryAnalysis(); });
  modules.registerPass([this] { return FunctionAnalysisManagerModuleProxy(functions); });
  functions.registerPass([this] { return ModuleAnalysisManagerFunctionProxy(modules); });
  functions.registerPass([this] { return LoopAnalysisManagerFunctionProxy(loops); });
  loops.registerPass([this] { return FunctionAnalysisManagerLoopProxy(functions); });
  // Passes ask for it through the proxy, which does not compute it.
  modules.getResult<ProfileSummaryAnalysis>(module);
}

} // namespace acis
