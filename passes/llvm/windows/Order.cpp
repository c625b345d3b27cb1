// See Order.h.
#include "passes/llvm/windows/Order.h"

#include "passes/llvm/windows/Extent.h"
#include "passes/llvm/windows/Facts.h"
#include "passes/llvm/windows/Fields.h"
#include "passes/llvm/windows/Footprint.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis {
namespace {

/// The affine recurrence of a loop that a bound is; null if it is none.
const SCEVAddRecExpr *movingIn(const Loop &loop, const SCEV *bound) {
  auto *moving = dyn_cast<SCEVAddRecExpr>(bound);
  return moving && moving->getLoop() == &loop && moving->isAffine() ? moving : nullptr;
}

/// Places on the ways from a block, of one iteration of a loop or of the handler. Streams begin at
/// 0.
class PlacesBehind {
public:
  PlacesBehind(const BasicBlock &from, const Loop *loop, ScalarEvolution &evolution)
      : from(from), loop(loop), evolution(evolution) {}

  /// Whether a place is `end` or behind it on all of these ways.
  bool areBehind(const SCEV *place, const SCEV *end, unsigned depth = 0) const {
    place = resolved(evolution.getSCEVAtScope(resolved(place, nullptr), loop), nullptr);
    end = resolved(end, nullptr);
    if (evolution.isKnownNonPositive(evolution.getMinusSCEV(end, place)) ||
        evolution.isKnownPredicate(ICmpInst::ICMP_UGE, place, end))
      return true;
    const PHINode *choice = choiceIn(place);
    return depth < MostChoices && choice &&
           all_of(
               optionsOf(*choice),
               [&](const SCEV *option) {
                 return areBehind(resolved(place, choice, leastOf(option)), end, depth + 1);
               });
  }

private:
  static constexpr unsigned MostChoices = 4; ///< one behind the other

  /// Replaces a choice by one of its options, and others that have one only.
  class Resolver : public SCEVRewriteVisitor<Resolver> {
  public:
    Resolver(const PlacesBehind &places, const PHINode *choice, const SCEV *option)
        : SCEVRewriteVisitor(places.evolution), places(places), choice(choice), option(option) {}

    const SCEV *visitPtrToIntExpr(const SCEVPtrToIntExpr *address) {
      const SCEV *pointer = visit(address->getOperand());
      auto *base = dyn_cast<SCEVUnknown>(SE.getPointerBase(pointer));
      return base && isa<Argument>(base->getValue()) ? SE.removePointerBase(pointer) : address;
    }

    const SCEV *visitUnknown(const SCEVUnknown *unknown) {
      if (choice && unknown->getValue() == choice)
        return option;
      const SmallVector<const SCEV *, 4> options = places.optionsOf(*unknown->getValue());
      return options.size() == 1 ? options.front() : unknown;
    }

  private:
    const PlacesBehind &places;
    const PHINode *choice;
    const SCEV *option;
  };

  const SCEV *resolved(const SCEV *place, const PHINode *choice,
                       const SCEV *option = nullptr) const {
    return Resolver(*this, choice, option).visit(place);
  }

  /// What a phi may be on these ways; nothing of other values.
  SmallVector<const SCEV *, 4> optionsOf(const Value &value) const {
    SmallVector<const SCEV *, 4> options;
    const BasicBlock *header = loop ? loop->getHeader() : nullptr;
    auto *phi = dyn_cast<PHINode>(&value);
    if (phi && phi->getParent() != header)
      for (auto [option, block] : zip(phi->incoming_values(), phi->blocks()))
        if (const SCEV *one = evolution.getSCEV(option);
            (block == &from || leadsTo(from, *block, header)) && !is_contained(options, one))
          options.push_back(one);
    return options;
  }

  const PHINode *choiceIn(const SCEV *place) const {
    const PHINode *found = nullptr;
    SCEVExprContains(place, [&](const SCEV *part) {
      auto *unknown = dyn_cast<SCEVUnknown>(part);
      if (!found && unknown && optionsOf(*unknown->getValue()).size() > 1)
        found = cast<PHINode>(unknown->getValue());
      return found != nullptr;
    });
    return found;
  }

  /// What a loop that moves it forward has it begin at.
  static const SCEV *leastOf(const SCEV *place) {
    auto *moving = dyn_cast<SCEVAddRecExpr>(place);
    auto *step =
        moving && moving->isAffine() ? dyn_cast<SCEVConstant>(moving->getOperand(1)) : nullptr;
    return step && !step->getAPInt().isNegative() ? moving->getStart() : place;
  }

