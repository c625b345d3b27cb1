// LLVM's utility divides a loop's iterations.
#include "passes/llvm/windows/Windows.h"

#include "passes/llvm/windows/Facts.h"
#include "passes/llvm/windows/Footprint.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopConstrainer.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace acis {
namespace {

/// A branch of each iteration that goes one way in the first iterations, and the other way in all
/// that follow.
struct Turn {
  BranchInst *branch = nullptr;
  bool first = false;          ///< what the condition is in the first iterations
  const SCEV *count = nullptr; ///< of the first iterations
};

class Divider {
public:
  Divider(Function &function, FunctionAnalysisManager &analyses)
      : loops(analyses.getResult<LoopAnalysis>(function)),
        dominators(analyses.getResult<DominatorTreeAnalysis>(function)),
        assumptions(analyses.getResult<AssumptionAnalysis>(function)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(function)) {}

  bool run(Function &function) {
    bool changed = false;
    for (auto &[loop, reads] : inputReadsByLoop(function, loops))
      if (loop && loop->isInnermost() && loop->getLoopLatch())
        if (std::optional<Turn> turn = turnOf(*loop, reads))
          changed |= divide(*loop, *turn);
    return changed;
  }

private:
  /// The turn on which it depends whether an iteration reads a word, if there is one.
  std::optional<Turn> turnOf(const Loop &loop, ArrayRef<LoadInst *> reads) {
    for (BasicBlock *block : loop.blocks()) {
      auto *branch = dyn_cast<BranchInst>(block->getTerminator());
      if (!branch || !branch->isConditional() || block == loop.getLoopLatch() ||
          !dominators.dominates(block, loop.getLoopLatch()) || loop.isLoopExiting(block))
        continue;
      for (unsigned way : {0, 1})
        if (any_of(reads, [&](LoadInst *read) {
              return dominators.dominates(BasicBlockEdge(block, branch->getSuccessor(way)),
                                          read->getParent()) &&
                     !isPassed(loop, *read, reads);
            }))
          if (std::optional<Turn> turn = turnOf(loop, *branch))
            return turn;
    }
    return std::nullopt;
  }

  /// Whether each iteration reads the word or a later one in any case.
  bool isPassed(const Loop &loop, const LoadInst &read, ArrayRef<LoadInst *> reads) {
    return any_of(reads, [&](const LoadInst *other) {
      return dominators.dominates(other->getParent(), loop.getLoopLatch()) &&
             passes(*other, placeOf(read, evolution), evolution);
    });
  }

  /// A counter that is a number in the first or in the last iteration alone is not less, or not
  /// more, than it in all others.
  CmpInst::Predicate orderOf(const SCEVAddRecExpr &counter, const SCEV *number,
                             CmpInst::Predicate equality) {
    const bool isEqual = equality == ICmpInst::ICMP_EQ;
    const SCEV *back = evolution.getBackedgeTakenCount(counter.getLoop());
    if (counter.getStart() == number && counter.hasNoUnsignedWrap())
      return isEqual ? ICmpInst::ICMP_ULE : ICmpInst::ICMP_UGT;
    if (!isa<SCEVCouldNotCompute>(back) && counter.hasNoUnsignedWrap() &&
        counter.evaluateAtIteration(back, evolution) == number)
      return isEqual ? ICmpInst::ICMP_UGE : ICmpInst::ICMP_ULT;
    return equality;
  }

  std::optional<Turn> turnOf(const Loop &loop, BranchInst &branch) {
    auto *compare = dyn_cast<ICmpInst>(branch.getCondition());
    if (!compare)
      return std::nullopt;
    CmpInst::Predicate predicate = compare->getPredicate();
    const SCEV *counter = evolution.getSCEVAtScope(compare->getOperand(0), &loop);
    const SCEV *bound = evolution.getSCEVAtScope(compare->getOperand(1), &loop);
    if (evolution.isLoopInvariant(counter, &loop)) {
      std::swap(counter, bound);
      predicate = CmpInst::getSwappedPredicate(predicate);
    }
    auto *moves = dyn_cast<SCEVAddRecExpr>(counter);
    if (!moves || moves->getLoop() != &loop || !evolution.isLoopInvariant(bound, &loop) ||
        !moves->getStepRecurrence(evolution)->isOne())
      return std::nullopt;
    if (ICmpInst::isEquality(predicate))
      predicate = orderOf(*moves, bound, predicate);
    if (!ICmpInst::isRelational(predicate) ||
        !evolution.getMonotonicPredicateType(moves, predicate))
      return std::nullopt;
    const bool isSigned = CmpInst::isSigned(predicate);
    if (ICmpInst::isLE(predicate) || ICmpInst::isGT(predicate)) { // the turn is behind the bound
      const SCEV *most = evolution.getConstant(
          isSigned ? APInt::getSignedMaxValue(bound->getType()->getIntegerBitWidth())
                   : APInt::getMaxValue(bound->getType()->getIntegerBitWidth()));
      if (!evolution.isKnownPredicate(ICmpInst::ICMP_NE, bound, most))
        return std::nullopt;
      bound = evolution.getAddExpr(bound, evolution.getOne(bound->getType()));
    }
    const SCEV *start = moves->getStart();
    const SCEV *turn =
        isSigned ? evolution.getSMaxExpr(start, bound) : evolution.getUMaxExpr(start, bound);
    return Turn{&branch, ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate),
                evolution.getMinusSCEV(turn, start)};
  }

