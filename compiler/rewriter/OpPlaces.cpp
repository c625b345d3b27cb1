// Pointers, elements and calls of an op that is walked.
#include "compiler/rewriter/OpWalk.h"

#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace acis::rewriter {

RangeFlow::Range OpWalk::atCall(const VarDecl *var) {
  bool isReceived = received && received->var == var && received->fields.empty();
  if (own.contains(var) || isReceived || !var->getType().getNonReferenceType()->isIntegerType())
    return Unknown;
  return "acis_at((long long)" + memory.hostName(var) + ")";
}

std::string OpWalk::rangeOf(const Place *place, bool isWritten) {
  auto found = numbers.find(place);
  if (found == numbers.end())
    return "acis_none()";
  return used + "[" + std::to_string(2 * found->second + isWritten) + "]";
}

RangeFlow::Range OpWalk::assignTo(const Expr *target, const Range &range, bool isRead) {
  target = target->IgnoreParens();
  if (const auto *ref = dyn_cast<DeclRefExpr>(target)) {
    const auto *var = dyn_cast<VarDecl>(ref->getDecl());
    if (var && var->getType()->isIntegerType()) {
      assign(var, range);
      return valueOf(var);
    }
    if (var && !var->getType()->isArithmeticType())
      refuse(target, "it assigns a whole object");
    return Unknown;
  }
  Target place = element(target);
  if (place && target->getType()->isRecordType())
    return refuse(target, "it uses a whole structure; its members one by one would do"), Unknown;
  if (!place)
    return Unknown;
  touch(place, place.offset, isRead, /*isWritten=*/true, target);
  if (place.place->element->isIntegerType()) {
    Range &all = stored[place.place];
    if (all.empty())
      all = growing();
    grow(all, range);
  }
  return range;
}

OpWalk::Target OpWalk::moved(const Target &target, const Range &by, QualType pointee, bool isBack) {
  if (!target)
    return {};
  std::string numbers = memory.strideOf(*target.place, pointee);
  if (target.place->hasOpenRows && memory.numbersIn(pointee) == 0)
    memory.valueOf(numbers);
  if (by == Unknown || target.offset == Unknown || numbers.empty())
    return {target.place, Unknown};
  Range step = numbers == "1" ? by : "acis_mul(" + by + ", acis_at((long long)" + numbers + "))";
  if (target.offset == "acis_at(0)" && !isBack)
    return {target.place, step};
  return {target.place,
          std::string(isBack ? "acis_sub(" : "acis_add(") + target.offset + ", " + step + ")"};
}

OpWalk::Target OpWalk::target(const Expr *pointer) {
  pointer = pointer->IgnoreParens();
  auto other = [&](const std::string &why) {
    refuse(pointer, why);
    return Target();
  };
  if (VectorCall call = vectorCall(pointer); call && call.method == "data") {
    if (Place *place = memory.of(call.vector))
      return {place, "acis_at(0)"};
    return other("it goes through pointers that lie in memory; one array for all rows would do");
  }
  if (const auto *cast = dyn_cast<CastExpr>(pointer)) {
    const Expr *inner = cast->getSubExpr()->IgnoreParens();
    if (cast->getCastKind() == CK_LValueToRValue || cast->getCastKind() == CK_ArrayToPointerDecay) {
      if (const auto *ref = dyn_cast<DeclRefExpr>(inner))
        if (const auto *var = dyn_cast<VarDecl>(ref->getDecl())) {
          if (auto found = pointers.find(var); found != pointers.end())
            return found->second;
          if (own.contains(var) && !var->getType()->isArrayType())
            return other("the pointer '" + var->getNameAsString() + "' has no value that is known");
        }
      const auto *member = dyn_cast<MemberExpr>(inner);
      const auto *op = dyn_cast<UnaryOperator>(inner);
      if (inner->getType()->isArrayType() &&
          (isa<ArraySubscriptExpr>(inner) || (op && op->getOpcode() == UO_Deref) ||
           (member && memory.isOfElement(member))))
        return element(inner);
      Place *place = memory.of(inner);
      if (!place)
        return other(
            "it goes through pointers that lie in memory; one array for all rows would do");
      return {place, "acis_at(0)"};
    }
    QualType from = inner->getType(), to = cast->getType();
    bool isSame = from->isPointerType() && to->isPointerType() &&
                  (to->isVoidPointerType() ||
                   context.hasSameUnqualifiedType(from->getPointeeType(), to->getPointeeType()));
    return isSame ? target(inner) : other("memory is read as another type than it has");
  }
  if (const auto *op = dyn_cast<UnaryOperator>(pointer); op && op->isIncrementDecrementOp())
    return other("a pointer moves along; an index instead can be followed");
  if (const auto *op = dyn_cast<BinaryOperator>(pointer); op && op->isAdditiveOp()) {
    bool isLeft = op->getLHS()->getType()->isPointerType();
    const Expr *base = isLeft ? op->getLHS() : op->getRHS();
    Range by = eval(isLeft ? op->getRHS() : op->getLHS());
    return moved(target(base), by, pointer->getType()->getPointeeType(), op->getOpcode() == BO_Sub);
  }
  if (const auto *op = dyn_cast<UnaryOperator>(pointer); op && op->getOpcode() == UO_AddrOf)
    return element(op->getSubExpr());
  return other("it uses a pointer that is no array with an index");
}