  const BasicBlock &from;
  const Loop *loop;
  ScalarEvolution &evolution;
};

/// A read and an earlier one of the same iteration of `common`, the innermost loop that has both,
/// or of the handler.
struct Pair {
  const Loop *common = nullptr;
  Extent passed, again;
  bool isOfLast = false; ///< what the last iteration of the earlier one's loop has read
};

/// None if both are in the same loops, the later one does not come behind the earlier one, or it is
/// not known where they lie.
std::optional<Pair> pairOf(const LoadInst &before, const LoadInst &read, const LoopInfo &loops,
                           ScalarEvolution &evolution) {
  const Loop *inner = loops.getLoopFor(before.getParent());
  const Loop *common = inner;
  while (common && !common->contains(&read))
    common = common->getParentLoop();
  if ((common == inner && common == loops.getLoopFor(read.getParent())) ||
      read.hasMetadata(BehindMetadata) ||
      !leadsTo(*before.getParent(), *read.getParent(), common ? common->getHeader() : nullptr))
    return std::nullopt;
  Pair pair{common, extentOf(before, common, loops, evolution),
            extentOf(read, common, loops, evolution)};
  const SCEV *last = placeOf(before, evolution), *place = placeOf(read, evolution);
  const std::optional<int64_t> ahead =
      last && place ? distance(last, place, evolution) : std::nullopt;
  pair.isOfLast = inner != common && ahead && *ahead < bytesOf(before);
  const SCEV *passed = pair.passed.end ? pair.passed.end : pair.passed.begin;
  const bool areKnown =
      passed && pair.again.begin && passed->getType() == pair.again.begin->getType();
  return areKnown || pair.isOfLast ? std::optional(pair) : std::nullopt;
}

/// Where data says how far the earlier one goes, a place at a known distance from where it begins
/// may be behind it, but does not follow it.
bool mayOverlap(const Pair &pair, const LoadInst &before, ScalarEvolution &evolution) {
  if (!pair.passed.end)
    return isa<SCEVConstant>(pair.again.begin) ||
           isa<SCEVConstant>(evolution.getMinusSCEV(pair.again.begin, pair.passed.begin));
  return !PlacesBehind(*before.getParent(), pair.common, evolution)
              .areBehind(pair.again.begin, pair.passed.end);
}

/// Whether both move evenly with the loop around them, in each iteration of it: it may keep them as
/// rows then.
bool areRows(const Pair &pair, const LoadInst &before, const LoadInst &read,
             const DominatorTree &dominators) {
  auto isInEach = [&](const LoadInst &one) {
    return dominators.dominates(one.getParent(), pair.common->getLoopLatch());
  };
  if (!pair.passed.end || !pair.again.begin)
    return false;
  const SCEVAddRecExpr *end = movingIn(*pair.common, pair.passed.end),
                       *begin = movingIn(*pair.common, pair.again.begin);
  return end && begin && end->getOperand(1) == begin->getOperand(1) && isInEach(before) &&
         isInEach(read);
}

/// Whether a place that is read outside of loops is in front of where the first iteration of a
/// read's loop has ended, which it is read in front of then (ReadWindows).
bool isInFirstIteration(const LoadInst &before, const SCEV *place, const LoopInfo &loops,
                        ScalarEvolution &evolution) {
  const Loop *loop = loops.getLoopFor(before.getParent());
  const std::optional<Footprint> first =
      loop ? footprintOf(before, *loop->getOutermostLoop(), evolution) : std::nullopt;
  return first && distance(endOf(*first, evolution), place, evolution).value_or(0) < 0;
}

} // namespace

bool nextMayGoBack(const Loop &loop, ArrayRef<LoadInst *> reads, const LoopInfo &loops,
                   ScalarEvolution &evolution) {
  SmallVector<Extent, 4> extents;
  for (LoadInst *read : reads)
    if (const Extent extent = extentOf(*read, &loop, loops, evolution); extent.begin && extent.end)
      extents.push_back(extent);
  const auto movesEvenly = [&](const SCEV *bound) {
    return movingIn(loop, bound) || evolution.isLoopInvariant(bound, &loop);
  };
  const auto isInFront = [&](const SCEV *end, const SCEV *begin) {
    auto *moving = movingIn(loop, begin);
    const SCEV *next = moving ? moving->getPostIncExpr(evolution) : begin;
    return evolution.isKnownNonPositive(evolution.getMinusSCEV(end, next));
  };
  return any_of(extents, [&](const Extent &before) {
    return any_of(extents, [&](const Extent &behind) {
      return movesEvenly(before.end) && movesEvenly(behind.begin) &&
             !isInFront(before.end, behind.begin);
    });
  });
}

bool mayBeAnywhere(const LoadInst &read, const LoopInfo &loops, ScalarEvolution &evolution) {
  return !read.hasMetadata(BehindMetadata) && extentOf(read, nullptr, loops, evolution).isAnywhere;
}

bool mayHavePassed(const LoadInst &before, const LoadInst &read, const LoopInfo &loops,
                   const DominatorTree &dominators, ScalarEvolution &evolution) {
  const std::optional<Pair> pair = pairOf(before, read, loops, evolution);
  if (!pair)
    return false;
  if (pair->isOfLast)
    return true;
  const bool isKept = pair->common
                          ? areRows(*pair, before, read, dominators)
                          : !loops.getLoopFor(read.getParent()) &&
                                isInFirstIteration(before, pair->again.begin, loops, evolution);
  return !isKept && mayOverlap(*pair, before, evolution);
}

bool mayHavePassedInRow(const LoadInst &before, const LoadInst &read, const Loop &loop,
                        const LoopInfo &loops, const DominatorTree &dominators,
                        ScalarEvolution &evolution) {
  const std::optional<Pair> pair = pairOf(before, read, loops, evolution);
  return pair && pair->common == &loop && !pair->isOfLast &&
         areRows(*pair, before, read, dominators) && mayOverlap(*pair, before, evolution);
}

} // namespace acis
