// See InPacket.h.
#include "passes/llvm/windows/InPacket.h"

#include "passes/llvm/windows/Extent.h"
#include "passes/llvm/windows/Fields.h"
#include "passes/llvm/windows/Footprint.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis {
namespace {

/// Whether a number is at most another one by its form: whole records of the bytes that there are
/// (24 * (n /u 24)), the least of several, less than one.
bool isAtMost(const SCEV *number, const SCEV *most, ScalarEvolution &evolution) {
  if (number == most)
    return true;
  if (auto *sum = dyn_cast<SCEVAddExpr>(number)) {
    auto *less = dyn_cast<SCEVConstant>(sum->getOperand(0));
    return sum->getNumOperands() == 2 && less && less->getAPInt().isNegative() &&
           isAtMost(sum->getOperand(1), most, evolution);
  }
  if (isa<SCEVUMinExpr>(number))
    return any_of(number->operands(),
                  [&](const SCEV *one) { return isAtMost(one, most, evolution); });
  auto *product = dyn_cast<SCEVMulExpr>(number);
  auto *factor = product ? dyn_cast<SCEVConstant>(product->getOperand(0)) : nullptr;
  if (!factor || product->getNumOperands() != 2)
    return false;
  const SCEV *count = product->getOperand(1);
  if (isa<SCEVUMinExpr>(count))
    return any_of(count->operands(), [&](const SCEV *one) {
      return isAtMost(evolution.getMulExpr(factor, one), most, evolution);
    });
  auto *quotient = dyn_cast<SCEVUDivExpr>(count);
  auto *divisor = quotient ? dyn_cast<SCEVConstant>(quotient->getRHS()) : nullptr;
  return divisor && factor->getAPInt().ule(divisor->getAPInt()) &&
         isAtMost(quotient->getLHS(), most, evolution);
}

} // namespace

bool isInPacket(const SCEV *end, const Instruction &at, LoadInst &length,
                ScalarEvolution &evolution) {
  const SCEV *bytes = evolution.getSCEV(&length);
  return evolution.isKnownPredicateAt(ICmpInst::ICMP_ULE, end, bytes, &at) ||
         isAtMost(end, bytes, evolution);
}

bool isInPacket(LoadInst &read, LoadInst &length, const LoopInfo &loops,
                ScalarEvolution &evolution) {
  const SCEV *place = placeOf(read, evolution);
  if (!place)
    return false;
  const SCEV *bytes = evolution.getConstant(place->getType(), uint64_t(bytesOf(read)));
  if (isInPacket(evolution.getAddExpr(place, bytes), read, length, evolution))
    return true;
  if (const SCEV *end = extentOf(read, nullptr, loops, evolution).end;
      end && isInPacket(end, read, length, evolution))
    return true;
  // Of places that are multiples of what is read, numbers are compared, as the handler does.
  return evolution.getConstantMultiple(place).urem(uint64_t(bytesOf(read))) == 0 &&
         evolution.isKnownPredicateAt(ICmpInst::ICMP_ULT, evolution.getUDivExactExpr(place, bytes),
                                      evolution.getUDivExpr(evolution.getSCEV(&length), bytes),
                                      &read);
}

} // namespace acis
