// Walks the shape of a planned nest and writes the loops and nodes of the dialect.
#include "passes/import/EmitNest.h"

#include "passes/dfg/Marks.h"
#include "passes/dfg/NestPlaces.h"
#include "passes/import/EmitAccess.h"
#include "passes/import/Outline.h"
#include "passes/llvm/Diagnose.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using acis::dfg::OpKind;

namespace acis::import {
namespace {

class NestEmitter {
public:
  NestEmitter(const NestPlan &plan, dfg::NestOp nest, const FunctionAnalyses &analyses)
      : plan(plan), nest(nest), context(nest.getContext()), values(plan, nest, analyses),
        accesses(plan, nest, values, analyses.evolution), builder(values.builder),
        compute(values.compute) {}

  bool run(std::vector<NestResult> &results);
  ArrayRef<Value *> callArguments() const { return values.arguments.values(); }
  const Diagnostic &refusal() const { return *values.refusal(); }

private:
  dfg::LoopOp emitLoop(unsigned number);
  bool emitItem(const Item &item);
  bool emitAlias(const Item &item);
  void yield(unsigned number, mlir::Location loc);
  std::vector<const Carried *> carriedValues(unsigned number) const;
  bool leaves(const Carried &carried) const;

  /// A loop over VPEs keeps C's order of operations; it is unrolled, not accumulated.
  bool isReduction(const Carried &carried, unsigned number) const {
    return carried.kind == Carried::Kind::Reduction && !plan.overVpes[number] && !plan.isScalar();
  }
  mlir::Location location(const Instruction &inst) const { return convertLocation(inst, context); }

  const NestPlan &plan;
  dfg::NestOp nest;
  mlir::MLIRContext *context;
  ValueEmitter values;
  AccessEmitter accesses;
  mlir::OpBuilder &builder;
  ComputeEmitter &compute;
};

/// A value after an inner loop: what the loop carried.
bool NestEmitter::emitAlias(const Item &item) {
  // Results of the loop are known here, values inside of it are not.
  if (mlir::Value known = values.visible(item.ifTrue)) {
    values[item.inst] = known;
    return true;
  }
  auto *inner = dyn_cast<Instruction>(item.ifTrue);
  if (inner && plan.shape.root().loop->contains(inner)) {
    values.refuse(diagnose(*inner, Refusal(Why::InnerLastValueUsed)));
    return false;
  }
  values[item.inst] = values.operand(item.ifTrue, location(*item.inst));
  return true;
}

bool NestEmitter::emitItem(const Item &item) {
  if (item.kind == Item::Kind::Loop)
    return bool(emitLoop(item.loop));
  if (const PlannedAccess *access = plan.find(item.inst)) {
    if (access->access->isWrite() || plan.needed.contains(item.inst))
      accesses.emit(*access);
    return true;
  }
  if (!plan.needed.contains(item.inst) || values.isKnown(item.inst))
    return true;
  mlir::Location loc = location(*item.inst);
  if (item.kind == Item::Kind::Alias)
    return emitAlias(item);
  if (item.kind == Item::Kind::Merge) {
    mlir::Value flag = values.operand(item.condition, loc);
    mlir::Value ifTrue = values.operand(item.ifTrue, loc);
    mlir::Value ifFalse = values.operand(item.ifFalse, loc);
    values[item.inst] = compute.op(loc, OpKind::Select, ifTrue.getType(), {flag, ifTrue, ifFalse});
    return true;
  }
  values[item.inst] =
      compute.instruction(*item.inst, [&](Value *value) { return values.operand(value, loc); });
  return true;
}

std::vector<const Carried *> NestEmitter::carriedValues(unsigned number) const {
  std::vector<const Carried *> result;
  for (const Carried &carried : plan.carried[number])
    if (!carried.isCounter && plan.needed.contains(carried.phi))
      result.push_back(&carried);
  if (plan.isScalar())
    for (const Carried &last : plan.last[number])
      result.push_back(&last);
  return result;
}

void NestEmitter::yield(unsigned number, mlir::Location loc) {
  SmallVector<mlir::Value, 4> results;
  for (const Carried *carried : carriedValues(number)) {
    results.push_back(values.operand(carried->next, loc));
    auto *sum = dyn_cast<FPMathOperator>(carried->next);
    if (sum && sum->hasAllowReassoc() && isReduction(*carried, number))
      results.back().getDefiningOp<dfg::ComputeOp>().setReassoc(true);
  }
  dfg::YieldOp::create(builder, loc, results);
}

dfg::LoopOp NestEmitter::emitLoop(unsigned number) {
  const LoopShape &shape = plan.shape.loops[number];
  mlir::Location loc = convertLocation(*shape.loop, context);
  std::vector<const Carried *> carried = carriedValues(number);
  SmallVector<mlir::Value, 4> inits;
  for (const Carried *value : carried)
    inits.push_back(isReduction(*value, number)
                        ? values.constant(identityOf(value->op, value->phi->getType()))
                        : values.operand(value->init, loc));
  dfg::LoopOp loop = shape.constantTrip
                         ? dfg::LoopOp::create(builder, loc, int64_t(*shape.constantTrip), inits)
                         : dfg::LoopOp::create(builder, loc, values.arguments.tripOf(shape), inits);
  if (shape.mostTrip)
    loop.setMostTrip(*shape.mostTrip);
  if (plan.way == Way::Flattened && plan.row == number)
    loop->setAttr(dfg::FlattenAttr, builder.getUnitAttr());
  values.indices[shape.loop] = loop.getIndex();
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
  if (!loop || values.refusal())
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
  NestEmitter emitter(plan, nest, analyses);
  std::vector<NestResult> results;
  if (!emitter.run(results))
    return emitter.refusal();
  std::string callee = dfg::calleeOf(handler, name);
  replaceWithCall(plan, callee, emitter.callArguments(), results, analyses);
  return {};
}

} // namespace acis::import
