// What an iteration adds to a position has to be at least 1, and little enough that nothing wraps
// round.
#include "passes/llvm/PositionCounts.h"

#include "passes/llvm/windows/Positions.h"

#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace acis {
namespace {

constexpr uint64_t LargestStep = 1 << 20; ///< of an iteration
constexpr uint64_t LastEnd = 1U << 31;    ///< neither a start nor an end is behind it

/// What has to hold for a loop to go on: `low` is at most `high`, or less than it.
struct Test {
  const SCEV *low = nullptr, *high = nullptr;
  bool isSigned = false, isStrict = false;
};

class Positions {
public:
  Positions(const Loop &loop, const DominatorTree &dominators, ScalarEvolution &evolution,
            LazyValueInfo &values)
      : loop(loop), dominators(dominators), evolution(evolution), values(values) {}

  const SCEV *count() {
    SmallVector<BasicBlock *, 4> exiting;
    loop.getExitingBlocks(exiting);
    for (const BasicBlock *block : exiting)
      if (auto *branch = dyn_cast<BranchInst>(block->getTerminator());
          branch && branch->isConditional() && dominators.dominates(block, loop.getLoopLatch()))
        addTests(branch->getCondition(), loop.contains(branch->getSuccessor(0)));
    for (PHINode &phi : loop.getHeader()->phis())
      if (phi.getType()->isIntegerTy(32))
        for (const Test &test : tests) {
          const SCEV *most = countUp(phi, test);
          if (!most)
            most = countDown(phi, test);
          if (most)
            return most;
        }
    return nullptr;
  }

private:
  void addTests(Value *condition, bool holds) {
    Value *one = nullptr, *other = nullptr;
    if (holds ? match(condition, m_LogicalAnd(m_Value(one), m_Value(other)))
              : match(condition, m_LogicalOr(m_Value(one), m_Value(other)))) {
      addTests(one, holds);
      addTests(other, holds);
      return;
    }
    CmpPredicate predicate;
    if (!match(condition, m_ICmp(predicate, m_Value(one), m_Value(other))) ||
        !one->getType()->isIntegerTy(32))
      return;
    CmpInst::Predicate stays =
        holds ? CmpInst::Predicate(predicate) : CmpInst::getInversePredicate(predicate);
    const SCEV *low = evolution.getSCEV(one), *high = evolution.getSCEV(other);
    if (stays == CmpInst::ICMP_NE && high->isZero())
      return tests.push_back({high, low, false, true});
    if (ICmpInst::isGT(stays) || ICmpInst::isGE(stays)) {
      std::swap(low, high);
      stays = CmpInst::getSwappedPredicate(stays);
    }
    if (ICmpInst::isLT(stays) || ICmpInst::isLE(stays))
      tests.push_back({low, high, CmpInst::isSigned(stays), ICmpInst::isLT(stays)});
  }

  Value *startOf(PHINode &phi) const {
    return phi.getIncomingValueForBlock(loop.getLoopPreheader());
  }
  Value *nextOf(PHINode &phi) const { return phi.getIncomingValueForBlock(loop.getLoopLatch()); }
  bool isFixed(const SCEV *value) const { return evolution.isLoopInvariant(value, &loop); }

  /// Of what comes nearer to the end by `least` in each iteration.
  const SCEV *countOf(const SCEV *distance, const APInt &least) const {
    return evolution.getAddExpr(evolution.getUDivExpr(distance, evolution.getConstant(least)),
                                evolution.getOne(distance->getType()));
  }

  /// Of a position that moves forward.
  const SCEV *countUp(PHINode &phi, const Test &test) {
    const SCEV *end = endOf(phi, test), *start = evolution.getSCEV(startOf(phi));
    const bool mayWrap = !test.isSigned || !isWithoutWrap(nextOf(phi));
    if (!end || (mayWrap && (evolution.getUnsignedRangeMax(end).uge(LastEnd) ||
                             evolution.getUnsignedRangeMax(start).uge(LastEnd))))
      return nullptr;
    const std::optional<ConstantRange> step = movedInIteration(phi, loop, evolution, values);
    if (!step || step->getUnsignedMin().isZero() || step->getUnsignedMax().ugt(LargestStep))
      return nullptr;
    const SCEV *last =
        test.isSigned ? evolution.getSMaxExpr(end, start) : evolution.getUMaxExpr(end, start);
    return countOf(evolution.getMinusSCEV(last, start), step->getUnsignedMin());
  }

  static bool isWithoutWrap(const Value *next) {
    auto *sum = dyn_cast<OverflowingBinaryOperator>(next);
    return sum && sum->hasNoSignedWrap();
  }

  /// What the position is at most while the loop goes on.
  const SCEV *endOf(PHINode &phi, const Test &test) {
    for (Value *tested : {static_cast<Value *>(&phi), nextOf(phi)}) {
      const SCEV *position = evolution.getSCEV(tested);
      // position + 6 <= end
      auto *added = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(test.low, position));
      if (added && added->getAPInt().ult(LargestStep) && isFixed(test.high))
        return test.high;
      // 6 <= end - position, which may be below zero
      const SCEV *end = evolution.getAddExpr(test.high, position);
      auto *left = dyn_cast<SCEVConstant>(test.low);
      if (left && left->getAPInt().ult(LargestStep) && test.isSigned && isFixed(end))
        return end;
    }
    return nullptr;
  }

  /// What is left in an iteration, in the next one and in the first one.
  struct Rest {
    const SCEV *now = nullptr, *next = nullptr, *first = nullptr;
  };

