// Places that expressions name, across calls, and whether two statements may change places.
#include "compiler/rewriter/Effects.h"

#include "compiler/rewriter/Library.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace acis::rewriter {

void Effects::add(const Effects &o) {
  reads.insert(o.reads.begin(), o.reads.end());
  writes.insert(o.writes.begin(), o.writes.end());
  loop |= o.loop;
  alloc |= o.alloc;
  timer |= o.timer;
  exits |= o.exits;
  jump |= o.jump;
  if (blame.empty() || (o.comm && !comm))
    blame = o.blame;
  if (unseen.empty())
    unseen = o.unseen;
  assumed.insert(o.assumed.begin(), o.assumed.end());
  print |= o.print;
  io |= o.io;
  comm |= o.comm;
  calls |= o.calls;
  cycle |= o.cycle;
}

Path EffectsAnalysis::targetOfVariable(const VarDecl *var) {
  Path own = Path{program.idOf(var), ""} + "*";
  // A global pointer may be set in a file that is not given.
  bool isOpen = var->hasGlobalStorage() && var->isExternallyVisible();
  if (isa<ParmVarDecl>(var) || isOpen || depth > 8)
    return own;
  const PointerDefs *defs = program.pointerDefs(var);
  if (!defs || defs->count != 1 || !defs->value)
    return own;
  const Expr *value = defs->value->IgnoreParenCasts();
  if (isa<CallExpr, CXXNewExpr, ConditionalOperator, InitListExpr>(value))
    return own;
  depth++;
  Path target = targetOf(defs->value);
  depth--;
  return target.var == Path::Unknown ? own : target;
}

Path EffectsAnalysis::targetOf(const Expr *expr) {
  expr = expr->IgnoreParens();
  if (const auto *cast = dyn_cast<CastExpr>(expr)) {
    if (cast->getCastKind() == CK_ArrayToPointerDecay)
      return pathOf(cast->getSubExpr()) + "[";
    if (cast->getCastKind() == CK_LValueToRValue)
      return targetOf(cast->getSubExpr());
    return targetOf(cast->getSubExpr());
  }
  if (isa<ExprWithCleanups, MaterializeTemporaryExpr>(expr))
    return targetOf(cast<Expr>(*expr->child_begin()));
  if (const auto *unary = dyn_cast<UnaryOperator>(expr)) {
    if (unary->getOpcode() == UO_AddrOf)
      return pathOf(unary->getSubExpr());
    if (unary->isIncrementDecrementOp())
      return targetOf(unary->getSubExpr());
  }
  if (const auto *binary = dyn_cast<BinaryOperator>(expr)) {
    if (binary->isAdditiveOp())
      return targetOf(binary->getLHS()->getType()->isPointerType() ? binary->getLHS()
                                                                   : binary->getRHS());
    if (binary->isAssignmentOp())
      return targetOf(binary->getRHS());
  }
  if (const auto *call = dyn_cast<CXXMemberCallExpr>(expr)) {
    const Expr *object = call->getImplicitObjectArgument();
    if (isContainer(object->getType()) && call->getMethodDecl())
      if (isOneOf(call->getMethodDecl()->getNameAsString(), {"data", "begin", "end", "get"}))
        return pathOf(object) + "[";
  }
  // An iterator moved on.
  if (const auto *call = dyn_cast<CXXOperatorCallExpr>(expr);
      call && call->getNumArgs() && isIterator(call->getArg(0)->getType()) &&
      isOneOf(getOperatorSpelling(call->getOperator()), {"+", "-", "++", "--", "+=", "-=", "->"}))
    return targetOf(call->getArg(0));
  if (const auto *construct = dyn_cast<CXXConstructExpr>(expr))
    return construct->getNumArgs() == 1 ? targetOf(construct->getArg(0)) : Path();
  if (isa<CXXThisExpr>(expr))
    return Path{Path::This, "*"};
  const auto *ref = dyn_cast<DeclRefExpr>(expr);
  const auto *var = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
  if (var && var->getType()->isPointerType())
    return targetOfVariable(var);
  if (const Expr *value = var && isIterator(var->getType()) ? program.onlyValue(var) : nullptr;
      value && depth < 8) {
    depth++;
    Path target = targetOf(value);
    depth--;
    if (target.var != Path::Unknown)
      return target;
  }
  if (expr->getType()->isArrayType())
    return pathOf(expr) + "[";
  if (isa<MemberExpr, ArraySubscriptExpr, UnaryOperator, DeclRefExpr, CXXOperatorCallExpr>(expr)) {
    Path place = pathOf(expr);
    return place.var == Path::Unknown ? place : place + "*";
  }
  return {};
}

