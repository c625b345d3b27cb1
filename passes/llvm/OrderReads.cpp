// Reads move up only, each to the first place where one of a later element is made or chosen. One
// behind a meeting of ways, of which only some read later elements, is made on each of the ways.
#include "passes/llvm/OrderReads.h"

#include "passes/llvm/Analyses.h"
#include "passes/llvm/Handlers.h"
#include "passes/llvm/MoveRead.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace acis {
namespace {

constexpr unsigned MaxSpread = 64; ///< reads that are made on several ways

class Orderer {
public:
  Orderer(Function &function, FunctionAnalysisManager &analyses)
      : dominators(analyses.getResult<DominatorTreeAnalysis>(function)),
        postDominators(analyses.getResult<PostDominatorTreeAnalysis>(function)),
        loops(analyses.getResult<LoopAnalysis>(function)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(function)),
        reads(inputReadsOf(function)) {}

  /// Makes one read on each of the ways to it; the control flow is another then. False: none.
  bool spreadOne() {
    for (LoadInst *read : reads)
      if (isBehindWays(*read) && spread(*read))
        return true;
    return false;
  }

  bool order() {
    bool changed = false;
    for (LoadInst *read : reads)
      if (Instruction *to = placeOf(*read))
        changed |= moveRead(*read, *to, dominators);
    return changed;
  }

private:
  /// The first place in front of which a read has to be; null if it may stay.
  Instruction *placeOf(LoadInst &read) const {
    Instruction *first = nullptr;
    for (LoadInst *other : reads) {
      Instruction *place = other != &read ? placeBefore(*other, read) : nullptr;
      if (place && (!first || dominators.dominates(place, first)))
        first = place;
    }
    return first;
  }

  /// Where `read` comes in front of `other`, if that is of a later element and may come first now,
  /// and `read` is made whenever that place is reached, or `other` is.
  Instruction *placeBefore(LoadInst &other, LoadInst &read) const {
    if (dominators.dominates(&read, &other) || areOfIteration(other, read) || !isLater(other, read))
      return nullptr;
    Instruction *place = &other;
    if (!dominators.dominates(&other, &read))
      place = dominators.findNearestCommonDominator(other.getParent(), read.getParent())
                  ->getTerminator();
    // In front of the loops that only the other one is in.
    while (Loop *loop = loops.getLoopFor(place->getParent())) {
      if (loop->contains(&read))
        break;
      BasicBlock *preheader = loop->getLoopPreheader();
      if (!preheader)
        return nullptr;
      place = preheader->getTerminator();
    }
    if (loops.getLoopFor(place->getParent()) != loops.getLoopFor(read.getParent()))
      return nullptr;
    return dominators.dominates(&other, &read) ||
                   (place->getParent() != read.getParent() &&
                    postDominators.dominates(read.getParent(), place->getParent()))
               ? place
               : nullptr;
  }

  /// Whether each iteration of a loop makes both, in an order that the array does not need.
  bool areOfIteration(const LoadInst &other, const LoadInst &read) const {
    const Loop *loop = loops.getLoopFor(read.getParent());
    return loop && loop->isInnermost() && other.getParent() == read.getParent();
  }

  /// Whether `other` reads behind `read` by a known distance, in loops of its own from their first
  /// iteration on.
  bool isLater(LoadInst &other, LoadInst &read) const {
    const SCEV *place = evolution.getSCEV(other.getPointerOperand());
    while (auto *moving = dyn_cast<SCEVAddRecExpr>(place)) {
      if (moving->getLoop()->contains(&read))
        break;
      place = moving->getStart();
    }
    auto *distance = dyn_cast<SCEVConstant>(
        evolution.getMinusSCEV(place, evolution.getSCEV(read.getPointerOperand())));
    return distance && distance->getAPInt().isStrictlyPositive();
  }

  /// Whether one of a later element is read on some of the ways to a read, but not on all.
  bool isBehindWays(LoadInst &read) const {
    if (loops.getLoopFor(read.getParent()) || placeOf(read) ||
        !read.getParent()->hasNPredecessorsOrMore(2))
      return false;
    return any_of(reads, [&](LoadInst *other) {
      return other != &read && !loops.getLoopFor(other->getParent()) &&
             !dominators.dominates(&read, other) && isLater(*other, read) &&
             isPotentiallyReachable(other->getParent(), read.getParent(), nullptr, &dominators,
                                    &loops);
    });
  }

  /// A read at the end of each block in front of its own, or between both.
  bool spread(LoadInst &read) {
    BasicBlock *block = read.getParent();
    auto *step = dyn_cast<GetElementPtrInst>(read.getPointerOperand());
    auto isKnown = [&](Value *value) {
      auto *inst = dyn_cast<Instruction>(value);
      return !inst || dominators.properlyDominates(inst->getParent(), block);
    };
    const bool moves = step && step->getParent() == block;
    if (!(moves ? all_of(step->operands(), isKnown) : isKnown(read.getPointerOperand())))
      return false;
    SmallVector<BasicBlock *, 8> ways;
    for (BasicBlock *way : SmallSetVector<BasicBlock *, 8>(llvm::from_range, predecessors(block)))
      ways.push_back(
          way->getUniqueSuccessor() == block
              ? way
              : SplitCriticalEdge(way, block,
                                  CriticalEdgeSplittingOptions().setMergeIdenticalEdges()));
    IRBuilder<> builder(&block->front());
    PHINode *joined = builder.CreatePHI(read.getType(), ways.size(), read.getName());
    for (BasicBlock *way : ways) {
      auto *copy = cast<LoadInst>(read.clone());
      copy->insertBefore(way->getTerminator()->getIterator());
      if (moves) {
        Instruction *place = step->clone();
        place->insertBefore(copy->getIterator());
        copy->setOperand(LoadInst::getPointerOperandIndex(), place);
      }
      joined->addIncoming(copy, way);
    }
    read.replaceAllUsesWith(joined);
    read.eraseFromParent();
    return true;
  }

  DominatorTree &dominators;
  PostDominatorTree &postDominators;
  LoopInfo &loops;
  ScalarEvolution &evolution;
  SmallVector<LoadInst *, 8> reads;
};

} // namespace

PreservedAnalyses OrderReadsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  bool spread = false;
  for (unsigned i = 0; i < MaxSpread && Orderer(function, analyses).spreadOne(); i++) {
    spread = true;
    analyses.invalidate(function, PreservedAnalyses::none());
  }
  bool changed = Orderer(function, analyses).order();
  if (spread)
    return PreservedAnalyses::none();
  return preservedBlocks(changed);
}

} // namespace acis