  /// That a test is about: a number, or the distance from a position to an end.
  std::optional<Rest> restOf(PHINode &phi, const Test &test) const {
    const Rest own{evolution.getSCEV(&phi), evolution.getSCEV(nextOf(phi)),
                   evolution.getSCEV(startOf(phi))};
    if (test.high == own.now || test.high == own.next)
      return own;
    for (const SCEV *position : {own.now, own.next})
      if (const SCEV *end = evolution.getAddExpr(test.high, position); isFixed(end))
        return Rest{evolution.getMinusSCEV(end, own.now), evolution.getMinusSCEV(end, own.next),
                    evolution.getMinusSCEV(end, own.first)};
    return std::nullopt;
  }

  /// Of what is left, 6 <= left: each iteration takes some of it, and no more than there is.
  const SCEV *countDown(PHINode &phi, const Test &test) {
    auto *least = dyn_cast<SCEVConstant>(test.low);
    const std::optional<Rest> left = restOf(phi, test);
    if (!least || least->getAPInt().uge(LargestStep) || !left)
      return nullptr;
    const SCEV *taken = evolution.getMinusSCEV(left->now, left->next), *first = left->first;
    const APInt fewest = evolution.getUnsignedRangeMin(taken);
    if (isa<SCEVConstant>(taken) || fewest.isZero() ||
        evolution.getUnsignedRangeMax(taken).ugt(LargestStep) ||
        (test.isSigned ? !isWithoutWrap(nextOf(phi)) : !isWhatIsLeft(phi, *left, test)))
      return nullptr;
    if (test.isSigned)
      first = evolution.getSMaxExpr(first, evolution.getZero(first->getType()));
    return countOf(first, fewest);
  }

  /// Whether a test says that what is taken is no more than there is.
  bool isWhatIsLeft(PHINode &phi, const Rest &left, const Test &first) {
    const APInt least = cast<SCEVConstant>(first.low)->getAPInt() + (first.isStrict ? 1 : 0);
    const bool isTestedAtStart = first.high == left.now || evolution.isLoopEntryGuardedByCond(
                                                               &loop, CmpInst::ICMP_UGE, left.first,
                                                               evolution.getConstant(least));
    auto isThere = [&](const APInt &bytes) { return isTestedAtStart && bytes.ule(least); };
    Value *taken = nullptr;
    if (isThere(evolution.getUnsignedRangeMax(evolution.getMinusSCEV(left.now, left.next))) ||
        (match(nextOf(phi), m_Sub(m_Specific(&phi), m_Value(taken))) && isTestedAtStart &&
         isThereOnEachWay(*taken, phi, *loop.getLoopLatch(), *loop.getHeader(), least)))
      return true;
    return any_of(tests, [&](const Test &test) {
      auto *before = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(left.now, test.high));
      return !test.isSigned && evolution.getMinusSCEV(test.high, test.low) == left.next && before &&
             (before->isZero() || isThere(before->getAPInt()));
    });
  }

  /// Whether on the ways that lead to a choice of what is taken there is as much: on those from a
  /// block to another one. At least `least` is there at the start of the iteration.
  bool isThereOnEachWay(Value &taken, PHINode &left, BasicBlock &from, BasicBlock &to,
                        const APInt &least) {
    auto *choice = dyn_cast<PHINode>(&taken);
    if (choice && loop.contains(choice) && choice->getParent() != loop.getHeader())
      return all_of(zip(choice->incoming_values(), choice->blocks()), [&](auto way) {
        return isThereOnEachWay(*std::get<0>(way), left, *std::get<1>(way), *choice->getParent(),
                                least);
      });
    const APInt most = evolution.getUnsignedRangeMax(evolution.getSCEV(&taken));
    return most.ule(rangeBetween(left, from, to, least).getUnsignedMin());
  }

  /// Of a position at the start of the iteration, with what was tested on the way.
  ConstantRange rangeBetween(PHINode &position, BasicBlock &from, BasicBlock &to,
                             const APInt &least) const {
    ConstantRange range = ConstantRange::getNonEmpty(least, APInt::getZero(least.getBitWidth()));
    auto test = [&](BasicBlock &block, auto leadsOn) {
      auto *branch = dyn_cast<BranchInst>(block.getTerminator());
      CmpPredicate predicate;
      const APInt *bound = nullptr;
      if (!branch || !branch->isConditional() ||
          !match(branch->getCondition(), m_ICmp(predicate, m_Specific(&position), m_APInt(bound))))
        return;
      const bool isTrue = leadsOn(*branch->getSuccessor(0)),
                 isFalse = leadsOn(*branch->getSuccessor(1));
      if (isTrue != isFalse)
        range = range.intersectWith(ConstantRange::makeExactICmpRegion(
            isTrue ? CmpInst::Predicate(predicate) : CmpInst::getInversePredicate(predicate),
            *bound));
    };
    test(from, [&](BasicBlock &next) { return &next == &to; });
    for (BasicBlock *behind = &from; behind != loop.getHeader();) {
      behind = dominators.getNode(behind)->getIDom()->getBlock();
      test(*behind, [&](BasicBlock &next) {
        return dominators.dominates(BasicBlockEdge(behind, &next), &from);
      });
    }
    return range;
  }

  const Loop &loop;
  const DominatorTree &dominators;
  ScalarEvolution &evolution;
  LazyValueInfo &values;
  SmallVector<Test, 4> tests; ///< of each iteration
};

} // namespace

const SCEV *countByPosition(const Loop &loop, const DominatorTree &dominators,
                            ScalarEvolution &evolution, LazyValueInfo &values) {
  return loop.getLoopLatch() && loop.getLoopPreheader()
             ? Positions(loop, dominators, evolution, values).count()
             : nullptr;
}

} // namespace acis
