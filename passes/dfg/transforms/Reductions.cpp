// See Reductions.h.
#include "passes/dfg/transforms/Reductions.h"

#include "passes/dfg/transforms/DescribeNest.h"

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

static bool isDifference(OpKind op) { return op == OpKind::Sub || op == OpKind::Fsub; }
static OpKind sumOf(OpKind op) {
  return op == OpKind::Sub ? OpKind::Add : op == OpKind::Fsub ? OpKind::Fadd : op;
}
static OpKind differenceOf(OpKind op) { return op == OpKind::Add ? OpKind::Sub : OpKind::Fsub; }

/// The operation that takes the value, and the choice that leaves it out, if nothing else takes it.
static std::pair<ComputeOp, ComputeOp> usersOf(Value value) {
  std::pair<ComputeOp, ComputeOp> users;
  for (Operation *user : value.getUsers()) {
    auto op = dyn_cast<ComputeOp>(user);
    ComputeOp &known = op && op.getOp() == OpKind::Select ? users.second : users.first;
    if (!op || known || op->getBlock() != value.getParentBlock())
      return {};
    known = op;
  }
  return users;
}

/// One step to a single update of the value, which a loop carries: whether there was one.
static bool simplifyUpdate(Value value, OpOperand &end, bool mayNegate) {
  auto [op, choice] = usersOf(value);
  if (!op)
    return false;
  const OpKind kind = op.getOp(), sum = sumOf(kind);
  const TypedAttr neutral = identityOf(sum, op.getType());
  const unsigned side = op.getInputs()[0] == value ? 0 : 1;
  if (!neutral || (sum == OpKind::Fadd && !op.getReassoc()) || (isDifference(kind) && side != 0) ||
      !op->hasOneUse())
    return false;
  auto next = dyn_cast<ComputeOp>(*op->user_begin());
  Value term = op.getInputs()[1 - side];
  OpBuilder builder(next && next->getBlock() == op->getBlock() ? next : op);
  const Location loc = op.getLoc();
  const bool reassoc = op.getReassoc();
  auto make = [&](OpKind what, ValueRange inputs) -> Value {
    auto made = ComputeOp::create(builder, loc, neutral.getType(), what, inputs);
    made.setReassoc(reassoc);
    return made;
  };
  auto none = [&]() -> Value { return ConstOp::create(builder, loc, neutral); };
  // A difference is a sum with the negated operand, exactly.
  if (&*op->use_begin() == &end && isDifference(kind) && mayNegate) {
    term = sum == OpKind::Fadd ? make(OpKind::Fneg, term) : make(kind, {none(), term});
    op.setOp(sum);
    op.getInputsMutable().assign({value, term});
    return true;
  }
  if (!next || next->getBlock() != op->getBlock())
    return false;
  const unsigned at = op->use_begin()->getOperandNumber();
  if (next == choice) {
    // In floating point the neutral value is not as good as none.
    if (at == 0 || next.getInputs()[3 - at] != value || !mlir::isa<IntegerType>(op.getType()))
      return false;
    Value other = none();
    term =
        make(OpKind::Select, {next.getInputs()[0], at == 1 ? term : other, at == 1 ? other : term});
  } else {
    const bool subtracts = isDifference(next.getOp());
    if (sumOf(next.getOp()) != sum || next.getReassoc() != reassoc || (subtracts && at != 0))
      return false;
    const bool differ = subtracts != isDifference(kind);
    term = make(differ ? differenceOf(sum) : sum, {term, next.getInputs()[1 - at]});
  }
  next.setOp(kind);
  next.getInputsMutable().assign({value, term});
  op.erase();
  return true;
}

void acis::dfg::combineUpdates(LoopOp loop, bool mayNegate) {
  for (auto [value, end] :
       llvm::zip(loop.getCarried(), loop.getBlock()->getTerminator()->getOpOperands())) {
    llvm::DenseSet<Value> seen;
    while (dependsOn(end.get(), value, seen) && simplifyUpdate(value, end, mayNegate))
      seen.clear();
  }
}
