// Expressions of ScalarEvolution become nodes, in containers of 8, 16, 32 or 64 bits.
#include "passes/import/EmitValues.h"

#include "passes/llvm/Diagnose.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using acis::dfg::OpKind;

namespace acis::import {

ValueEmitter::ValueEmitter(const NestPlan &plan, dfg::NestOp nest, const FunctionAnalyses &analyses)
    : builder(nest.getContext()), compute(builder),
      arguments(nest.getBody().front(), nest.getLoc(), *plan.shape.root().loop, analyses),
      plan(plan), nest(nest), evolution(analyses.evolution), context(nest.getContext()) {}

mlir::Value ValueEmitter::visible(const Value *value) const {
  mlir::Value known = values.lookup(value);
  const bool isVisible =
      known && known.getParentRegion()->isAncestor(builder.getInsertionBlock()->getParent());
  return isVisible ? known : mlir::Value();
}

mlir::Value ValueEmitter::constant(Constant *value) {
  mlir::Value &known = constants[value];
  if (known)
    return known;
  // In front of the loop, where every use sees it.
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&nest.getBody().front());
  mlir::Type resultType = type(value->getType());
  mlir::TypedAttr attribute;
  if (auto *integer = dyn_cast<ConstantInt>(value))
    attribute = builder.getIntegerAttr(resultType, integer->getValue());
  else if (auto *number = dyn_cast<ConstantFP>(value))
    attribute = builder.getFloatAttr(resultType, number->getValueAPF());
  else // undef and poison: any value is right
    attribute = builder.getZeroAttr(resultType);
  return known = dfg::ConstOp::create(builder, nest.getLoc(), resultType, attribute).getResult();
}

mlir::Value ValueEmitter::unknown(Instruction &value, Why why) {
  refuse(diagnose(value, Refusal(why)));
  return constant(Constant::getNullValue(value.getType()));
}

mlir::Value ValueEmitter::operand(Value *value, mlir::Location loc) {
  if (auto *literal = dyn_cast<Constant>(value))
    return constant(literal);
  auto *inst = dyn_cast<Instruction>(value);
  if (isKnown(value)) {
    mlir::Value known = inst ? visible(value) : values.lookup(value);
    return known ? known : unknown(*inst, Why::InnerValueInIndex);
  }
  if (!inst || !plan.shape.root().loop->contains(inst))
    return compute.resize(loc, arguments.of(value), type(value->getType()));
  const Carried *carried = plan.findCarried(value);
  if (!carried || !carried->isCounter)
    return unknown(*inst, Why::ValueUnknown);
  return expression(evolution.getSCEV(value), loc);
}

mlir::Value ValueEmitter::condition(const Predicate *predicate, mlir::Location loc) {
  mlir::Value all;
  for (; predicate; predicate = predicate->outer) {
    mlir::Value flag = operand(predicate->condition, loc);
    if (!predicate->value)
      flag = compute.invert(loc, flag);
    all = all ? compute.op(loc, OpKind::And, flag.getType(), {flag, all}) : flag;
  }
  return all;
}

mlir::Value ValueEmitter::index(const PlannedAccess &planned, mlir::Location loc) {
  if (!planned.position.index)
    return {};
  knownParts = &planned.known;
  mlir::Value result = expression(planned.position.index, loc);
  knownParts = nullptr;
  return result;
}

/// The type that holds the value: 8, 16, 32 or 64 bits, and flags. A wider one than the
/// expression's own has any bits above it.
Type *ValueEmitter::containerOf(const SCEV *scev) const {
  uint64_t bits = evolution.getTypeSizeInBits(scev->getType());
  if (!scev->getType()->isIntegerTy() || bits == 1)
    return scev->getType();
  return IntegerType::get(scev->getType()->getContext(), std::max<uint64_t>(8, PowerOf2Ceil(bits)));
}

/// The value with the bits above an odd width, where they matter.
mlir::Value ValueEmitter::exact(const SCEV *scev, bool isSigned, mlir::Location loc) {
  mlir::Value value = expression(scev, loc);
  if (containerOf(scev) == scev->getType())
    return value;
  auto *container = cast<IntegerType>(containerOf(scev));
  unsigned width = container->getBitWidth();
  unsigned bits = evolution.getTypeSizeInBits(scev->getType());
  if (!isSigned)
    return compute.op(
        loc, OpKind::And, value.getType(),
        {value, constant(ConstantInt::get(container, APInt::getLowBitsSet(width, bits)))});
  mlir::Value above = constant(ConstantInt::get(container, width - bits));
  mlir::Value high = compute.op(loc, OpKind::Shl, value.getType(), {value, above});
  return compute.op(loc, OpKind::Ashr, value.getType(), {high, above});
}