Path EffectsAnalysis::pathOf(const Expr *expr) {
  expr = expr->IgnoreParens();
  if (const auto *cast = dyn_cast<CastExpr>(expr))
    return pathOf(cast->getSubExpr());
  if (const auto *ref = dyn_cast<DeclRefExpr>(expr)) {
    const auto *var = dyn_cast<VarDecl>(ref->getDecl());
    if (!var)
      return {};
    // A local reference is another name for what it was bound to.
    if (var->getType()->isReferenceType() && !isa<ParmVarDecl>(var) && var->getInit() &&
        depth < 8) {
      depth++;
      Path bound = pathOf(var->getInit());
      depth--;
      return bound;
    }
    return {program.idOf(var), ""};
  }
  if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(expr))
    return targetOf(subscript->getBase());
  if (const auto *unary = dyn_cast<UnaryOperator>(expr)) {
    if (unary->getOpcode() == UO_Deref)
      return targetOf(unary->getSubExpr());
    return pathOf(unary->getSubExpr());
  }
  if (const auto *member = dyn_cast<MemberExpr>(expr)) {
    Path base = member->isArrow() ? targetOf(member->getBase()) : pathOf(member->getBase());
    return base + ("." + member->getMemberDecl()->getNameAsString());
  }
  if (const auto *call = dyn_cast<CXXOperatorCallExpr>(expr)) {
    if (call->getNumArgs() && isContainer(call->getArg(0)->getType()))
      return pathOf(call->getArg(0)) + "[";
    if (call->getNumArgs() && isIterator(call->getArg(0)->getType()) &&
        isOneOf(getOperatorSpelling(call->getOperator()), {"*", "->", "[]"}))
      return targetOf(call->getArg(0));
    return {};
  }
  if (const auto *call = dyn_cast<CXXMemberCallExpr>(expr)) {
    const Expr *object = call->getImplicitObjectArgument();
    if (isContainer(object->getType()))
      return pathOf(object) + "[";
    return {};
  }
  if (isa<ExprWithCleanups, MaterializeTemporaryExpr, CXXBindTemporaryExpr>(expr))
    return pathOf(cast<Expr>(*expr->child_begin()));
  if (isa<CXXThisExpr>(expr))
    return {Path::This, ""};
  if (const auto *binary = dyn_cast<BinaryOperator>(expr); binary && binary->isAssignmentOp())
    return pathOf(binary->getLHS());
  return {};
}

/// What an object that is given by value is a copy of.
static const Expr *originalOf(const Expr *argument) {
  while (true) {
    argument = argument->IgnoreParenImpCasts();
    const auto *copy = dyn_cast<CXXConstructExpr>(argument);
    if (copy && copy->getNumArgs() == 1 && copy->getConstructor()->isCopyOrMoveConstructor())
      argument = copy->getArg(0);
    else if (isa<ExprWithCleanups, MaterializeTemporaryExpr, CXXBindTemporaryExpr>(argument))
      argument = cast<Expr>(*argument->child_begin());
    else
      return argument;
  }
}

