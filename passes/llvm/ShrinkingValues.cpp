// The largest value that an iteration may begin with, until a test of the loop is certain to end
// it.
#include "passes/llvm/ShrinkingValues.h"

#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace acis {
namespace {

/// How a value gets smaller.
struct Shrinking {
  const PHINode *phi = nullptr;
  const Value *next = nullptr;
  APInt divisor;         ///< 0: it loses one bit at a time
  bool isSigned = false; ///< the divided value may be negative: its size gets smaller
  bool isOfSome = false; ///< only if it is not 0
};

/// Whether a value is at most half of the phi, which is not 0: a half of it, the other one without
/// the element between them, or a choice of such.
bool isHalf(const Value *value, const PHINode &phi, unsigned depth = 0) {
  using namespace PatternMatch;
  constexpr unsigned MaxChoices = 4;
  const Value *a = nullptr, *b = nullptr;
  if (depth == MaxChoices)
    return false;
  if (match(value, m_LShr(m_Specific(&phi), m_One())) ||
      match(value, m_c_Add(m_Specific(&phi), m_Not(m_LShr(m_Specific(&phi), m_One())))))
    return true;
  if (match(value, m_Select(m_Value(), m_Value(a), m_Value(b))))
    return isHalf(a, phi, depth + 1) && isHalf(b, phi, depth + 1);
  auto *join = dyn_cast<PHINode>(value);
  return join && join->getParent() != phi.getParent() &&
         all_of(join->incoming_values(),
                [&](const Use &use) { return isHalf(use, phi, depth + 1); });
}

std::optional<Shrinking> shrinkingOf(const PHINode &phi, const BasicBlock &latch) {
  using namespace PatternMatch;
  if (!phi.getType()->isIntegerTy() || phi.getBasicBlockIndex(&latch) < 0)
    return std::nullopt;
  const unsigned bits = phi.getType()->getIntegerBitWidth();
  const Value *next = phi.getIncomingValueForBlock(&latch);
  const APInt *by = nullptr;
  if (match(next, m_UDiv(m_Specific(&phi), m_APInt(by))) && by->ugt(1))
    return Shrinking{&phi, next, *by, false};
  if (match(next, m_SDiv(m_Specific(&phi), m_APInt(by))) && by->sgt(1))
    return Shrinking{&phi, next, *by, true};
  if (match(next, m_LShr(m_Specific(&phi), m_APInt(by))) && !by->isZero() && by->ult(bits))
    return Shrinking{&phi, next, APInt::getOneBitSet(bits, unsigned(by->getZExtValue())), false};
  if (match(next, m_c_And(m_Specific(&phi), m_Add(m_Specific(&phi), m_AllOnes()))))
    return Shrinking{&phi, next, APInt::getZero(bits), false};
  if (bits > 1 && isHalf(next, phi))
    return Shrinking{&phi, next, APInt(bits, 2), false, /*isOfSome=*/true};
  return std::nullopt;
}

/// For which of its values the branch leaves the loop, if it tests the phi or what follows it.
std::optional<ConstantRange> leavesAt(const BranchInst &branch, const Loop &loop,
                                      const Shrinking &shrinking, bool &isNext) {
  using namespace PatternMatch;
  CmpPredicate predicate;
  const Value *value = nullptr, *from = nullptr;
  const APInt *number = nullptr, *offset = nullptr;
  if (!branch.isConditional() ||
      !match(branch.getCondition(), m_ICmp(predicate, m_Value(value), m_APInt(number))))
    return std::nullopt;
  CmpInst::Predicate leaves = predicate;
  if (loop.contains(branch.getSuccessor(0)))
    leaves = CmpInst::getInversePredicate(leaves);
  ConstantRange range = ConstantRange::makeExactICmpRegion(leaves, *number);
  if (match(value, m_Add(m_Value(from), m_APInt(offset)))) {
    value = from; // x / 7 == 0 is x + 6 < 13, without signs
    range = range.subtract(*offset);
  }
  isNext = value == shrinking.next;
  return isNext || value == shrinking.phi ? std::optional(range) : std::nullopt;
}

/// The values of at most a size; of one that only a negative number has, all.
ConstantRange upTo(const APInt &most, bool isSigned) {
  if (isSigned && most.isNegative())
    return ConstantRange::getFull(most.getBitWidth());
  return ConstantRange::getNonEmpty(isSigned ? -most : APInt::getZero(most.getBitWidth()),
                                    most + 1);
}

std::optional<uint64_t> countUntil(const Shrinking &shrinking, APInt most,
                                   const ConstantRange &leaving, bool isNext) {
  const unsigned bits = most.getBitWidth();
  auto shrink = [&, lost = 0u](const APInt &value) mutable {
    if (!shrinking.divisor.isZero())
      return value.udiv(shrinking.divisor);
    return ++lost < bits ? value : APInt::getZero(bits);
  };
  if (isNext)
    most = shrink(most);
  for (uint64_t branches = 0;; ++branches) {
    if (leaving.contains(upTo(most, shrinking.isSigned)))
      return branches;
    if (most.isZero())
      return std::nullopt;
    most = shrink(most);
  }
}

} // namespace

std::optional<uint64_t> countOfShrinking(const Loop &loop, const DominatorTree &dominators,
                                         ScalarEvolution &evolution) {
  const BasicBlock *latch = loop.getLoopLatch(), *preheader = loop.getLoopPreheader();
  if (!latch || !preheader)
    return std::nullopt;
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  std::optional<uint64_t> least;
  for (const PHINode &phi : loop.getHeader()->phis()) {
    const std::optional<Shrinking> shrinking = shrinkingOf(phi, *latch);
    if (!shrinking)
      continue;
    const SCEV *start = evolution.getSCEV(phi.getIncomingValueForBlock(preheader));
    const APInt most = shrinking->isSigned ? evolution.getSignedRange(start).abs().getUnsignedMax()
                                           : evolution.getUnsignedRangeMax(start);
    for (const BasicBlock *block : exiting) {
      auto *branch = dyn_cast<BranchInst>(block->getTerminator());
      bool isNext = false;
      std::optional<ConstantRange> leaving;
      if (branch && dominators.dominates(block, latch))
        leaving = leavesAt(*branch, loop, *shrinking, isNext);
      if (!leaving || (shrinking->isOfSome &&
                       !(leaving->contains(APInt::getZero(most.getBitWidth())) &&
                         (isNext ? evolution.isKnownNonZero(start) : block == loop.getHeader()))))
        continue;
      if (std::optional<uint64_t> count = countUntil(*shrinking, most, *leaving, isNext))
        least = std::min(least.value_or(*count), *count);
    }
  }
  return least;
}

} // namespace acis