/// An operation of all operands, one after the other.
mlir::Value ValueEmitter::fold(OpKind kind, const SCEV *scev, mlir::Location loc) {
  const bool isSigned = kind == OpKind::Smin || kind == OpKind::Smax;
  const bool anyBits = llvm::isa<SCEVAddExpr, SCEVMulExpr>(scev);
  mlir::Value result;
  for (const SCEV *part : scev->operands()) {
    mlir::Value value = anyBits ? expression(part, loc) : exact(part, isSigned, loc);
    result = result ? compute.op(loc, kind, type(containerOf(scev)), {result, value}) : value;
  }
  return result;
}

mlir::Value ValueEmitter::quotient(const SCEV *scev, mlir::Location loc) {
  auto *division = cast<SCEVUDivExpr>(scev);
  Type *container = containerOf(scev);
  mlir::Value left = exact(division->getLHS(), /*isSigned=*/false, loc);
  auto *divisor = dyn_cast<SCEVConstant>(division->getRHS());
  if (divisor && divisor->getAPInt().isPowerOf2())
    return compute.op(
        loc, OpKind::Lshr, type(container),
        {left, constant(ConstantInt::get(container, divisor->getAPInt().logBase2()))});
  return compute.op(loc, OpKind::Udiv, type(container),
                    {left, exact(division->getRHS(), /*isSigned=*/false, loc)});
}

/// The cut value need not be made when its bits are still there.
mlir::Value ValueEmitter::zeroExtend(const SCEV *scev, mlir::Location loc) {
  const SCEV *inner = cast<SCEVCastExpr>(scev)->getOperand();
  Type *container = containerOf(scev);
  mlir::Type resultType = type(container);
  auto *cut = dyn_cast<SCEVTruncateExpr>(inner);
  if (!cut)
    return compute.resize(loc, exact(inner, /*isSigned=*/false, loc), resultType);
  APInt mask = APInt::getLowBitsSet(container->getIntegerBitWidth(),
                                    evolution.getTypeSizeInBits(inner->getType()));
  return compute.op(loc, OpKind::And, resultType,
                    {compute.resize(loc, expression(cut->getOperand(), loc), resultType),
                     constant(ConstantInt::get(container, mask))});
}

mlir::Value ValueEmitter::recurrence(const SCEV *scev, mlir::Location loc) {
  auto *moving = cast<SCEVAddRecExpr>(scev);
  mlir::Type resultType = type(containerOf(scev));
  const bool isTruth = resultType.isInteger(1);
  mlir::Value result = compute.resize(loc, indices.lookup(moving->getLoop()), resultType);
  const SCEV *step = moving->getStepRecurrence(evolution);
  if (!step->isOne())
    result = compute.op(loc, isTruth ? OpKind::And : OpKind::Mul, resultType,
                        {result, expression(step, loc)});
  if (!moving->getStart()->isZero())
    result = compute.op(loc, isTruth ? OpKind::Xor : OpKind::Add, resultType,
                        {result, expression(moving->getStart(), loc)});
  return result;
}

/// An expression over loop indices and values of the nest, as nodes.
mlir::Value ValueEmitter::expression(const SCEV *scev, mlir::Location loc) {
  Type *container = containerOf(scev);
  mlir::Type resultType = type(container);
  if (auto *literal = dyn_cast<SCEVConstant>(scev))
    return constant(
        ConstantInt::get(container, literal->getAPInt().zext(container->getIntegerBitWidth())));
  if (evolution.isLoopInvariant(scev, plan.shape.root().loop))
    return compute.resize(loc, arguments.of(evolution.getNoopOrZeroExtend(scev, container)),
                          resultType);
  if (knownParts)
    if (Value *known = knownParts->lookup(scev))
      return operand(known, loc);
  // A truth value is 0 or 1 in its lane: a sum of two has no other bits.
  const bool isTruth = container->isIntegerTy(1);
  switch (scev->getSCEVType()) {
  case scUnknown:
    return operand(cast<SCEVUnknown>(scev)->getValue(), loc);
  case scAddExpr:
    return fold(isTruth ? OpKind::Xor : OpKind::Add, scev, loc);
  case scMulExpr:
    return fold(isTruth ? OpKind::And : OpKind::Mul, scev, loc);
  case scSMaxExpr:
    return fold(OpKind::Smax, scev, loc);
  case scUMaxExpr:
    return fold(OpKind::Umax, scev, loc);
  case scSMinExpr:
    return fold(OpKind::Smin, scev, loc);
  case scUMinExpr:
  case scSequentialUMinExpr:
    return fold(OpKind::Umin, scev, loc);
  case scUDivExpr:
    return quotient(scev, loc);
  case scSignExtend:
    return compute.op(loc, OpKind::Sext, resultType,
                      exact(cast<SCEVCastExpr>(scev)->getOperand(), /*isSigned=*/true, loc));
  case scZeroExtend:
    return zeroExtend(scev, loc);
  case scTruncate:
  case scPtrToInt:
    return compute.resize(loc, expression(cast<SCEVCastExpr>(scev)->getOperand(), loc), resultType);
  case scAddRecExpr:
    return recurrence(scev, loc);
  default:
    llvm_unreachable("an expression without integers");
  }
}

} // namespace acis::import
