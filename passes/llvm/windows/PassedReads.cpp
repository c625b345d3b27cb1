// Reads of what has passed, for certain or perhaps; in one loop, the importer asks.
#include "passes/llvm/windows/Windows.h"

#include "passes/llvm/windows/Facts.h"
#include "passes/llvm/windows/Fields.h"
#include "passes/llvm/windows/Footprint.h"
#include "passes/llvm/windows/Order.h"
#include "passes/llvm/windows/Positions.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace acis {
namespace {

class PassedReads {
public:
  PassedReads(Function &handler, FunctionAnalysisManager &analyses)
      : reads(inputReadsOf(handler)), loops(analyses.getResult<LoopAnalysis>(handler)),
        dominators(analyses.getResult<DominatorTreeAnalysis>(handler)),
        postDominators(analyses.getResult<PostDominatorTreeAnalysis>(handler)),
        evolution(analyses.getResult<ScalarEvolutionAnalysis>(handler)) {}

  SmallVector<LoadInst *, 1> find() const {
    SmallVector<LoadInst *, 1> found;
    copy_if(reads, std::back_inserter(found), [&](LoadInst *read) { return hasPassed(*read); });
    return found;
  }

private:
  const Loop *outermostLoopOf(const Instruction &inst) const {
    const Loop *loop = loops.getLoopFor(inst.getParent());
    return loop ? loop->getOutermostLoop() : nullptr;
  }

  /// What a read takes the first time that the handler comes to it.
  std::optional<Footprint> firstOf(LoadInst &read) const {
    if (const Loop *loop = outermostLoopOf(read))
      return footprintOf(read, *loop, evolution);
    const SCEV *place = placeOf(read, evolution);
    return place ? std::optional(Footprint{place, bytesOf(read), 0}) : std::nullopt;
  }

  /// What it takes in all iterations that its loops have at least.
  std::optional<Footprint> allOf(LoadInst &read) const {
    std::optional<Footprint> print = firstOf(read);
    const Loop *loop = outermostLoopOf(read);
    if (!print || !loop || print->step <= 0 || loop->getExitingBlock() != loop->getLoopLatch())
      return print;
    const SCEV *back = evolution.getBackedgeTakenCount(loop);
    if (!isa<SCEVCouldNotCompute>(back)) {
      const APInt least = evolution.getUnsignedRangeMin(evolution.applyLoopGuards(back, loop));
      print->bytes +=
          int64_t(least.getLimitedValue(PacketEnd / uint64_t(print->step))) * print->step;
    }
    return print;
  }

  /// Whether a loop would have no iteration where its guard leads past it: the guard asks for
  /// nothing else.
  bool asksForIterations(const BranchInst &guard, const Loop &loop) const {
    CmpPredicate predicate;
    Value *asked = nullptr;
    const APInt *bound = nullptr;
    const SCEV *back = evolution.getBackedgeTakenCount(&loop);
    if (isa<SCEVCouldNotCompute>(back) ||
        !PatternMatch::match(guard.getCondition(),
                             PatternMatch::m_ICmp(predicate, PatternMatch::m_Value(asked),
                                                  PatternMatch::m_APInt(bound))))
      return false;
    const bool isPastIfTrue = guard.getSuccessor(0) != loop.getLoopPreheader();
    const ConstantRange past = ConstantRange::makeExactICmpRegion(
        isPastIfTrue ? CmpInst::Predicate(predicate) : CmpInst::getInversePredicate(predicate),
        *bound);
    if (past.isEmptySet() || past.isUpperWrapped() || !past.getUnsignedMin().isZero())
      return false;
    const SCEV *trip = evolution.getAddExpr(back, evolution.getOne(back->getType()));
    if (trip == evolution.getSCEV(asked))
      return past.getUnsignedMax().isZero();
    ValueToSCEVMapTy most{{asked, evolution.getConstant(past.getUnsignedMax())}};
    return SCEVParameterRewriter::rewrite(trip, evolution, most)->isZero();
  }

