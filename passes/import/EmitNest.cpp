// Walks the shape of a planned nest and writes the loops and nodes of the dialect.
#include "passes/import/EmitNest.h"

#include "passes/dfg/Marks.h"
#include "passes/import/EmitCompute.h"
#include "passes/import/InitialValues.h"
#include "passes/import/NestArguments.h"
#include "passes/import/Outline.h"
#include "passes/import/Widening.h"
#include "passes/llvm/Diagnose.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using acis::dfg::OpKind;

namespace acis::import {
namespace {

/// On a load that if-conversion does always, though its value is only used under a
/// condition (passes/llvm/Transforms.h).
constexpr const char *GuardedMetadata = "acis.guarded";
constexpr uint64_t MaxFactor = 1u << 30; ///< of a start position, in elements

class NestEmitter {
public:
  NestEmitter(const NestPlan &plan, dfg::HandlerOp handler, dfg::NestOp nest,
              const FunctionAnalyses &analyses, Diagnostic &why)
      : plan(plan), handler(handler), nest(nest), evolution(analyses.evolution), why(why),
        context(nest.getContext()), builder(context), compute(builder),
        arguments(nest.getBody().front(), nest.getLoc(), *plan.shape.root().loop, analyses),
        popsWiden(arePopsAlike(plan)) {}

  bool run(std::vector<NestResult> &results);
  ArrayRef<Value *> callArguments() const { return arguments.values(); }

private:
  dfg::LoopOp emitLoop(unsigned number);
  bool emitItem(const Item &item);
  void emitRead(const PlannedAccess &planned, const Item &item);
  void emitWrite(const PlannedAccess &planned, const Item &item);
  bool emitAlias(const Item &item);
  void yield(unsigned number, mlir::Location loc);
  std::vector<const Carried *> carriedValues(unsigned number) const;
  bool leaves(const Carried &carried) const;

  mlir::Value operand(Value *value, mlir::Location loc);
  mlir::Value constant(Constant *value);
  mlir::Value condition(const Predicate *predicate, mlir::Location loc);
  Type *containerOf(const SCEV *scev) const;
  mlir::Value extend(mlir::Value value, const SCEV *scev, bool isSigned, mlir::Location loc);
  mlir::Value expression(const SCEV *scev, mlir::Location loc);
  mlir::Value reduceTerm(const Carried &carried, mlir::Location loc);
  dfg::Position position(const PlannedAccess &planned);
  mlir::Value index(const PlannedAccess &planned, mlir::Location loc);
  mlir::IntegerAttr indexScale(const PlannedAccess &planned);
  mlir::IntegerAttr vpeOffset(const PlannedAccess &planned);
  /// A loop over VPEs keeps C's order of operations; it is unrolled, not accumulated.
  bool isReduction(const Carried &carried, unsigned number) const {
    return carried.kind == Carried::Kind::Reduction && !plan.overVpes[number] && !plan.isScalar();
  }
  dfg::ArrayOp array(const Object &object);
  mlir::Type type(const Type *llvmType) const { return convertType(llvmType, context); }
  mlir::Location location(const Instruction &inst) const { return convertLocation(inst, context); }

