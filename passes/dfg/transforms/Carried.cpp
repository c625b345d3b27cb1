// Classification of carried values.
#include "passes/dfg/transforms/Carried.h"
#include "passes/dfg/Refuse.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

std::optional<llvm::APInt> acis::dfg::neutralBits(OpKind op, unsigned bits,
                                                  const llvm::fltSemantics *format) {
  switch (op) {
  case OpKind::Add:
  case OpKind::Or:
  case OpKind::Xor:
  case OpKind::Umax:
  case OpKind::Fadd:
    return APInt(bits, 0);
  case OpKind::Mul:
    return APInt(bits, 1);
  case OpKind::And:
  case OpKind::Umin:
    return APInt::getAllOnes(bits);
  case OpKind::Smin:
    return APInt::getSignedMaxValue(bits);
  case OpKind::Smax:
    return APInt::getSignedMinValue(bits);
  case OpKind::Fmin:
  case OpKind::Fmax:
    return APFloat::getInf(*format, /*Negative=*/op == OpKind::Fmax).bitcastToAPInt();
  default:
    return std::nullopt;
  }
}

bool acis::dfg::isAssociative(OpKind op) {
  return op != OpKind::Fadd && neutralBits(op, 64, &APFloat::IEEEdouble());
}

TypedAttr acis::dfg::identityOf(OpKind op, Type type) {
  Builder builder(type.getContext());
  auto number = dyn_cast<FloatType>(type);
  const llvm::fltSemantics *format = number ? &number.getFloatSemantics() : nullptr;
  std::optional<APInt> bits =
      number || mlir::isa<IntegerType>(type) ? neutralBits(op, bitsOf(type), format) : std::nullopt;
  if (!bits)
    return {};
  if (number)
    return builder.getFloatAttr(type, APFloat(*format, *bits));
  return builder.getIntegerAttr(type, *bits);
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

/// The operation that takes `value`, if it is all that does.
static ComputeOp onlyUser(Value value) {
  return value.hasOneUse() ? dyn_cast<ComputeOp>(*value.user_begin()) : ComputeOp();
}

/// Its other operand.
static Value otherInput(ComputeOp op, Value input) {
  return op.getInputs()[op.getInputs()[0] == input ? 1 : 0];
}

void acis::dfg::combineUpdates(LoopOp loop) {
  for (auto [argument, next] :
       llvm::zip(loop.getCarried(), loop.getBlock()->getTerminator()->getOperands())) {
    auto last = next.getDefiningOp<ComputeOp>();
    if (!last || !identityOf(last.getOp(), last.getType()) ||
        (last.getOp() == OpKind::Fadd && !last.getReassoc()))
      continue;
    auto updates = [&](ComputeOp op) {
      return op && op.getOp() == last.getOp() && op.getReassoc() == last.getReassoc();
    };
    for (;;) {
      ComputeOp first = onlyUser(argument);
      ComputeOp second = first && first != last ? onlyUser(first.getResult()) : ComputeOp();
      if (!updates(first) || !updates(second))
        break;
      // Both operands come before `second`.
      OpBuilder builder(second);
      auto sum = ComputeOp::create(
          builder, first.getLoc(), first.getType(), first.getOp(),
          ValueRange{otherInput(first, argument), otherInput(second, first.getResult())});
      sum.setReassoc(first.getReassoc());
      second.getInputsMutable().assign({argument, sum.getResult()});
      first.erase();
    }
  }
}

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
