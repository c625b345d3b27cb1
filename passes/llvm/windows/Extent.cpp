// See Extent.h.
#include "passes/llvm/windows/Extent.h"

#include "passes/llvm/windows/Fields.h"
#include "passes/llvm/windows/Footprint.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis {
namespace {

/// Of a place; null if it is not known.
struct Bound {
  const SCEV *place = nullptr;
  bool isAnywhere = false; ///< data says
};

/// Whether what is added to a position may lead back: what is negative for certain, or has a sign.
bool mayLeadBack(const Value &added) {
  auto *number = dyn_cast<ConstantInt>(&added);
  return (number && number->isNegative()) || isa<SExtInst>(added);
}

/// Of a sum, the part that comes from other values of a loop; null if it is no sum, or goes back.
const Value *movedBy(const Instruction &sum) {
  if (!isa<GetElementPtrInst>(sum) && sum.getOpcode() != Instruction::Add)
    return nullptr;
  const auto isPosition = [](const Value *part) {
    auto *inst = dyn_cast<Instruction>(part);
    return inst && (isa<PHINode, SelectInst, GetElementPtrInst>(inst) ||
                    inst->getOpcode() == Instruction::Add);
  };
  const auto position = find_if(sum.operand_values(), isPosition);
  const bool leadsBack =
      any_of(sum.operand_values(), [](const Value *part) { return mayLeadBack(*part); });
  return position == sum.value_op_end() || leadsBack ? nullptr : *position;
}

/// Whether a loop's value comes from the one before by sums alone: a position that moves on. All
/// ways that its value comes from have to end at it.
bool isCursor(const Value &value, const Loop &loop) {
  auto *cursor = dyn_cast<PHINode>(&value);
  if (!cursor || cursor->getParent() != loop.getHeader() || !loop.getLoopLatch() ||
      !loop.getLoopPreheader())
    return false;
  SmallVector<const Value *, 8> work{cursor->getIncomingValueForBlock(loop.getLoopLatch())};
  SmallPtrSet<const Value *, 8> seen{cursor};
  while (!work.empty()) {
    auto *inst = dyn_cast<Instruction>(work.pop_back_val());
    if (!inst)
      return false;
    if (!seen.insert(inst).second)
      continue;
    if (isa<PHINode>(inst))
      append_range(work, inst->operand_values());
    else if (auto *choice = dyn_cast<SelectInst>(inst))
      work.append({choice->getTrueValue(), choice->getFalseValue()});
    else if (const Value *from = movedBy(*inst))
      work.push_back(from);
    else
      return false;
  }
  return true;
}

/// Replaces what changes in a loop, and is no recurrence, by its least or its largest value.
class Bounder : public SCEVRewriteVisitor<Bounder> {
public:
  Bounder(bool isLeast, const Loop &loop, ScalarEvolution &evolution)
      : SCEVRewriteVisitor(evolution), isLeast(isLeast), loop(loop) {}

  const SCEV *visitUnknown(const SCEVUnknown *unknown) {
    Value *value = unknown->getValue();
    if (SE.isLoopInvariant(unknown, &loop) || !isCursor(*value, loop))
      return bounded(unknown);
    isKnown &= isLeast;
    return SE.getSCEV(cast<PHINode>(value)->getIncomingValueForBlock(loop.getLoopPreheader()));
  }
  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *part) { return bounded(part); }
  const SCEV *visitSignExtendExpr(const SCEVSignExtendExpr *part) { return bounded(part); }
  const SCEV *visitTruncateExpr(const SCEVTruncateExpr *part) { return bounded(part); }
  const SCEV *visitUDivExpr(const SCEVUDivExpr *part) { return bounded(part); }
  const SCEV *visitUMinExpr(const SCEVUMinExpr *part) { return bounded(part); }
  const SCEV *visitUMaxExpr(const SCEVUMaxExpr *part) { return bounded(part); }
  const SCEV *visitMulExpr(const SCEVMulExpr *product) {
    auto *factor = dyn_cast<SCEVConstant>(product->getOperand(0));
    isAnywhere |=
        !SE.isLoopInvariant(product, &loop) && (!factor || factor->getAPInt().isNegative());
    return SCEVRewriteVisitor::visitMulExpr(product);
  }

  bool isKnown = true;     ///< the bound of a position that moves on may be
  bool isAnywhere = false; ///< data says

private:
  const SCEV *bounded(const SCEV *part) {
    if (SE.isLoopInvariant(part, &loop))
      return part;
    const ConstantRange range = SE.getUnsignedRange(part);
    isAnywhere |= !part->getType()->isIntegerTy() || range.getUnsignedMax().uge(PacketEnd);
    return part->getType()->isIntegerTy()
               ? SE.getConstant(isLeast ? range.getUnsignedMin() : range.getUnsignedMax())
               : part;
  }

  bool isLeast;
  const Loop &loop;
};

/// The least or the largest value of an address in the loops inside of one.
Bound boundOf(const SCEV *place, bool isLeast, const Loop *outside, const Loop *inside,
              ScalarEvolution &evolution) {
  for (const Loop *loop = inside; loop != outside; loop = loop->getParentLoop()) {
    if (evolution.isLoopInvariant(place, loop))
      continue;
    auto *moving = dyn_cast<SCEVAddRecExpr>(place);
    if (!moving || moving->getLoop() != loop) {
      Bounder bounder(isLeast, *loop, evolution);
      place = bounder.visit(place);
      if (bounder.isAnywhere || !bounder.isKnown)
        return {nullptr, bounder.isAnywhere};
      moving = dyn_cast<SCEVAddRecExpr>(place);
    }
    if (evolution.isLoopInvariant(place, loop))
      continue;
    auto *step = moving && moving->getLoop() == loop && moving->isAffine()
                     ? dyn_cast<SCEVConstant>(moving->getOperand(1))
                     : nullptr;
    const SCEV *back = evolution.getSymbolicMaxBackedgeTakenCount(loop);
    if (!step)
      return {};
    const bool isFirst = step->getAPInt().isNegative() != isLeast;
    if (!isFirst && isa<SCEVCouldNotCompute>(back))
      return {};
    place = isFirst ? moving->getStart()
                    : moving->evaluateAtIteration(
                          evolution.getTruncateOrZeroExtend(back, place->getType()), evolution);
  }
  return {place, false};
}

} // namespace

Extent extentOf(const LoadInst &read, const Loop *loop, const LoopInfo &loops,
                ScalarEvolution &evolution) {
  const SCEV *place = placeOf(read, evolution);
  if (!place)
    return {};
  const Loop *inside = loops.getLoopFor(read.getParent());
  const Bound begin = boundOf(place, true, loop, inside, evolution);
  const Bound last = boundOf(place, false, loop, inside, evolution);
  const SCEV *end =
      last.place ? evolution.getAddExpr(last.place, evolution.getConstant(last.place->getType(),
                                                                          uint64_t(bytesOf(read))))
                 : nullptr;
  return {begin.place, end, begin.isAnywhere};
}

} // namespace acis