  /// Where it is decided whether a read comes in front of one of another loop: of one in each
  /// iteration of a loop, where it is decided whether there is an iteration, since a loop of none
  /// is not what is meant. Reads outside of loops ask whether there was.
  const BasicBlock &decisionOf(const LoadInst &read, bool isForLoop) const {
    const Loop *loop = isForLoop ? outermostLoopOf(read) : nullptr;
    const BranchInst *guard = loop ? loop->getLoopGuardBranch() : nullptr;
    const bool isInEach = guard && dominators.dominates(read.getParent(), loop->getLoopLatch());
    return isInEach && asksForIterations(*guard, *loop) ? *guard->getParent() : *read.getParent();
  }

  /// Whether one read comes before the other, in no loop with it, wherever the other runs.
  bool isBefore(const LoadInst &before, const LoadInst &read) const {
    if (before.getParent() == read.getParent())
      return !outermostLoopOf(read) && before.comesBefore(&read);
    return !leadsTo(*read.getParent(), *before.getParent(), nullptr) &&
           runsBefore(decisionOf(before, outermostLoopOf(read)), *read.getParent(), dominators,
                      postDominators);
  }

  /// Whether what one read takes ends behind where the other begins.
  bool endsBehind(const Footprint &passed, const Footprint &again, const LoadInst &before) const {
    if (const std::optional<int64_t> ahead = distance(passed.start, again.start, evolution))
      return *ahead < passed.bytes;
    return passed.start->getType() == again.start->getType() &&
           evolution.isKnownPredicateAt(ICmpInst::ICMP_UGE, passed.start, again.start, &before);
  }

  bool hasPassed(LoadInst &read) const {
    const std::optional<Footprint> again = firstOf(read);
    return again && any_of(reads, [&](LoadInst *before) {
             const std::optional<Footprint> passed = allOf(*before);
             return passed && endsBehind(*passed, *again, *before) && isBefore(*before, read);
           });
  }

  const InputReads reads;
  const LoopInfo &loops;
  const DominatorTree &dominators;
  const PostDominatorTree &postDominators;
  ScalarEvolution &evolution;
};

/// Whether an iteration may begin in front of what the one before has read: by what data says, its
/// position may move on by less than the iteration reads at known distances from it.
bool movesOnByLess(const LoadInst &read, const InputReads &reads, const LoopInfo &loops,
                   ScalarEvolution &evolution, LazyValueInfo &values) {
  const Loop *loop = loops.getLoopFor(read.getParent());
  if (!loop || !loop->getLoopLatch())
    return false;
  for (PHINode &position : loop->getHeader()->phis()) {
    const SCEV *start = evolution.isSCEVable(position.getType()) ? evolution.getSCEV(&position)
                                                                 : evolution.getCouldNotCompute();
    if (!isa<SCEVUnknown>(start) || !start->getType()->isIntegerTy())
      continue;
    int64_t first = INT64_MAX, behind = INT64_MIN;
    for (const LoadInst *one : reads)
      if (const SCEV *place = placeOf(*one, evolution);
          place && loops.getLoopFor(one->getParent()) == loop)
        if (const std::optional<int64_t> at = distance(start, place, evolution)) {
          first = std::min(first, *at);
          behind = std::max(behind, *at + bytesOf(*one));
        }
    if (first >= behind)
      continue;
    const std::optional<ConstantRange> step = movedInIteration(position, *loop, evolution, values);
    if (step && step->getUnsignedMin().ult(uint64_t(behind - first)))
      return true;
  }
  return false;
}

} // namespace

LoadInst *perhapsPassedRead(Function &handler, FunctionAnalysisManager &analyses) {
  const InputReads reads = inputReadsOf(handler);
  auto &loops = analyses.getResult<LoopAnalysis>(handler);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(handler);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(handler);
  auto &values = analyses.getResult<LazyValueAnalysis>(handler);
  for (LoadInst *read : reads)
    if (mayBeAnywhere(*read, loops, evolution) ||
        movesOnByLess(*read, reads, loops, evolution, values) ||
        any_of(reads, [&](LoadInst *before) {
          return mayHavePassed(*before, *read, loops, dominators, evolution);
        }))
      return read;
  return nullptr;
}

SmallVector<LoadInst *, 1> passedReads(Function &handler, FunctionAnalysisManager &analyses) {
  return PassedReads(handler, analyses).find();
}

} // namespace acis
