// Positions, and the operations that read and write there.
#include "passes/import/EmitAccess.h"

#include "passes/dfg/Marks.h"
#include "passes/import/InitialValues.h"
#include "passes/import/Parts.h"
#include "passes/llvm/Transforms.h"

#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis::import {

AccessEmitter::AccessEmitter(const NestPlan &plan, dfg::NestOp nest, ValueEmitter &values,
                             ScalarEvolution &evolution)
    : plan(plan), parts(partsOf(plan, evolution)), nest(nest), values(values),
      evolution(evolution) {}

dfg::Position AccessEmitter::positionOf(const PlannedAccess &planned) {
  dfg::Position result;
  for (const Position::Step &step : planned.position.steps) {
    const SCEV *units = divideExactly(step.bytes, planned.unit, evolution);
    dfg::Term term;
    term.a = values.indices.lookup(step.loop);
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
      term.b = values.arguments.of(units);
    }
    result.terms.push_back(term);
  }
  const Start start = startOf(planned, evolution);
  result.offset = start.offset;
  if (start.rest)
    result.terms.push_back({start.multiple, values.arguments.of(start.rest), {}});
  return result;
}

dfg::ArrayOp AccessEmitter::arrayOf(const Object &object) {
  auto handler = nest->getParentOfType<dfg::HandlerOp>();
  mlir::OpBuilder &builder = values.builder;
  mlir::OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&handler.getBody().front());
  for (auto known : handler.getOps<dfg::ArrayOp>()) {
    if (known.getSymName() == object.name)
      return known;
    builder.setInsertionPointAfter(known);
  }
  mlir::Type element = values.type(object.element);
  return dfg::ArrayOp::create(
      builder, nest.getLoc(), builder.getStringAttr(object.name), mlir::TypeAttr::get(element),
      builder.getDenseI64ArrayAttr(object.shape), object.perVpe ? builder.getUnitAttr() : nullptr,
      object.persistent ? builder.getUnitAttr() : nullptr, nullptr, nullptr,
      object.initial ? initialValues(*object.initial, element, object.shape) : nullptr);
}

AccessEmitter::Place AccessEmitter::placeOf(const PlannedAccess &planned) {
  const dfg::Position position = positionOf(planned);
  Place place;
  place.parts = dfg::splitPosition(position);
  place.offset = position.offset;
  return place;
}

/// What only elements of arrays have.
void AccessEmitter::addElement(const PlannedAccess &planned, Place &place, mlir::Location loc) {
  mlir::OpBuilder &builder = values.builder;
  place.index = values.index(planned, loc);
  if (place.index)
    place.indexScale = builder.getI64IntegerAttr(planned.position.scale / planned.unit);
  if (planned.vpeLoop)
    place.vpe = values.indices.lookup(planned.vpeLoop);
  if (planned.access->object->perVpe)
    place.vpeOffset = builder.getI64IntegerAttr(planned.vpe);
  place.array = arrayOf(*planned.access->object);
}

void AccessEmitter::markPart(const PlannedAccess &planned, mlir::Operation *access) {
  if (const unsigned part = parts[plan.numbers.lookup(planned.item->inst)])
    access->setAttr(dfg::PartAttr, values.builder.getI32IntegerAttr(int32_t(part)));
}

void AccessEmitter::readArray(const PlannedAccess &planned, Place &at, mlir::Location loc) {
  const Instruction &inst = *planned.item->inst;
  addElement(planned, at, loc);
  auto read = dfg::VrfReadOp::create(
      values.builder, loc, at.array.getElement(), at.array.getSymName(), at.vpe, at.vpeOffset,
      at.parts.terms, at.offset, at.parts.scales, at.parts.arity, at.index, at.indexScale,
      planned.item->predicate || inst.hasMetadata(GuardedMetadata), nullptr, nullptr, nullptr,
      nullptr, nullptr, nullptr, nullptr);
  markPart(planned, read);
  if (planned.indexBits)
    read.setBits(planned.indexBits);
  values[&inst] = values.compute.resize(loc, read.getResult(), values.type(inst.getType()));
}

/// A stream or the memory. dfg-fuse lets ports widen what they read.
template <typename OpT>
void AccessEmitter::read(const PlannedAccess &planned, const Place &at, mlir::Location loc) {
  const Instruction &inst = *planned.item->inst;
  values[&inst] = OpT::create(values.builder, loc, values.type(inst.getType()), at.parts.terms,
                              at.offset, at.parts.scales, at.parts.arity, /*isSigned=*/false,
                              /*splat=*/false, nullptr, nullptr, nullptr, nullptr)
                      .getResult();
}

void AccessEmitter::write(const PlannedAccess &planned, Place &at, mlir::Location loc) {
  mlir::OpBuilder &builder = values.builder;
  mlir::Value value = values.operand(planned.access->stored, loc);
  mlir::Value predicate = values.condition(planned.item->predicate, loc);
  const dfg::PositionParts &parts = at.parts;
  if (planned.kind() == ObjectKind::Array) {
    addElement(planned, at, loc);
    value = values.compute.resize(loc, value, at.array.getElement());
    auto written = dfg::VrfWriteOp::create(
        builder, loc, value, at.array.getSymName(), at.vpe, at.vpeOffset, parts.terms, at.offset,
        parts.scales, parts.arity, at.index, at.indexScale, predicate, /*interlock=*/false, nullptr,
        nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    markPart(planned, written);
    if (planned.indexBits)
      written.setBits(planned.indexBits);
  } else if (planned.kind() == ObjectKind::Out) {
    dfg::StreamWriteOp::create(builder, loc, value, parts.terms, at.offset, parts.scales,
                               parts.arity, planned.append ? predicate : mlir::Value(), nullptr,
                               planned.append, nullptr, nullptr, nullptr);
  } else {
    dfg::MemWriteOp::create(builder, loc, value, parts.terms, at.offset, parts.scales, parts.arity,
                            predicate, nullptr, nullptr, nullptr, nullptr);
  }
}

void AccessEmitter::emit(const PlannedAccess &planned) {
  mlir::Location loc = convertLocation(*planned.item->inst, nest.getContext());
  Place at = placeOf(planned);
  if (planned.access->isWrite())
    write(planned, at, loc);
  else if (planned.kind() == ObjectKind::Array)
    readArray(planned, at, loc);
  else if (planned.kind() == ObjectKind::In)
    read<dfg::StreamReadOp>(planned, at, loc);
  else
    read<dfg::MemReadOp>(planned, at, loc);
}

} // namespace acis::import
