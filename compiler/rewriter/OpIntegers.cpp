// Expressions of an op that is walked: their ranges.
#include "compiler/rewriter/OpWalk.h"

using namespace clang;

namespace acis::rewriter {

RangeFlow::Range OpWalk::fit(const Range &range, QualType type) {
  if (range == Unknown || !type->isIntegerType())
    return Unknown;
  if (type->isBooleanType())
    return "acis_range(0, 1)";
  uint64_t bits = context.getTypeSize(type);
  bool isSigned = type->isSignedIntegerOrEnumerationType();
  if (bits >= 64)
    return isSigned ? range : "acis_fit(" + range + ", 0, LLONG_MAX)";
  int64_t most = (int64_t(1) << (isSigned ? bits - 1 : bits)) - 1;
  return "acis_fit(" + range + ", " + (isSigned ? std::to_string(-most) + "LL - 1" : "0") + ", " +
         std::to_string(most) + "LL)";
}

RangeFlow::Range OpWalk::eval(const Expr *expr) {
  if (refusal)
    return Unknown;
  expr = expr->IgnoreParens();
  Expr::EvalResult value;
  if (expr->getType()->isIntegerType() && !expr->isValueDependent() &&
      expr->EvaluateAsInt(value, context) && value.Val.getInt().isRepresentableByInt64())
    return "acis_at(" + std::to_string(value.Val.getInt().getExtValue()) + "LL)";
  if (isa<UnaryExprOrTypeTraitExpr>(expr)) {
    refuse(expr, "it takes the size of an array of variable size");
    return Unknown;
  }
  if (const auto *full = dyn_cast<FullExpr>(expr))
    return eval(full->getSubExpr());
  if (const auto *cast = dyn_cast<CastExpr>(expr))
    return evalCast(cast);
  if (const auto *ref = dyn_cast<DeclRefExpr>(expr)) {
    const auto *var = dyn_cast<VarDecl>(ref->getDecl());
    return var && var->getType()->isIntegerType() ? valueOf(var) : Range(Unknown);
  }
  if (isa<MemberExpr, ArraySubscriptExpr>(expr))
    return access(expr, /*isRead=*/true, /*isWritten=*/false);
  if (const auto *op = dyn_cast<UnaryOperator>(expr))
    return evalUnary(op);
  if (const auto *op = dyn_cast<BinaryOperator>(expr))
    return evalBinary(op);
  if (const auto *choice = dyn_cast<ConditionalOperator>(expr)) {
    eval(choice->getCond());
    Values before = values;
    narrowBy(choice->getCond(), true);
    Range a = eval(choice->getTrueExpr());
    Values then = std::move(values);
    values = std::move(before);
    narrowBy(choice->getCond(), false);
    Range b = eval(choice->getFalseExpr());
    joinWith(then);
    return a == Unknown || b == Unknown ? Range(Unknown) : keep(call("acis_join", a, b));
  }
  if (const auto *direct = dyn_cast<CallExpr>(expr))
    return evalCall(direct);
  if (expr->getType()->isPointerType() || isa<StmtExpr, CompoundLiteralExpr>(expr)) {
    refuse(expr, "it uses a pointer for other things than the elements of one array");
    return Unknown;
  }
  for (const Stmt *child : expr->children())
    if (const auto *inner = dyn_cast_or_null<Expr>(child))
      eval(inner);
  return Unknown;
}

RangeFlow::Range OpWalk::evalCast(const CastExpr *cast) {
  if (cast->getType()->isPointerType()) {
    refuse(cast, "it uses a pointer for other things than the elements of one array");
    return Unknown;
  }
  Range range = eval(cast->getSubExpr());
  switch (cast->getCastKind()) {
  case CK_IntegralCast: {
    QualType from = cast->getSubExpr()->getType(), to = cast->getType();
    bool isWider =
        context.getTypeSize(to) > context.getTypeSize(from) ||
        (context.getTypeSize(to) == context.getTypeSize(from) &&
         to->isSignedIntegerOrEnumerationType() == from->isSignedIntegerOrEnumerationType());
    bool isKept = isWider && (to->isSignedIntegerOrEnumerationType() ||
                              !from->isSignedIntegerOrEnumerationType());
    return isKept ? range : fit(range, to);
  }
  case CK_IntegralToBoolean:
  case CK_FloatingToBoolean:
    return "acis_range(0, 1)";
  case CK_LValueToRValue:
  case CK_NoOp:
  case CK_BooleanToSignedIntegral:
    return range;
  default:
    return Unknown;
  }
}

RangeFlow::Range OpWalk::evalUnary(const UnaryOperator *op) {
  switch (op->getOpcode()) {
  case UO_PostInc:
  case UO_PostDec:
  case UO_PreInc:
  case UO_PreDec: {
    if (op->getType()->isPointerType()) {
      refuse(op, "a pointer moves along; an index instead can be followed");
      return Unknown;
    }
    Range old = eval(op->getSubExpr());
    Range next = old == Unknown
                     ? Range(Unknown)
                     : call(op->isIncrementOp() ? "acis_add" : "acis_sub", old, "acis_at(1)");
    next = assignTo(op->getSubExpr(),
                    op->getType()->isUnsignedIntegerType() ? fit(next, op->getType()) : next,
                    /*isRead=*/true);
    return op->isPostfix() ? old : next;
  }
  case UO_Deref:
    return access(op, /*isRead=*/true, /*isWritten=*/false);
  case UO_AddrOf:
    refuse(op, "it takes an address for other things than the elements of one array");
    return Unknown;
  case UO_LNot:
    eval(op->getSubExpr());
    return "acis_range(0, 1)";
  case UO_Plus:
    return eval(op->getSubExpr());
  case UO_Minus: {
    Range range = eval(op->getSubExpr());
    return range == Unknown ? range : fit("acis_minus(" + range + ")", op->getType());
  }
  default:
    eval(op->getSubExpr());
    return Unknown;
  }
}

RangeFlow::Range OpWalk::arithmetic(BinaryOperatorKind kind, const Range &a, const Range &b) {
  bool isKnown = a != Unknown && b != Unknown;
  switch (kind) {
  case BO_Add:
    return isKnown ? call("acis_add", a, b) : Unknown;
  case BO_Sub:
    return isKnown ? call("acis_sub", a, b) : Unknown;
  case BO_Mul:
    return isKnown ? call("acis_mul", a, b) : Unknown;
  case BO_Div:
    return isKnown ? call("acis_div", a, b) : Unknown;
  case BO_Rem:
    return b != Unknown ? call("acis_rem", a, b) : Unknown;
  case BO_And:
    return a != Unknown || b != Unknown ? call("acis_and", a, b) : Unknown;
  case BO_Shl:
    return isKnown ? call("acis_shl", a, b) : Unknown;
  case BO_Shr:
    return isKnown ? call("acis_shr", a, b) : Unknown;
  default:
    return Unknown;
  }
}

RangeFlow::Range OpWalk::evalBinary(const BinaryOperator *op) {
  BinaryOperatorKind kind = op->getOpcode();
  if (kind == BO_Assign && op->getLHS()->getType()->isPointerType()) {
    const VarDecl *var = variableOf(op->getLHS());
    if (!var || !own.contains(var) || pointers.contains(var))
      refuse(op, "a pointer gets another value; one that is declared in the op and set once can "
                 "be followed");
    else
      pointers[var] = target(op->getRHS());
    return Unknown;
  }
  if (kind == BO_Assign)
    return assignTo(op->getLHS(), eval(op->getRHS()), /*isRead=*/false);
  if (op->isCompoundAssignmentOp() && op->getType()->isPointerType()) {
    refuse(op, "a pointer moves along; an index instead can be followed");
    return Unknown;
  }
  Range a = eval(op->getLHS());
  if (op->isLogicalOp()) {
    Values before = values;
    narrowBy(op->getLHS(), kind == BO_LAnd);
    eval(op->getRHS());
    joinWith(before);
    return "acis_range(0, 1)";
  }
  Range b = eval(op->getRHS());
  if (op->isCompoundAssignmentOp()) {
    const auto *compound = cast<CompoundAssignOperator>(op);
    Range next = compound->getComputationResultType()->isIntegerType()
                     ? arithmetic(BinaryOperator::getOpForCompoundAssignment(kind), a, b)
                     : Range(Unknown);
    return assignTo(op->getLHS(), fit(next, op->getType()), /*isRead=*/true);
  }
  if (op->isComparisonOp())
    return "acis_range(0, 1)";
  if (kind == BO_Comma)
    return b;
  if (!op->getType()->isIntegerType())
    return Unknown;
  Range range = arithmetic(kind, a, b);
  return op->getType()->isUnsignedIntegerType() ? fit(range, op->getType()) : range;
}

} // namespace acis::rewriter
