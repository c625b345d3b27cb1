#include "compiler/rewriter/OpBuffers.h"

#include "compiler/rewriter/MpiCalls.h"
#include "compiler/rewriter/ParseCollective.h"

using namespace clang;

namespace acis::rewriter {

const Place *OpBuffers::at(const Collective &collective, int index) {
  const Expr *expr = collective.outerArg(index)->IgnoreParenCasts();
  bool isAddress = false;
  if (const auto *address = dyn_cast<UnaryOperator>(expr);
      address && address->getOpcode() == UO_AddrOf) {
    expr = address->getSubExpr()->IgnoreParenCasts();
    isAddress = true;
  }
  while (const auto *element = isAddress ? dyn_cast<ArraySubscriptExpr>(expr) : nullptr) {
    Expr::EvalResult value;
    if (!element->getIdx()->EvaluateAsInt(value, context) || value.Val.getInt() != 0)
      break;
    expr = element->getBase()->IgnoreParenCasts();
  }
  VectorCall call = vectorCall(expr);
  if (call && call.index && isAddress) {
    Expr::EvalResult value;
    if (!call.index->EvaluateAsInt(value, context) || value.Val.getInt() != 0)
      return nullptr;
  }
  const Place *place = call                                 ? memory.of(call.vector)
                       : isa<DeclRefExpr, MemberExpr>(expr) ? memory.of(expr)
                                                            : nullptr;
  if (place && place->fields.empty() && !place->isSized())
    return nullptr;
  return place;
}

const Place *OpBuffers::baseOf(const Expr *expr) {
  expr = expr->IgnoreParenCasts();
  if (VectorCall call = vectorCall(expr))
    return memory.of(call.vector);
  if (const auto *address = dyn_cast<UnaryOperator>(expr);
      address && address->getOpcode() == UO_AddrOf)
    return baseOf(address->getSubExpr());
  if (const auto *element = dyn_cast<ArraySubscriptExpr>(expr);
      element && !element->getType()->isPointerType())
    return baseOf(element->getBase());
  if (const auto *sum = dyn_cast<BinaryOperator>(expr); sum && sum->isAdditiveOp())
    return baseOf(sum->getLHS()->getType()->isPointerType() ? sum->getLHS() : sum->getRHS());
  return isa<DeclRefExpr, MemberExpr>(expr) ? memory.of(expr) : nullptr;
}

std::string OpBuffers::countOf(const Collective &collective, int index, bool isEach,
                               const Place &place) {
  const Expr *count = collective.arg(index);
  const MpiType *type = findType(collective.type);
  if (!count || !type || !effects.of(count).writes.empty())
    return "";
  std::string comm = sourceText(collective.arg(collective.info->comm), context);
  uint64_t size = context.getTypeSizeInChars(place.element).getQuantity();
  std::string ratio =
      type->bytes == size ? "" : " * " + std::to_string(type->bytes) + " / " + std::to_string(size);
  return "(long long)(" + sourceText(count, context) + ")" +
         (isEach ? " * acis_ranks(" + comm + ")" : "") + ratio;
}

bool OpBuffers::isAtStart(const Collective &collective, int index, const VarDecl *var) const {
  const Expr *expr = collective.outerArg(index)->IgnoreParenCasts();
  if (const auto *address = dyn_cast<UnaryOperator>(expr);
      address && address->getOpcode() == UO_AddrOf)
    expr = address->getSubExpr()->IgnoreParenCasts();
  // &matrix[0][0]
  while (const auto *element = dyn_cast<ArraySubscriptExpr>(expr)) {
    Expr::EvalResult value;
    if (!element->getIdx()->EvaluateAsInt(value, context) || value.Val.getInt() != 0)
      break;
    expr = element->getBase()->IgnoreParenCasts();
  }
  const auto *ref = dyn_cast<DeclRefExpr>(expr);
  return ref && ref->getDecl()->getCanonicalDecl() == var->getCanonicalDecl();
}

} // namespace acis::rewriter