OpWalk::Target OpWalk::element(const Expr *lvalue) {
  lvalue = lvalue->IgnoreParens();
  Target found;
  if (VectorCall call = vectorCall(lvalue); call && call.index) {
    Range index = eval(call.index);
    if (Place *place = memory.of(call.vector))
      found = moved({place, "acis_at(0)"}, index, lvalue->getType(), false);
  } else if (const auto *member = dyn_cast<MemberExpr>(lvalue);
             member && isa<FieldDecl>(member->getMemberDecl()) && memory.isOfElement(member)) {
    const auto *field = cast<FieldDecl>(member->getMemberDecl());
    QualType number = memory.numberIn(field->getType());
    Target base = member->isArrow() ? target(member->getBase()) : element(member->getBase());
    if (!number.isNull())
      found = moved(base, "acis_at(" + std::to_string(memory.numbersBefore(field)) + ")", number,
                    false);
  } else if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(lvalue)) {
    Range index = eval(subscript->getIdx());
    found = moved(target(subscript->getBase()), index, lvalue->getType(), false);
  } else if (const auto *op = dyn_cast<UnaryOperator>(lvalue); op && op->getOpcode() == UO_Deref) {
    found = target(op->getSubExpr());
  } else if (Place *place = memory.of(lvalue)) {
    found = {place, "acis_at(0)"};
  }
  if (!found)
    refuse(lvalue, "it goes through a union, or through pointers that lie in memory");
  else if (found.place->type->isRecordType())
    refuse(lvalue, "it uses a whole structure; its members one by one would do");
  else if (!found.place->rowCount || !memory.numbersIn(found.place->element))
    refuse(lvalue, "'" + found.place->text + "' is not an array of numbers");
  return refusal ? Target() : found;
}

RangeFlow::Range OpWalk::access(const Expr *lvalue, bool isRead, bool isWritten) {
  Target found = element(lvalue);
  if (found && lvalue->getType()->isRecordType())
    return refuse(lvalue, "it uses a whole structure; its members one by one would do"), Unknown;
  if (!found)
    return Unknown;
  touch(found, found.offset, isRead, isWritten, lvalue);
  if (!lvalue->getType()->isIntegerType())
    return Unknown;
  return heldIn(found);
}

void OpWalk::touch(const Target &target, const Range &index, bool isRead, bool isWritten,
                   const Stmt *where) {
  Place &place = *target.place;
  place.isRead |= isRead;
  place.isWritten |= isWritten;
  if (place.isNumber() && isWritten && place.fields.empty() && place.type->isIntegerType())
    assign(place.var, Unknown);
  if (!place.isSized() || own.contains(place.var))
    return;
  if (index == Unknown)
    return refuse(where, "which elements of '" + place.text +
                             "' it uses depends on data that only the op has; an array of constant "
                             "size would do");
  unsigned number = numbers.try_emplace(&place, unsigned(numbers.size())).first->second;
  Range kept = keep(index);
  for (bool which : {false, true})
    if (!which || isWritten)
      use("acis_use(&" + used + "[" + std::to_string(2 * number + which) + "], " + kept + ");");
}

