// Classification of carried values.
#include "passes/dfg/transforms/Carried.h"
#include "passes/dfg/Refuse.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

bool acis::dfg::isAssociative(OpKind op) {
  switch (op) {
  case OpKind::Add:
  case OpKind::Mul:
  case OpKind::And:
  case OpKind::Or:
  case OpKind::Xor:
  case OpKind::Smin:
  case OpKind::Smax:
  case OpKind::Umin:
  case OpKind::Umax:
    return true;
  default:
    return false;
  }
}

TypedAttr acis::dfg::identityOf(OpKind op, Type type) {
  Builder builder(type.getContext());
  if (op == OpKind::Fadd)
    return builder.getFloatAttr(type, 0.0);
  if (!isAssociative(op) || !mlir::isa<IntegerType>(type))
    return {};
  unsigned bits = bitsOf(type);
  APInt value(bits, 0);
  if (op == OpKind::Mul)
    value = APInt(bits, 1);
  else if (op == OpKind::And || op == OpKind::Umin)
    value = APInt::getAllOnes(bits);
  else if (op == OpKind::Smin)
    value = APInt::getSignedMaxValue(bits);
  else if (op == OpKind::Smax)
    value = APInt::getSignedMinValue(bits);
  return builder.getIntegerAttr(type, value);
}

namespace {

InFlightDiagnostic sourceOrder(Location loc, StringRef name) {
  return refuse(loc, Refusal(Why::SumInSourceOrder, name));
}

// The carried value one loop further in, if the loop only passes it on.
LoopOp passedOn(LoopOp loop, unsigned number, unsigned &innerNumber) {
  Value argument = loop.getCarried()[number];
  if (!argument.hasOneUse())
    return {};
  OpOperand &use = *argument.use_begin();
  auto inner = dyn_cast<LoopOp>(use.getOwner());
  if (!inner)
    return {};
  innerNumber = use.getOperandNumber() - inner.getInits().getBeginOperandIndex();
  return inner;
}

bool isFloatSum(ComputeOp op) {
  return op.getOp() == OpKind::Fadd || op.getOp() == OpKind::Fsub || op.getOp() == OpKind::Fmul;
}

// Whether `value` is computed from `argument` within the block of `argument`.
bool dependsOn(Value value, Value argument, llvm::DenseSet<Operation *> &seen) {
  if (value == argument)
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || !seen.insert(op).second)
    return false;
  bool found = llvm::any_of(op->getOperands(),
                            [&](Value operand) { return dependsOn(operand, argument, seen); });
  if (auto loop = dyn_cast<LoopOp>(op))
    loop.walk(
        [&](Operation *inside) { found |= llvm::is_contained(inside->getOperands(), argument); });
  return found;
}

FailureOr<Carried> classifyUpdate(LoopOp loop, unsigned number, StringRef name) {
  Value argument = loop.getCarried()[number];
  Value next = loop.getBlock()->getTerminator()->getOperand(number);
  auto update = next.getDefiningOp<ComputeOp>();
  bool only = update && argument.hasOneUse() && *argument.user_begin() == update;
  if (only && update->hasOneUse()) {
    bool isSum = update.getOp() == OpKind::Fadd && update.getReassoc();
    if (isSum || isAssociative(update.getOp())) {
      unsigned self = update.getInputs()[0] == argument ? 0 : 1;
      return Carried{Carried::Reduction, update, update.getInputs()[1 - self]};
    }
    if (isFloatSum(update))
      return sourceOrder(update.getLoc(), name);
  }
  llvm::DenseSet<Operation *> seen;
  if (dependsOn(next, argument, seen)) {
    if (update && isFloatSum(update) && llvm::is_contained(update.getInputs(), argument))
      return sourceOrder(update.getLoc(), name);
    return refuse(next.getLoc(), Refusal(Why::DependsOnItself, name));
  }
  return Carried{Carried::Previous, {}, {}};
}

} // namespace

FailureOr<Carried> acis::dfg::classify(LoopOp loop, unsigned number) {
  StringRef name = nameOf(loop.getCarried()[number].getLoc(), "s");
  LoopOp outermost = loop;
  unsigned at = number, inner = 0;
  while (LoopOp next = passedOn(loop, at, inner)) {
    Value yielded = loop.getBlock()->getTerminator()->getOperand(at);
    if (yielded != next.getResult(inner) || !next.getResult(inner).hasOneUse())
      return refuse(next.getLoc(), Refusal(Why::UsedBetweenRuns, name));
    loop = next;
    at = inner;
  }
  FailureOr<Carried> carried = classifyUpdate(loop, at, name);
  if (failed(carried) || carried->kind == Carried::Reduction)
    return carried;
  if (!outermost.getResult(number).use_empty())
    return refuse(outermost.getLoc(), Refusal(Why::LastUsedAfter, name));
  return carried;
}