  const NestPlan &plan;
  dfg::HandlerOp handler;
  dfg::NestOp nest;
  ScalarEvolution &evolution;
  Diagnostic &why;
  mlir::MLIRContext *context;
  mlir::OpBuilder builder;
  ComputeEmitter compute;
  NestArguments arguments;
  const bool popsWiden; ///< elements of the input stream are widened by its port
  DenseMap<const Value *, mlir::Value> values;
  DenseMap<const Loop *, mlir::Value> indices;
  DenseMap<Constant *, mlir::Value> constants;
  const SmallDenseMap<const SCEV *, Value *, 4> *knownParts = nullptr; ///< of the index
  bool failed = false;
  DenseSet<const Value *> reductionValues; ///< computed by the reduction itself
};

mlir::Value NestEmitter::constant(Constant *value) {
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

mlir::Value NestEmitter::operand(Value *value, mlir::Location loc) {
  if (auto *literal = dyn_cast<Constant>(value))
    return constant(literal);
  auto *inst = dyn_cast<Instruction>(value);
  if (mlir::Value known = values.lookup(value)) {
    if (!inst || known.getParentRegion()->isAncestor(builder.getInsertionBlock()->getParent()))
      return known;
    why = diagnose(*inst, Refusal(Why::InnerValueInIndex));
    failed = true;
    return constant(Constant::getNullValue(value->getType()));
  }
  if (!inst || !plan.shape.root().loop->contains(inst))
    return compute.resize(loc, arguments.of(value), type(value->getType()));
  // An index may be computed from what was read itself.
  if (CastInst *widening = wideningOf(*inst); widening && values.contains(widening))
    return compute.resize(loc, values.lookup(widening), type(value->getType()));
  const Carried *carried = plan.findCarried(value);
  if (!carried || carried->kind != Carried::Kind::Induction) {
    why = diagnose(*inst, Refusal(Why::ValueUnknown));
    failed = true;
    return constant(Constant::getNullValue(value->getType()));
  }
  return expression(evolution.getSCEV(value), loc);
}

mlir::Value NestEmitter::condition(const Predicate *predicate, mlir::Location loc) {
  mlir::Value all;
  for (; predicate; predicate = predicate->outer) {
    mlir::Value flag = operand(predicate->condition, loc);
    if (!predicate->value)
      flag = compute.invert(loc, flag);
    all = all ? compute.op(loc, OpKind::And, flag.getType(), {flag, all}) : flag;
  }
  return all;
}

/// The type that holds the value: 8, 16, 32 or 64 bits, and flags. A wider one than the
/// expression's own has any bits above it.
Type *NestEmitter::containerOf(const SCEV *scev) const {
  uint64_t bits = evolution.getTypeSizeInBits(scev->getType());
  if (!scev->getType()->isIntegerTy() || bits == 1)
    return scev->getType();
  return IntegerType::get(scev->getType()->getContext(), std::max<uint64_t>(8, PowerOf2Ceil(bits)));
}

/// A value of an odd width with the bits above it.
mlir::Value NestEmitter::extend(mlir::Value value, const SCEV *scev, bool isSigned,
                                mlir::Location loc) {
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

/// An expression over loop indices and values of the nest, as nodes.
mlir::Value NestEmitter::expression(const SCEV *scev, mlir::Location loc) {
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
  const OpKind sum = isTruth ? OpKind::Xor : OpKind::Add;
  const OpKind product = isTruth ? OpKind::And : OpKind::Mul;
  // The bits above an odd width matter to these.
  auto exact = [&](const SCEV *part, bool isSigned) {
    mlir::Value value = expression(part, loc);
    return containerOf(part) == part->getType() ? value : extend(value, part, isSigned, loc);
  };
  auto fold = [&](OpKind kind, auto operands) {
    mlir::Value result;
    bool isSigned = kind == OpKind::Smin || kind == OpKind::Smax;
    bool anyBits = kind == sum || kind == product;
    for (const SCEV *part : operands) {
      mlir::Value value = anyBits ? expression(part, loc) : exact(part, isSigned);
      result = result ? compute.op(loc, kind, resultType, {result, value}) : value;
    }
    return result;
  };
  switch (scev->getSCEVType()) {
  case scUnknown:
    return operand(cast<SCEVUnknown>(scev)->getValue(), loc);
  case scAddExpr:
    return fold(sum, cast<SCEVAddExpr>(scev)->operands());
  case scMulExpr:
    return fold(product, cast<SCEVMulExpr>(scev)->operands());
  case scSMaxExpr:
    return fold(OpKind::Smax, cast<SCEVNAryExpr>(scev)->operands());
  case scUMaxExpr:
    return fold(OpKind::Umax, cast<SCEVNAryExpr>(scev)->operands());
  case scSMinExpr:
    return fold(OpKind::Smin, cast<SCEVNAryExpr>(scev)->operands());
  case scUMinExpr:
  case scSequentialUMinExpr:
    return fold(OpKind::Umin, cast<SCEVNAryExpr>(scev)->operands());
  case scUDivExpr: {
    auto *division = cast<SCEVUDivExpr>(scev);
    mlir::Value left = exact(division->getLHS(), /*isSigned=*/false);
    auto *divisor = dyn_cast<SCEVConstant>(division->getRHS());
    if (divisor && divisor->getAPInt().isPowerOf2())
      return compute.op(
          loc, OpKind::Lshr, resultType,
          {left, constant(ConstantInt::get(container, divisor->getAPInt().logBase2()))});
    return compute.op(loc, OpKind::Udiv, resultType,
                      {left, exact(division->getRHS(), /*isSigned=*/false)});
  }
  case scSignExtend:
    return compute.op(loc, OpKind::Sext, resultType,
                      exact(cast<SCEVCastExpr>(scev)->getOperand(), /*isSigned=*/true));
  case scZeroExtend: {
    // The cut value need not be made when its bits are still there.
    const SCEV *inner = cast<SCEVCastExpr>(scev)->getOperand();
    auto *cut = dyn_cast<SCEVTruncateExpr>(inner);
    if (!cut)
      return compute.resize(loc, exact(inner, /*isSigned=*/false), resultType);
    APInt mask = APInt::getLowBitsSet(container->getIntegerBitWidth(),
                                      evolution.getTypeSizeInBits(inner->getType()));
    return compute.op(loc, OpKind::And, resultType,
                      {compute.resize(loc, expression(cut->getOperand(), loc), resultType),
                       constant(ConstantInt::get(container, mask))});
  }
  case scTruncate:
  case scPtrToInt:
    return compute.resize(loc, expression(cast<SCEVCastExpr>(scev)->getOperand(), loc), resultType);
  case scAddRecExpr: {
    auto *recurrence = cast<SCEVAddRecExpr>(scev);
    mlir::Value result = compute.resize(loc, indices.lookup(recurrence->getLoop()), resultType);
    const SCEV *step = recurrence->getStepRecurrence(evolution);
    if (!step->isOne())
      result = compute.op(loc, product, resultType, {result, expression(step, loc)});
    if (!recurrence->getStart()->isZero())
      result = compute.op(loc, sum, resultType, {result, expression(recurrence->getStart(), loc)});
    return result;
  }
  default:
    llvm_unreachable("an expression without integers");
  }
}

dfg::Position NestEmitter::position(const PlannedAccess &planned) {
  dfg::Position result;
  SmallVector<const SCEV *, 4> rest;
  auto split = [&](const SCEV *part) {
    if (auto *literal = dyn_cast<SCEVConstant>(part))
      result.offset += literal->getAPInt().getSExtValue();
    else
      rest.push_back(part);
  };
  const SCEV *start = divideExactly(planned.position.start, planned.unit, evolution);
  if (auto *add = dyn_cast<SCEVAddExpr>(start))
    for (const SCEV *part : add->operands())
      split(part);
  else
    split(start);
  for (const Position::Step &step : planned.position.steps) {
    const SCEV *units = divideExactly(step.bytes, planned.unit, evolution);
    dfg::Term term;
    term.a = indices.lookup(step.loop);
    if (auto *literal = dyn_cast<SCEVConstant>(units)) {
      term.scale = literal->getAPInt().getSExtValue();
    } else {
      auto *product = dyn_cast<SCEVMulExpr>(units);
      auto *factor = product ? dyn_cast<SCEVConstant>(product->getOperand(0)) : nullptr;
      if (factor) {
        term.scale = factor->getAPInt().getSExtValue();
        SmallVector<const SCEV *, 4> others(drop_begin(product->operands()));
        units = evolution.getMulExpr(others);
      }
      term.b = arguments.of(units);
    }
    result.terms.push_back(term);
  }
  if (rest.empty())
    return result;
  // Whole beats of an array have to be seen as such: x[k * 16] starts at 16 * %k.
  const SCEV *sum = evolution.getAddExpr(rest);
  int64_t factor = 1;
  if (planned.access->object->kind == ObjectKind::Array)
    factor = int64_t(evolution.getConstantMultiple(sum).getLimitedValue(MaxFactor));
  const SCEV *quotient = factor > 1 ? divideExactly(sum, factor, evolution) : nullptr;
  if (quotient)
    result.terms.push_back({factor, arguments.of(quotient), {}});
  else
    result.terms.push_back({1, arguments.of(sum), {}});
  return result;
}

mlir::Value NestEmitter::index(const PlannedAccess &planned, mlir::Location loc) {
  if (!planned.position.index)
    return {};
  knownParts = &planned.known;
  mlir::Value result = expression(planned.position.index, loc);
  knownParts = nullptr;
  return result;
}

mlir::IntegerAttr NestEmitter::indexScale(const PlannedAccess &planned) {
  if (!planned.position.index)
    return {};
  return builder.getI64IntegerAttr(planned.position.scale / planned.unit);
}

mlir::IntegerAttr NestEmitter::vpeOffset(const PlannedAccess &planned) {
  if (!planned.access->object->perVpe)
    return {};
  return builder.getI64IntegerAttr(planned.vpe);
}

dfg::ArrayOp NestEmitter::array(const Object &object) {
  for (auto known : handler.getOps<dfg::ArrayOp>())
    if (known.getSymName() == object.name)
      return known;
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&handler.getBody().front());
  for (mlir::Operation &op : handler.getBody().front())
    if (mlir::isa<dfg::ArrayOp>(op))
      builder.setInsertionPointAfter(&op);
  auto result = dfg::ArrayOp::create(
      builder, nest.getLoc(), builder.getStringAttr(object.name),
      mlir::TypeAttr::get(type(object.element)), builder.getDenseI64ArrayAttr(object.shape),
      object.perVpe ? builder.getUnitAttr() : nullptr,
      object.persistent ? builder.getUnitAttr() : nullptr, nullptr, nullptr,
      object.initial ? initialValues(*object.initial, type(object.element), object.shape)
                     : nullptr);
  return result;
}

void NestEmitter::emitRead(const PlannedAccess &planned, const Item &item) {
  mlir::Location loc = location(*item.inst);
  dfg::Position where = position(planned);
  dfg::PositionParts parts = dfg::splitPosition(where);
  mlir::Type resultType = type(item.inst->getType());
  const Object &object = *planned.access->object;
  if (object.kind == ObjectKind::Array) {
    mlir::Value element = index(planned, loc);
    mlir::Value vpe = planned.vpeLoop ? indices.lookup(planned.vpeLoop) : mlir::Value();
    dfg::ArrayOp from = array(object);
    auto read = dfg::VrfReadOp::create(
        builder, loc, from.getElement(), from.getSymName(), vpe, vpeOffset(planned), parts.terms,
        where.offset, parts.scales, parts.arity, element, indexScale(planned),
        item.predicate || item.inst->hasMetadata(GuardedMetadata), nullptr, nullptr, nullptr,
        nullptr, nullptr, nullptr, nullptr);
    values[item.inst] = compute.resize(loc, read.getResult(), resultType);
    return;
  }
  CastInst *widening =
      object.kind != ObjectKind::In || popsWiden ? wideningOf(*item.inst) : nullptr;
  mlir::TypeAttr narrow = widening ? mlir::TypeAttr::get(resultType) : mlir::TypeAttr();
  if (widening)
    resultType = type(widening->getType());
  bool isSigned = widening && llvm::isa<SExtInst>(widening);
  mlir::Value result;
  if (object.kind == ObjectKind::In)
    result = dfg::StreamReadOp::create(builder, loc, resultType, parts.terms, where.offset,
                                       parts.scales, parts.arity, isSigned, /*splat=*/false, narrow,
                                       nullptr, nullptr, nullptr)
                 .getResult();
  else
    result = dfg::MemReadOp::create(builder, loc, resultType, parts.terms, where.offset,
                                    parts.scales, parts.arity, isSigned, /*splat=*/false, narrow,
                                    nullptr, nullptr, nullptr)
                 .getResult();
  values[widening ? static_cast<Instruction *>(widening) : item.inst] = result;
}

void NestEmitter::emitWrite(const PlannedAccess &planned, const Item &item) {
  mlir::Location loc = location(*item.inst);
  dfg::Position where = position(planned);
  dfg::PositionParts parts = dfg::splitPosition(where);
  mlir::Value value = operand(planned.access->stored, loc);
  mlir::Value predicate = condition(item.predicate, loc);
  const Object &object = *planned.access->object;
  if (object.kind == ObjectKind::Array) {
    mlir::Value element = index(planned, loc);
    mlir::Value vpe = planned.vpeLoop ? indices.lookup(planned.vpeLoop) : mlir::Value();
    dfg::ArrayOp to = array(object);
    value = compute.resize(loc, value, to.getElement());
    dfg::VrfWriteOp::create(builder, loc, value, to.getSymName(), vpe, vpeOffset(planned),
                            parts.terms, where.offset, parts.scales, parts.arity, element,
                            indexScale(planned), predicate, /*interlock=*/false, nullptr, nullptr,
                            nullptr, nullptr, nullptr, nullptr, nullptr);
  } else if (object.kind == ObjectKind::Out) {
    dfg::StreamWriteOp::create(builder, loc, value, parts.terms, where.offset, parts.scales,
                               parts.arity, planned.append ? predicate : mlir::Value(), nullptr,
                               planned.append, nullptr, nullptr, nullptr);
  } else {
    dfg::MemWriteOp::create(builder, loc, value, parts.terms, where.offset, parts.scales,
                            parts.arity, predicate, nullptr, nullptr, nullptr, nullptr);
  }
}

/// A value after an inner loop: what the loop carried.
bool NestEmitter::emitAlias(const Item &item) {
  // Results of the loop are known here, values inside of it are not.
  mlir::Value known = values.lookup(item.ifTrue);
  if (known && known.getParentRegion()->isAncestor(builder.getInsertionBlock()->getParent())) {
    values[item.inst] = known;
    return true;
  }
  auto *inner = dyn_cast<Instruction>(item.ifTrue);
  if (!inner || !plan.shape.root().loop->contains(inner)) {
    values[item.inst] = operand(item.ifTrue, location(*item.inst));
    return true;
  }
  why = diagnose(*inner, Refusal(Why::InnerLastValueUsed));
  return false;
}

bool NestEmitter::emitItem(const Item &item) {
  if (item.kind == Item::Kind::Loop)
    return bool(emitLoop(item.loop));
  auto access = plan.accesses.find(item.inst);
  if (item.kind == Item::Kind::Inst && access != plan.accesses.end()) {
    if (access->second.access->isWrite())
      emitWrite(access->second, item);
    else if (plan.needed.contains(item.inst))
      emitRead(access->second, item);
    return true;
  }
  if (!plan.needed.contains(item.inst) || values.contains(item.inst) ||
      reductionValues.contains(item.inst))
    return true;
  mlir::Location loc = location(*item.inst);
  if (item.kind == Item::Kind::Alias)
    return emitAlias(item);
  if (item.kind == Item::Kind::Merge) {
    mlir::Value flag = operand(item.condition, loc);
    mlir::Value ifTrue = operand(item.ifTrue, loc), ifFalse = operand(item.ifFalse, loc);
    values[item.inst] = compute.op(loc, OpKind::Select, ifTrue.getType(), {flag, ifTrue, ifFalse});
    return true;
  }
  values[item.inst] =
      compute.instruction(*item.inst, [&](Value *value) { return operand(value, loc); });
  return true;
}

std::vector<const Carried *> NestEmitter::carriedValues(unsigned number) const {
  std::vector<const Carried *> result;
  for (const Carried &carried : plan.carried[number])
    if (carried.kind != Carried::Kind::Induction && plan.needed.contains(carried.phi))
      result.push_back(&carried);
  if (plan.isScalar())
    for (const Carried &last : plan.last[number])
      result.push_back(&last);
  return result;
}

/// One value per iteration for the reduction: its terms together, the neutral value where
/// a condition leaves one out.
mlir::Value NestEmitter::reduceTerm(const Carried &carried, mlir::Location loc) {
  mlir::Type resultType = type(carried.phi->getType());
  mlir::Value all;
  for (const Carried::Term &term : reverse(carried.terms)) {
    mlir::Value value = operand(term.value, loc);
    if (term.negated && carried.phi->getType()->isFloatingPointTy())
      value = compute.op(loc, OpKind::Fneg, resultType, value);
    else if (term.negated)
      value = compute.op(loc, OpKind::Sub, resultType,
                         {constant(Constant::getNullValue(carried.phi->getType())), value});
    if (term.condition) {
      mlir::Value neutral = constant(identityOf(carried.op, carried.phi->getType()));
      mlir::Value flag = operand(term.condition, loc);
      value = compute.op(
          loc, OpKind::Select, resultType,
          {flag, term.conditionValue ? value : neutral, term.conditionValue ? neutral : value});
    }
    all = all ? compute.op(loc, OpKind(unsigned(carried.op)), resultType, {all, value}) : value;
  }
  return all;
}

void NestEmitter::yield(unsigned number, mlir::Location loc) {
  SmallVector<mlir::Value, 4> results;
  for (const Carried *carried : carriedValues(number)) {
    if (!isReduction(*carried, number)) {
      results.push_back(operand(carried->next, loc));
      continue;
    }
    auto *next = cast<Instruction>(carried->next);
    mlir::Location at = location(*next);
    mlir::Value term = reduceTerm(*carried, at);
    auto node = dfg::ComputeOp::create(builder, at, term.getType(), OpKind(unsigned(carried->op)),
                                       mlir::ValueRange{values.lookup(carried->phi), term});
    if (llvm::isa<FPMathOperator>(next) && next->hasAllowReassoc())
      node.setReassoc(true);
    results.push_back(node.getResult());
  }
  dfg::YieldOp::create(builder, loc, results);
}

dfg::LoopOp NestEmitter::emitLoop(unsigned number) {
  const LoopShape &shape = plan.shape.loops[number];
  mlir::Location loc = convertLocation(*shape.loop, context);
  std::vector<const Carried *> carried = carriedValues(number);
  SmallVector<mlir::Value, 4> inits;
  for (const Carried *value : carried) {
    if (isReduction(*value, number)) {
      inits.push_back(constant(identityOf(value->op, value->phi->getType())));
      for (const Value *part : value->chain)
        reductionValues.insert(part);
    } else {
      inits.push_back(operand(value->init, loc));
    }
  }
  dfg::LoopOp loop = shape.constantTrip
                         ? dfg::LoopOp::create(builder, loc, int64_t(*shape.constantTrip), inits)
                         : dfg::LoopOp::create(builder, loc, arguments.tripOf(shape), inits);
  if (shape.mostTrip)
    loop.setMostTrip(*shape.mostTrip);
  if (plan.way == Way::Flattened && plan.row == number)
    loop->setAttr(dfg::FlattenAttr, builder.getUnitAttr());
  indices[shape.loop] = loop.getIndex();
  if (PHINode *counter = shape.loop->getCanonicalInductionVariable())
    loop.getIndex().setLoc(namedLocation(*counter, context));
  for (auto [value, argument] : zip(carried, loop.getCarried())) {
    if (!value->phi)
      continue;
    values[value->phi] = argument;
    argument.setLoc(namedLocation(*value->phi, context));
  }
  {
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBlock());
    for (const Item &item : shape.body)
      if (!emitItem(item))
        return {};
    yield(number, loc);
  }
  // Outside of the loop, the next value is the one after the last iteration.
  for (auto [value, result] : zip(carried, loop.getResults()))
    if (auto *next = dyn_cast<Instruction>(value->next); next && shape.loop->contains(next))
      values[next] = result;
  return loop;
}

/// Whether the code after a scalar nest uses the carried value.
bool NestEmitter::leaves(const Carried &carried) const {
  Loop *root = plan.shape.root().loop;
  return plan.isScalar() && any_of(root->getUniqueExitBlock()->phis(), [&](PHINode &phi) {
           return phi.getIncomingValueForBlock(root->getLoopLatch()) == carried.next;
         });
}

bool NestEmitter::run(std::vector<NestResult> &results) {
  mlir::Block &entry = nest.getBody().front();
  builder.setInsertionPointToEnd(&entry);
  dfg::LoopOp loop = emitLoop(0);
  if (!loop || failed)
    return false;
  SmallVector<mlir::Value, 4> returned;
  std::vector<const Carried *> carried = carriedValues(0);
  for (auto [value, result] : zip(carried, loop.getResults()))
    if (value->kind == Carried::Kind::Reduction || plan.overVpes[0] || leaves(*value)) {
      returned.push_back(result);
      results.push_back({value, isReduction(*value, 0)});
    }
  dfg::ReturnOp::create(builder, nest.getLoc(), returned);
  nest.setFunctionType(mlir::FunctionType::get(context, entry.getArgumentTypes(),
                                               mlir::ValueRange(returned).getTypes()));
  return true;
}

} // namespace

Verdict emitNest(const NestPlan &plan, StringRef name, dfg::HandlerOp handler,
                 const FunctionAnalyses &analyses) {
  mlir::MLIRContext *context = handler.getContext();
  mlir::OpBuilder builder(context);
  builder.setInsertionPointToEnd(&handler.getBody().front());
  mlir::Location loc = convertLocation(*plan.shape.root().loop, context);
  auto nest = dfg::NestOp::create(builder, loc, name, builder.getFunctionType({}, {}));
  if (plan.isScalar())
    nest->setAttr("scalar", builder.getStringAttr(textOf(plan.whyNotLanes)));
  Diagnostic why;
  NestEmitter emitter(plan, handler, nest, analyses, why);
  std::vector<NestResult> results;
  if (!emitter.run(results))
    return why;
  std::string callee = ("acis.nest." + handler.getSymName() + "." + name).str();
  replaceWithCall(plan, callee, emitter.callArguments(), results, analyses);
  return {};
}

} // namespace acis::import