bool EffectsAnalysis::translate(const Path &path, const CallSite &site, Path &result) {
  if (path.var == Path::Unknown || path.var == Path::Library) {
    result = path;
    return true;
  }
  if (path.var == Path::This) {
    if (site.isLambda()) { // of the method round it
      result = path;
      return true;
    }
    if (!site.object)
      return false;
    Path base =
        site.object->getType()->isPointerType() ? targetOf(site.object) : pathOf(site.object);
    llvm::StringRef rest = path.rest;
    rest.consume_front("*");
    result = base + rest;
    return true;
  }
  const VarDecl *var = program.variable(path.var);
  if (var->hasGlobalStorage() || !site.owns(var)) { // a variable that a lambda captured
    result = path;
    return true;
  }
  const auto *param = dyn_cast<ParmVarDecl>(var);
  const Expr *arg = param ? site.argument(param) : nullptr;
  if (!arg)
    return false;
  if (param->getType()->isReferenceType()) {
    result = pathOf(arg) + path.rest;
    return true;
  }
  llvm::StringRef rest = path.rest;
  if (param->getType()->isRecordType() && path.throughPointer()) {
    // Pointers in a copy lead where those of the original do.
    const Expr *original = originalOf(arg);
    if (isIterator(param->getType()) && rest.consume_front("*"))
      result = targetOf(original) + rest;
    else if (result = pathOf(original); result.var != Path::Unknown)
      result = result + path.rest;
    return true;
  }
  if (!param->getType()->isPointerType() || !rest.consume_front("*"))
    return false; // the callee's own copy
  result = targetOf(arg) + rest;
  return true;
}

bool EffectsAnalysis::isPrivate(const Path &path) {
  if (path.var < Path::FirstVariable)
    return false;
  const VarDecl *var = program.variable(path.var);
  if (var->getType()->isReferenceType())
    return false;
  if (path.throughPointer())
    return path.rest.rfind('*') == 0 && program.isFresh(var);
  return var->hasLocalStorage() && !program.isAddressKept(var);
}

bool EffectsAnalysis::isOnlyNamed(const Path &path) {
  if (path.var < Path::FirstVariable || path.throughPointer())
    return false;
  const VarDecl *var = program.variable(path.var);
  // Another file may give away the address of what it can name.
  bool isOpen = var->hasGlobalStorage() && var->isExternallyVisible();
  return !isOpen && !var->getType()->isReferenceType() && !program.isAddressKept(var);
}

/// The type of what a path leads to; null: not known.
QualType EffectsAnalysis::typeOf(const Path &path) {
  if (path.var < Path::FirstVariable)
    return {};
  QualType type = program.variable(path.var)->getType().getNonReferenceType();
  for (llvm::StringRef rest = path.rest; !rest.empty();) {
    if (rest.consume_front("*"))
      type = type->isPointerType() ? type->getPointeeType() : QualType();
    else if (rest.consume_front("["))
      type = type->isArrayType() ? QualType(type->getArrayElementTypeNoTypeQual(), 0) : type;
    else
      return {};
    if (type.isNull())
      return {};
  }
  return type;
}

/// Whether one is a pointer variable and the other a number: a store of a number does not change a
/// pointer. Characters may be parts of anything.
bool EffectsAnalysis::isPointerAndNumber(const Path &a, const Path &b) {
  QualType one = typeOf(a), other = typeOf(b);
  if (one.isNull() || other.isNull())
    return false;
  if (!one->isPointerType())
    std::swap(one, other);
  return one->isPointerType() && other->isArithmeticType() && !other->isAnyCharacterType() &&
         !other->isBooleanType();
}

bool EffectsAnalysis::conflict(const Effects &a, const Effects &b) {
  auto meet = [&](const Paths &writes, const Paths &others) {
    for (const Path &path : writes)
      for (const Path &other : others) {
        if (overlaps(Paths{path}, other))
          return true;
        if (path.var == Path::Library || other.var == Path::Library)
          continue;
        auto isLoose = [&](const Path &p) {
          return p.var < Path::FirstVariable || p.throughPointer() ||
                 program.variable(p.var)->getType()->isReferenceType();
        };
        if ((isLoose(path) || isLoose(other)) && !isPrivate(path) && !isPrivate(other) &&
            !isPointerAndNumber(path, other))
          return true;
      }
    return false;
  };
  return meet(a.writes, b.reads) || meet(a.writes, b.writes) || meet(b.writes, a.reads);
}

} // namespace acis::rewriter
