// Of an interval [low, high) of size s an iteration leaves [low, middle), which has s / 2, or
// [middle + 1, high), which has no more; or it takes elements from its ends. [low, high] with
// high = middle - 1 has one more at first.
#include "passes/llvm/HalvingIntervals.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace acis {
namespace {

struct Interval {
  const PHINode *low = nullptr, *high = nullptr;
  bool isClosed = false; ///< high is in it
  bool isSigned = false; ///< compared with sign: high may become -1
};

constexpr int64_t LargestStep = 1 << 20; ///< so that no sum wraps round, see sizeOf()

/// What the branch compares while the loop goes on.
struct Test {
  const Value *low = nullptr, *high = nullptr;
  bool isClosed = false; ///< it goes on if both are equal
  bool isSigned = false;
};

/// Adds what compares two values of the conditions that all hold, or that none of holds.
void addTests(const Value *condition, bool holds, SmallVectorImpl<Test> &tests) {
  CmpPredicate predicate;
  const Value *a = nullptr, *b = nullptr;
  if (holds ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
            : match(condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
    addTests(a, holds, tests);
    addTests(b, holds, tests);
    return;
  }
  if (!match(condition, m_ICmp(predicate, m_Value(a), m_Value(b))))
    return;
  CmpInst::Predicate stays = predicate;
  if (!holds)
    stays = CmpInst::getInversePredicate(stays);
  if (ICmpInst::isGT(stays) || ICmpInst::isGE(stays)) {
    std::swap(a, b);
    stays = CmpInst::getSwappedPredicate(stays);
  }
  if (ICmpInst::isLT(stays) || ICmpInst::isLE(stays))
    tests.push_back({a, b, ICmpInst::isLE(stays), CmpInst::isSigned(stays)});
}

/// What holds where the branch stays in the loop.
SmallVector<Test, 2> testsOf(const BasicBlock &block, const Loop &loop) {
  SmallVector<Test, 2> tests;
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  if (branch && branch->isConditional())
    addTests(branch->getCondition(), loop.contains(branch->getSuccessor(0)), tests);
  return tests;
}

template <typename Pattern> auto half(const Pattern &of) {
  return m_CombineOr(m_Shr(of, m_One()), m_SDiv(of, m_SpecificInt(2)));
}

bool isMiddleOf(const Value *value, const Value *lowEnd, const Value *highEnd) {
  const auto low = m_Specific(lowEnd), high = m_Specific(highEnd);
  const APInt *from = nullptr, *to = nullptr, *middle = nullptr;
  if (match(lowEnd, m_APInt(from)) && match(highEnd, m_APInt(to)) && match(value, m_APInt(middle)))
    return *middle == *from + (*to - *from).sdiv(2);
  return match(value, half(m_c_Add(low, high))) ||
         match(value, m_c_Add(low, half(m_Sub(high, low)))) ||
         (match(lowEnd, m_Zero()) && match(value, half(high)));
}

/// Also one that the iteration before has computed, of the ends that it handed on.
bool isMiddle(const Value *value, const Interval &interval) {
  if (isMiddleOf(value, interval.low, interval.high))
    return true;
  auto *phi = dyn_cast<PHINode>(value);
  return phi && phi->getParent() == interval.low->getParent() &&
         all_of(phi->blocks(), [&](const BasicBlock *from) {
           return isMiddleOf(phi->getIncomingValueForBlock(from),
                             interval.low->getIncomingValueForBlock(from),
                             interval.high->getIncomingValueForBlock(from));
         });
}

/// The middle of an even number of elements that is nearer to the end, of an interval without it:
/// what is left on either side of it is at most half.
bool isUpperMiddle(const Value *value, const Interval &interval) {
  const auto low = m_Specific(interval.low), high = m_Specific(interval.high);
  return !interval.isClosed && (match(value, half(m_Add(m_c_Add(low, high), m_One()))) ||
                                match(value, m_c_Add(low, half(m_Add(m_Sub(high, low), m_One())))));
}

bool isMovedLow(const Value *value, const Interval &interval) {
  const Value *middle = nullptr;
  return isUpperMiddle(value, interval) ||
         (match(value, m_Add(m_Value(middle), m_One())) && isMiddle(middle, interval));
}

bool isMovedHigh(const Value *value, const Interval &interval) {
  const Value *middle = nullptr;
  if (match(value, m_Add(m_Value(middle), m_AllOnes())))
    return isUpperMiddle(middle, interval) || (interval.isSigned && isMiddle(middle, interval));
  return !interval.isClosed && isMiddle(value, interval);
}

/// Whether nothing is left, so that the next test ends the loop: how a search says that it has
/// found.
bool isEmptied(const Value *low, const Value *high, const Interval &interval) {
  if (!interval.isClosed)
    return low == high && (low == interval.low || low == interval.high);
  return interval.isSigned &&
         ((low == interval.low && match(high, m_Add(m_Specific(low), m_AllOnes()))) ||
          (high == interval.high && match(low, m_Add(m_Specific(high), m_One()))));
}

bool movesOne(const Value *low, const Value *high, const Interval &interval) {
  return (low == interval.low && isMovedHigh(high, interval)) ||
         (high == interval.high && isMovedLow(low, interval)) || isEmptied(low, high, interval);
}

/// Whether on each way one of the two moves: by selects of one condition, or where ways join.
bool halves(const Value *low, const Value *high, const Interval &interval, unsigned depth = 0) {
  constexpr unsigned MaxDepth = 4; ///< of choices in choices
  if (depth > MaxDepth || movesOne(low, high, interval))
    return depth <= MaxDepth;
  const Value *condition = nullptr, *lowThen = nullptr, *lowElse = nullptr, *highThen = nullptr,
              *highElse = nullptr;
  if (match(low, m_Select(m_Value(condition), m_Value(lowThen), m_Value(lowElse))) &&
      match(high, m_Select(m_Specific(condition), m_Value(highThen), m_Value(highElse))))
    return halves(lowThen, highThen, interval, depth + 1) &&
           halves(lowElse, highElse, interval, depth + 1);
  auto *lowJoin = dyn_cast<PHINode>(low), *highJoin = dyn_cast<PHINode>(high);
  if (!lowJoin || !highJoin || lowJoin->getParent() != highJoin->getParent() ||
      lowJoin == interval.low)
    return false;
  return all_of(lowJoin->blocks(), [&](const BasicBlock *from) {
    return halves(lowJoin->getIncomingValueForBlock(from), highJoin->getIncomingValueForBlock(from),
                  interval, depth + 1);
  });
}

/// What a value is more than another one, where a condition is what it is said to be.
std::optional<int64_t> moved(const Value *value, const Value *from, const Value *condition,
                             bool isTrue) {
  auto holds = [&](const Value *asked) -> std::optional<bool> {
    if (asked == condition)
      return isTrue;
    if (match(asked, m_Not(m_Specific(condition))))
      return !isTrue;
    return std::nullopt;
  };
  if (value == from)
    return 0;
  const Value *a = nullptr, *b = nullptr, *asked = nullptr;
  const APInt *step = nullptr;
  if (match(value, m_Select(m_Value(asked), m_Value(a), m_Value(b)))) {
    const std::optional<bool> which = holds(asked);
    return which ? moved(*which ? a : b, from, condition, isTrue) : std::nullopt;
  }
  if (!match(value, m_Add(m_Value(a), m_Value(b))))
    return std::nullopt;
  const std::optional<int64_t> before = moved(a, from, condition, isTrue);
  if (!before)
    return std::nullopt;
  if (match(b, m_APInt(step)))
    return *before + step->getSExtValue();
  const bool isAdded = match(b, m_ZExt(m_Value(asked)));
  if (!isAdded && !match(b, m_SExt(m_Value(asked))))
    return std::nullopt;
  const std::optional<bool> which = asked->getType()->isIntegerTy(1) ? holds(asked) : std::nullopt;
  return which ? std::optional(*before + (*which ? (isAdded ? 1 : -1) : 0)) : std::nullopt;
}

/// Whether both move inwards, and one of them does.
bool takesEnds(const Value *low, const Value *high, const Interval &interval,
               const Value *condition, bool isTrue) {
  const std::optional<int64_t> up = moved(low, interval.low, condition, isTrue);
  const std::optional<int64_t> down = moved(high, interval.high, condition, isTrue);
  // Without a sign, the end below zero is large.
  const int64_t most = interval.isSigned ? LargestStep : interval.isClosed ? 0 : 1;
  return up && down && *up >= 0 && *down <= 0 && *up > *down && *up <= LargestStep &&
         -*down <= most;
}

/// What the choices in a value depend on: one condition.
const Value *conditionOf(const Value *value) {
  const Value *condition = nullptr, *of = nullptr;
  if (match(value, m_c_Add(m_Value(), m_ZExtOrSExt(m_Value(condition)))) ||
      match(value, m_Select(m_Value(condition), m_Value(), m_Value())))
    return match(condition, m_Not(m_Value(of))) ? of : condition;
  return nullptr;
}

/// Whether each iteration takes an element at least, by choices of one condition or on ways that
/// join.
bool shrinks(const Value *low, const Value *high, const Interval &interval) {
  auto *lowJoin = dyn_cast<PHINode>(low), *highJoin = dyn_cast<PHINode>(high);
  if (lowJoin && highJoin && lowJoin->getParent() == highJoin->getParent() &&
      lowJoin != interval.low)
    return all_of(lowJoin->blocks(), [&](const BasicBlock *from) {
      return takesEnds(lowJoin->getIncomingValueForBlock(from),
                       highJoin->getIncomingValueForBlock(from), interval, nullptr, false);
    });
  const Value *condition = conditionOf(low) ? conditionOf(low) : conditionOf(high);
  return takesEnds(low, high, interval, condition, true) &&
         takesEnds(low, high, interval, condition, false);
}

/// Elements of the first interval at most. `isTestedFirst`: the loop tests it before it uses it.
std::optional<uint64_t> sizeOf(const Interval &interval, const Loop &loop, bool isTestedFirst,
                               ScalarEvolution &evolution) {
  const BasicBlock &preheader = *loop.getLoopPreheader();
  const SCEV *low = evolution.getSCEV(interval.low->getIncomingValueForBlock(&preheader));
  const SCEV *high = evolution.getSCEV(interval.high->getIncomingValueForBlock(&preheader));
  const SCEV *guarded = evolution.applyLoopGuards(high, &loop);
  const APInt most = interval.isSigned
                         ? APIntOps::smax(evolution.getSignedRangeMax(guarded),
                                          APInt::getZero(high->getType()->getIntegerBitWidth()))
                         : evolution.getUnsignedRangeMax(guarded);
  if (!isTestedFirst && !evolution.isLoopEntryGuardedByCond(&loop, CmpInst::ICMP_ULE, low, high))
    return std::nullopt;
  // The sum of both must not wrap around.
  if (!evolution.isKnownNonNegative(low) || most.getActiveBits() + 2 > most.getBitWidth())
    return std::nullopt;
  return most.getZExtValue() -
         evolution.getUnsignedRangeMin(low).getLimitedValue(most.getZExtValue()) +
         interval.isClosed;
}

std::optional<uint64_t> countOf(const Test &test, const BasicBlock &block, const Loop &loop,
                                ScalarEvolution &evolution) {
  const BasicBlock *latch = loop.getLoopLatch();
  for (const PHINode &low : loop.getHeader()->phis())
    for (const PHINode &high : loop.getHeader()->phis()) {
      const Value *nextLow = low.getIncomingValueForBlock(latch);
      const Value *nextHigh = high.getIncomingValueForBlock(latch);
      const bool isTestedFirst = test.low == &low && test.high == &high;
      const bool isTested = isTestedFirst || (test.low == nextLow && test.high == nextHigh);
      const Interval interval{&low, &high, test.isClosed, test.isSigned};
      if (&low == &high || !low.getType()->isIntegerTy() || low.getType() != high.getType() ||
          !isTested)
        continue;
      const bool isHalved = halves(nextLow, nextHigh, interval);
      if (!isHalved && !shrinks(nextLow, nextHigh, interval))
        continue;
      if (std::optional<uint64_t> size =
              sizeOf(interval, loop, isTestedFirst && &block == loop.getHeader(), evolution))
        return isHalved && *size ? Log2_64(*size) + 1 : *size;
    }
  return std::nullopt;
}

} // namespace

std::optional<uint64_t> countOfHalving(const Loop &loop, ScalarEvolution &evolution) {
  const BasicBlock *latch = loop.getLoopLatch(), *preheader = loop.getLoopPreheader();
  if (!latch || !preheader)
    return std::nullopt;
  SmallVector<BasicBlock *, 4> exiting;
  loop.getExitingBlocks(exiting);
  for (const BasicBlock *block : exiting)
    if (block == latch || block == loop.getHeader())
      for (const Test &test : testsOf(*block, loop))
        if (std::optional<uint64_t> count = countOf(test, *block, loop, evolution))
          return count;
  return std::nullopt;
}

} // namespace acis
