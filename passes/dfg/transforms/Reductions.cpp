// See Reductions.h.
#include "passes/dfg/transforms/Reductions.h"

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
