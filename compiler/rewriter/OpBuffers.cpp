#include "compiler/rewriter/OpBuffers.h"

#include "compiler/rewriter/MpiCalls.h"
#include "compiler/rewriter/ParseCollective.h"

using namespace clang;

namespace acis::rewriter {

Buffer OpBuffers::at(const Collective &collective, int index) {
  const Expr *expr = collective.outerArg(index);
  Buffer buffer;
  buffer.text = sourceText(expr, context);
  buffer.place = locate(expr, buffer.start);
  bool isWhole = buffer.start.empty();
  if (buffer.place && isWhole && buffer.place->fields.empty() && !buffer.place->isSized())
    buffer.place = nullptr;
  return buffer;
}

const Place *OpBuffers::locate(const Expr *pointer, std::string &start) {
  pointer = pointer->IgnoreParenCasts();
  if (VectorCall call = vectorCall(pointer); call && call.method == "data")
    return memory.of(call.vector);
  if (const auto *address = dyn_cast<UnaryOperator>(pointer);
      address && address->getOpcode() == UO_AddrOf)
    return locateElement(address->getSubExpr(), start);
  if (const auto *sum = dyn_cast<BinaryOperator>(pointer); sum && sum->isAdditiveOp()) {
    bool isLeft = sum->getLHS()->getType()->isPointerType();
    const Place *place = locate(isLeft ? sum->getLHS() : sum->getRHS(), start);
    bool isKnown =
        place && add(*place, isLeft ? sum->getRHS() : sum->getLHS(),
                     pointer->getType()->getPointeeType(), sum->getOpcode() == BO_Sub, start);
    return isKnown ? place : nullptr;
  }
  return locateElement(pointer, start);
}

const Place *OpBuffers::locateElement(const Expr *lvalue, std::string &start) {
  lvalue = lvalue->IgnoreParenCasts();
  const Expr *index = nullptr;
  const Place *place = nullptr;
  if (VectorCall call = vectorCall(lvalue); call && call.index) {
    place = memory.of(call.vector);
    index = call.index;
  } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(lvalue)) {
    place = locate(element->getBase(), start);
    index = element->getIdx();
  } else if (isa<DeclRefExpr, MemberExpr>(lvalue)) {
    return memory.of(lvalue);
  }
  return place && add(*place, index, lvalue->getType(), /*isBack=*/false, start) ? place : nullptr;
}

/// It is computed a second time before the call.
bool OpBuffers::add(const Place &place, const Expr *index, QualType element, bool isBack,
                    std::string &start) {
  Expr::EvalResult value;
  if (index->EvaluateAsInt(value, context) && value.Val.getInt() == 0)
    return true;
  std::string numbers = memory.strideOf(place, element);
  Effects effect = effects.of(index);
  if (numbers.empty() || !effect.isQuiet() || !effect.writes.empty() || effect.alloc ||
      effect.timer)
    return false;
  start += std::string(start.empty() ? "" : " + ") + (isBack ? "-" : "") + "(long long)(" +
           sourceText(index, context) + ") * (long long)" + numbers;
  return true;
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