/// What an element may hold: what it has at the call, or what the op stores.
RangeFlow::Range OpWalk::heldIn(const Target &target) {
  const Place &place = *target.place;
  if (&place == received || (own.contains(place.var) && !stored.contains(target.place)))
    return Unknown;
  if (place.isNumber() && place.fields.empty())
    return valueOf(place.var);
  Range &all = stored[target.place];
  if (all.empty())
    all = growing();
  Range held;
  if (place.isNumber())
    held = "acis_at((long long)" + place.guarded + ")";
  else if (target.offset == Unknown)
    return Unknown;
  else if (!own.contains(place.var))
    held = "acis_held(" + place.guarded + ", " +
           std::to_string(context.getTypeSizeInChars(place.element).getQuantity()) + ", " +
           (place.element->isSignedIntegerOrEnumerationType() ? "1" : "0") + ", " + target.offset +
           ")";
  return keep(held.empty() ? all : "acis_join(" + all + ", " + held + ")");
}

RangeFlow::Range OpWalk::evalCall(const CallExpr *call) {
  if (call == memory.done.call)
    return eval(memory.done.value);
  const FunctionDecl *callee = call->getDirectCallee(), *body = nullptr;
  if (VectorCall vector = vectorCall(call); vector && vector.method != "data") {
    if (vector.index)
      return access(call, /*isRead=*/true, /*isWritten=*/false);
    if (const Place *place = memory.of(vector.vector)) {
      memory.valueOf(sizeOf(*place));
      return "acis_at((long long)" + sizeOf(*place) + ")";
    }
  }
  if (!callee || isa<CXXMemberCallExpr, CXXOperatorCallExpr>(call)) {
    refuse(call, "it has a statement or a call of a kind that handlers do not have");
    return Unknown;
  }
  if (callee->isDefined(body))
    return evalBody(call, body);
  if (callee->getIdentifier() && evalLibrary(call, callee->getName()))
    return Unknown;
  for (const Expr *argument : call->arguments())
    eval(argument);
  return Unknown;
}

/// memset with zeros, and memcpy.
bool OpWalk::evalLibrary(const CallExpr *call, llvm::StringRef name) {
  name.consume_front("__builtin_");
  bool isCopy = name == "memcpy";
  if ((name != "memset" && !isCopy) || call->getNumArgs() != 3)
    return false;
  Expr::EvalResult value;
  if (!isCopy && (!call->getArg(1)->EvaluateAsInt(value, context) || value.Val.getInt() != 0))
    refuse(call, "it fills memory with other bytes than zeros; a loop over elements would do");
  Range bytes = eval(call->getArg(2));
  for (int i = 0; i < (isCopy ? 2 : 1); i++) {
    Target found = target(call->getArg(i));
    if (!found)
      return true;
    Range size = std::to_string(context.getTypeSizeInChars(found.place->element).getQuantity());
    Range index = bytes == Unknown || found.offset == Unknown
                      ? Range(Unknown)
                      : "acis_add(" + found.offset + ", acis_span(" + bytes + ", " + size + "))";
    touch(found, index, i == 1, i == 0, call);
    if (i == 0 && found.place->element->isIntegerType()) {
      Range &all = stored[found.place];
      if (all.empty())
        all = growing();
      grow(all, isCopy ? Range(Unknown) : Range("acis_at(0)"));
    }
  }
  return true;
}

void OpWalk::bind(const ParmVarDecl *param, const Expr *argument) {
  QualType type = param->getType();
  if (hasRows(argument, type, argument))
    return;
  if (type->isPointerType()) {
    Target found = target(argument);
    pointers[param] = {found.place, found ? keep(found.offset) : Range(Unknown)};
    memory.pointers.insert(param);
    return;
  }
  Range range = eval(argument);
  own.insert(param);
  if (type->isIntegerType())
    assign(param, range);
}

RangeFlow::Range OpWalk::evalBody(const CallExpr *call, const FunctionDecl *callee) {
  if (!active.insert(callee).second) {
    refuse(call, "it has a statement or a call of a kind that handlers do not have");
    return Unknown;
  }
  auto outer = pointers;
  for (unsigned i = 0; i < callee->getNumParams() && i < call->getNumArgs(); i++) {
    const ParmVarDecl *param = callee->getParamDecl(i);
    QualType type = param->getType();
    if (type->isReferenceType() || type->isRecordType() ||
        (type->isPointerType() && type->getPointeeType()->isRecordType() &&
         memory.numberIn(type->getPointeeType()).isNull())) {
      refuse(call, "'" + callee->getNameAsString() + "' gets a structure or a reference");
      return Unknown;
    }
    bind(param, call->getArg(i));
  }
  returned.push_back(growing());
  walk(callee->getBody());
  Range result = returned.back();
  returned.pop_back();
  pointers = std::move(outer);
  active.erase(callee);
  return callee->getReturnType()->isIntegerType() ? result : Range(Unknown);
}

} // namespace acis::rewriter