  /// As LLVM sees it; where ways join in front of the loop, with what holds on all of them.
  std::optional<LoopStructure> shapeOf(Loop &loop) {
    auto parse = [&] {
      const char *why = nullptr;
      return LoopStructure::parseLoopStructure(evolution, loop, /*AllowUnsignedLatchCond=*/true,
                                               why);
    };
    if (std::optional<LoopStructure> shape = parse())
      return shape;
    BasicBlock &before = *loop.getLoopPreheader();
    IRBuilder<> builder(before.getTerminator());
    SmallVector<CallInst *, 4> assumed;
    const Facts facts = Facts::at(before, dominators);
    for (auto [condition, isTrue] : facts.all()) {
      auto *compare = const_cast<ICmpInst *>(dyn_cast<ICmpInst>(condition));
      if (!compare)
        continue;
      assumed.push_back(builder.CreateAssumption(
          builder.CreateICmp(isTrue ? compare->getPredicate() : compare->getInversePredicate(),
                             compare->getOperand(0), compare->getOperand(1))));
      assumptions.registerAssumption(cast<AssumeInst>(assumed.back()));
    }
    std::optional<LoopStructure> shape = parse();
    for (CallInst *call : assumed) {
      assumptions.unregisterAssumption(cast<AssumeInst>(call));
      Value *holds = call->getArgOperand(0);
      call->eraseFromParent();
      RecursivelyDeleteTriviallyDeadInstructions(holds);
    }
    return shape;
  }

  bool divide(Loop &loop, const Turn &turn) {
    simplifyLoop(&loop, &dominators, &loops, &evolution, nullptr, nullptr, /*PreserveLCSSA=*/false);
    formLCSSA(loop, dominators, &loops, &evolution);
    std::optional<LoopStructure> shape = shapeOf(loop);
    if (!shape || !shape->IndVarIncreasing ||
        !PatternMatch::match(shape->IndVarStep, PatternMatch::m_One()))
      return false;
    const SCEV *start = evolution.getSCEV(shape->IndVarStart);
    const SCEV *end = evolution.getSCEV(shape->LoopExitAt);
    if (start->getType() != turn.count->getType() || end->getType() != start->getType())
      return false;
    const SCEV *at = evolution.getAddExpr(start, turn.count);
    at = shape->IsSignedPredicate ? evolution.getSMaxExpr(start, evolution.getSMinExpr(end, at))
                                  : evolution.getUMaxExpr(start, evolution.getUMinExpr(end, at));
    const auto place = find(loop.blocks(), turn.branch->getParent()) - loop.block_begin();
    Loop *rest = nullptr;
    LoopConstrainer constrainer(loop, loops, [&](Loop *made, bool) { rest = made; }, *shape,
                                evolution, dominators, start->getType(),
                                {.LowLimit = std::nullopt, .HighLimit = at});
    if (!constrainer.run() || !rest)
      return false;
    LLVMContext &context = turn.branch->getContext();
    turn.branch->setCondition(ConstantInt::getBool(context, turn.first));
    auto *later = cast<BranchInst>(rest->getBlocks()[place]->getTerminator());
    later->setCondition(ConstantInt::getBool(context, !turn.first));
    for (BranchInst *branch : {turn.branch, later})
      ConstantFoldTerminator(branch->getParent(), /*DeleteDeadConditions=*/true);
    return true;
  }

  LoopInfo &loops;
  DominatorTree &dominators;
  AssumptionCache &assumptions;
  ScalarEvolution &evolution;
};

} // namespace

bool divideLoops(Function &handler, FunctionAnalysisManager &analyses) {
  if (!Divider(handler, analyses).run(handler))
    return false;
  removeUnreachableBlocks(handler);
  return true;
}

} // namespace acis
