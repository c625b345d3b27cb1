// See Order.h.
#include "passes/llvm/windows/Order.h"

#include "passes/llvm/windows/Facts.h"
#include "passes/llvm/windows/Footprint.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis {
namespace {

/// The affine recurrence of a loop that a bound is; null if it is none.
const SCEVAddRecExpr *movingIn(const Loop &loop, const SCEV *bound) {
  auto *moving = dyn_cast<SCEVAddRecExpr>(bound);
  return moving && moving->getLoop() == &loop && moving->isAffine() ? moving : nullptr;
}

/// What a place is on the ways from a block, where one value of a phi comes from there. Streams
/// begin at 0.
class PlaceBehind : public SCEVRewriteVisitor<PlaceBehind> {
public:
  PlaceBehind(const BasicBlock &from, const Loop *loop, ScalarEvolution &evolution)
      : SCEVRewriteVisitor(evolution), from(from), header(loop ? loop->getHeader() : nullptr) {}

  const SCEV *visitPtrToIntExpr(const SCEVPtrToIntExpr *address) {
    const SCEV *pointer = visit(address->getOperand());
    auto *base = dyn_cast<SCEVUnknown>(SE.getPointerBase(pointer));
    return base && isa<Argument>(base->getValue()) ? SE.removePointerBase(pointer) : address;
  }

  const SCEV *visitUnknown(const SCEVUnknown *unknown) {
    auto *phi = dyn_cast<PHINode>(unknown->getValue());
    if (!phi || phi->getParent() == header)
      return unknown;
    Value *only = nullptr;
    for (auto [value, block] : zip(phi->incoming_values(), phi->blocks()))
      if (block == &from || leadsTo(from, *block, header)) {
        if (only && only != value.get())
          return unknown;
        only = value.get();
      }
    return only ? SE.getSCEV(only) : unknown;
  }

private:
  const BasicBlock &from;
  const BasicBlock *header;
};

/// Whether both move evenly with a loop around them, which may keep them as rows then.
bool areRows(const Extent &passed, const Extent &again, const Loop &common) {
  const SCEVAddRecExpr *end = movingIn(common, passed.end), *begin = movingIn(common, again.begin);
  return end && begin && end->getOperand(1) == begin->getOperand(1);
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
    if (const std::optional<Extent> extent = extentOf(*read, &loop, loops, evolution))
      extents.push_back(*extent);
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

bool mayHavePassed(const LoadInst &before, const LoadInst &read, const LoopInfo &loops,
                   ScalarEvolution &evolution) {
  const Loop *inner = loops.getLoopFor(before.getParent());
  const Loop *other = loops.getLoopFor(read.getParent());
  const Loop *common = inner;
  while (common && !common->contains(&read))
    common = common->getParentLoop();
  if ((common == inner && common == other) || read.hasMetadata(BehindMetadata) ||
      !leadsTo(*before.getParent(), *read.getParent(), common ? common->getHeader() : nullptr))
    return false;
  const std::optional<Extent> passed = extentOf(before, common, loops, evolution),
                              again = extentOf(read, common, loops, evolution);
  if (!passed || !again || passed->end->getType() != again->begin->getType() ||
      (common ? areRows(*passed, *again, *common)
              : !other && isInFirstIteration(before, again->begin, loops, evolution)))
    return false;
  PlaceBehind behind(*before.getParent(), common, evolution);
  const SCEV *begin = behind.visit(evolution.getSCEVAtScope(behind.visit(again->begin), common));
  const SCEV *end = behind.visit(passed->end);
  return !evolution.isKnownNonPositive(evolution.getMinusSCEV(end, begin)) &&
         !evolution.isKnownPredicateAt(ICmpInst::ICMP_UGE, begin, end, &read);
}

} // namespace acis
