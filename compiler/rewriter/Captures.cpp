// One walk over the op for its variables, one over the rest of the function for what is used later.
#include "compiler/rewriter/Captures.h"

#include "compiler/rewriter/PlaceBound.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace acis::rewriter {
namespace {

bool isLocalType(QualType type) {
  while (true) {
    if (type->isPointerType() || type->isReferenceType())
      type = type->getPointeeType();
    else if (const ArrayType *array = type->getAsArrayTypeUnsafe())
      type = array->getElementType();
    else
      break;
  }
  if (const auto *alias = type->getAs<TypedefType>())
    if (alias->getDecl()->getDeclContext()->isFunctionOrMethod())
      return true;
  const TagDecl *tag = type->getAsTagDecl();
  return tag && (tag->getDeclContext()->isFunctionOrMethod() ||
                 (!tag->getDeclName() && !tag->getTypedefNameForAnonDecl()));
}

/// The variable that a place is a part of; null: it is reached through a pointer.
const VarDecl *holderOf(const Expr *place) {
  while (true) {
    place = place->IgnoreParenCasts();
    if (const auto *member = dyn_cast<MemberExpr>(place)) {
      if (member->isArrow())
        return nullptr;
      place = member->getBase();
    } else if (const auto *element = dyn_cast<ArraySubscriptExpr>(place)) {
      place = element->getBase()->IgnoreParenCasts();
      if (!place->getType()->isArrayType())
        return nullptr;
    } else {
      const auto *ref = dyn_cast<DeclRefExpr>(place);
      return ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
    }
  }
}

class Uses : public DynamicRecursiveASTVisitor {
public:
  llvm::SetVector<const VarDecl *> used, declared;
  llvm::SmallPtrSet<const VarDecl *, 8> written, wholes, sized;
  llvm::SmallPtrSet<const Decl *, 8> types, ownTypes;
  bool hasLocalCallee = false;
  const Stmt *skipped = nullptr;

  bool TraverseStmt(Stmt *stmt) override {
    return (stmt && stmt == skipped) || DynamicRecursiveASTVisitor::TraverseStmt(stmt);
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    if (const auto *var = dyn_cast<VarDecl>(ref->getDecl()))
      used.insert(var);
    else if (isa<EnumConstantDecl>(ref->getDecl()))
      types.insert(cast<Decl>(ref->getDecl()->getDeclContext()));
    else if (const auto *function = dyn_cast<FunctionDecl>(ref->getDecl()))
      hasLocalCallee |= function->getDeclContext()->isFunctionOrMethod() ||
                        function->getLexicalDeclContext()->isFunctionOrMethod();
    return true;
  }
  bool VisitVarDecl(VarDecl *var) override {
    declared.insert(var);
    return true;
  }
  bool VisitTypeDecl(TypeDecl *type) override {
    ownTypes.insert(type);
    return true;
  }
  bool VisitTypeLoc(TypeLoc loc) override {
    QualType type = loc.getType();
    if (const auto *alias = type->getAs<TypedefType>())
      types.insert(alias->getDecl());
    else if (const TagDecl *tag = type->getAsTagDecl())
      types.insert(tag);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *op) override {
    if (op->isAssignmentOp())
      write(op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *op) override {
    if (op->isIncrementDecrementOp() || op->getOpcode() == UO_AddrOf)
      write(op->getSubExpr());
    // &array has another type in the op, where the array is a pointer.
    if (op->getOpcode() == UO_AddrOf && op->getSubExpr()->getType()->isArrayType())
      if (const auto *ref = dyn_cast<DeclRefExpr>(op->getSubExpr()->IgnoreParens()))
        if (const auto *var = dyn_cast<VarDecl>(ref->getDecl()))
          wholes.insert(var);
    return true;
  }
  /// typeof(array) is the type of a pointer in the op.
  bool VisitTypeOfExprTypeLoc(TypeOfExprTypeLoc loc) override {
    if (const auto *ref = dyn_cast<DeclRefExpr>(loc.getUnderlyingExpr()->IgnoreParens()))
      if (const auto *var = dyn_cast<VarDecl>(ref->getDecl()))
        sized.insert(var);
    return true;
  }
  bool VisitUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *trait) override {
    if (!trait->isArgumentType())
      if (const auto *ref = dyn_cast<DeclRefExpr>(trait->getArgumentExpr()->IgnoreParens()))
        if (const auto *var = dyn_cast<VarDecl>(ref->getDecl()))
          sized.insert(var);
    return true;
  }

private:
  void write(const Expr *place) {
    if (const VarDecl *var = holderOf(place))
      written.insert(var);
  }
};

/// Uses in the function outside the op.
class Outside : public DynamicRecursiveASTVisitor {
public:
  explicit Outside(const std::vector<const Stmt *> &op) : op(op.begin(), op.end()) {}
  llvm::SmallPtrSet<const VarDecl *, 16> used;

  bool TraverseStmt(Stmt *stmt) override {
    if (op.contains(stmt))
      return true;
    return DynamicRecursiveASTVisitor::TraverseStmt(stmt);
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    if (const auto *var = dyn_cast<VarDecl>(ref->getDecl()))
      used.insert(var);
    return true;
  }

private:
  llvm::SmallPtrSet<const Stmt *, 8> op;
};

/// What statements do by way of pointers and calls, all of it taken for writing.
class Indirect : public DynamicRecursiveASTVisitor {
public:
  explicit Indirect(EffectsAnalysis &effects) : effects(effects) {}
  Effects found;

  bool VisitCallExpr(CallExpr *call) override {
    Effects effect = effects.of(call);
    found.writes.insert(effect.reads.begin(), effect.reads.end());
    found.writes.insert(effect.writes.begin(), effect.writes.end());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *op) override {
    if (op->getOpcode() == UO_Deref)
      found.writes.insert(effects.pathOf(op));
    return true;
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *element) override {
    if (!element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
      found.writes.insert(effects.pathOf(element));
    return true;
  }
  bool VisitMemberExpr(MemberExpr *member) override {
    if (member->isArrow())
      found.writes.insert(effects.pathOf(member));
    return true;
  }

private:
  EffectsAnalysis &effects;
};

class Collector {
public:
  Collector(EffectsAnalysis &effects, const FunctionDecl *function,
            const std::vector<const Stmt *> &op, const Stmt *skipped)
      : effects(effects), function(function), op(op), skipped(skipped),
        context(function->getASTContext()) {}

  Captures run() {
    Uses uses;
    uses.skipped = skipped;
    for (const Stmt *stmt : op)
      uses.TraverseStmt(const_cast<Stmt *>(stmt));
    Outside outside(op);
    outside.TraverseStmt(function->getBody());
    if (std::string reason = boundToPlace(op, effects.theProgram()); !reason.empty()) {
      refuse(reason);
      result.inPlace = result.refusal;
    }
    if (uses.hasLocalCallee)
      refuse("it calls a function that is declared inside this one");
    for (const Decl *type : uses.types)
      if (type->getDeclContext()->isFunctionOrMethod() && !uses.ownTypes.contains(type))
        refuse("it uses a type or a constant that is declared inside the function");
    for (const VarDecl *var : uses.declared)
      if (outside.used.contains(var))
        declareBefore(var);
    for (const VarDecl *var : uses.used) {
      if (uses.declared.contains(var)) {
        if (isLocalType(var->getType()) && outside.used.contains(var))
          refuseType(var);
        continue;
      }
      if (var->hasGlobalStorage() && !var->isStaticLocal() && !var->isLocalExternDecl())
        continue;
      capture(var, uses);
    }
    return std::move(result);
  }

private:
  void refuse(std::string text) {
    if (!result.refusal)
      result.refusal = {"extraction", "the op cannot be taken out: " + std::move(text)};
  }
  void refuseType(const VarDecl *var) {
    refuse("the type of '" + var->getNameAsString() + "' is declared inside the function");
  }

  void declareBefore(const VarDecl *var) {
    QualType type = var->getType();
    if (!type->isScalarType() || type.isConstQualified() || var->isStaticLocal()) {
      refuse("'" + var->getNameAsString() + "' is declared in it and used after it");
      result.inPlace = result.refusal;
      return;
    }
    if (isLocalType(type))
      refuseType(var);
    if (function->isTemplateInstantiation() && !result.inPlace)
      result.inPlace = {"template", "'" + var->getNameAsString() +
                                        "' is declared in the op and may have another type in "
                                        "another instance"};
    result.declared.push_back(var);
  }

  /// Whether the op may reach the variable by a pointer as well: it has a copy of it.
  bool isReachedOtherwise(const VarDecl *var) {
    if (!effects.theProgram().isAddressKept(var))
      return false;
    Effects own;
    own.reads.insert(Path{effects.theProgram().idOf(var), ""});
    Indirect indirect(effects);
    for (const Stmt *stmt : op)
      indirect.TraverseStmt(const_cast<Stmt *>(stmt));
    return effects.conflict(own, indirect.found);
  }

  void capture(const VarDecl *var, const Uses &uses) {
    QualType type = var->getType();
    std::string name = "'" + var->getNameAsString() + "'";
    if (isLocalType(type))
      return refuseType(var);
    if (var->getStorageClass() == SC_Register)
      return refuse(name + " is a register variable");
    bool isCxx = context.getLangOpts().CPlusPlus;
    bool isArray = type->isArrayType(), openRows = hasOpenRows(type, context);
    if (openRows && isCxx) { // compilers do not pass it to a lambda
      refuse(name + " has rows of variable size");
      result.inPlace = result.refusal;
      return;
    }
    if (type->isVariablyModifiedType() && !openRows && !context.getAsVariableArrayType(type))
      return refuse(name + " has a type of variable size");
    if (openRows && !isArray && uses.written.contains(var))
      return refuse(name + ", which points to rows of variable size, is set in it");
    if (isArray && uses.sized.contains(var))
      return refuse("it takes the size or type of " + name);
    if (isArray) {
      QualType element = context.getAsArrayType(type)->getElementType();
      if (element->isVariablyModifiedType() && !openRows)
        return refuse(name + " has rows of variable size");
      if (uses.wholes.contains(var))
        return refuse("it takes the address of the array " + name);
    }
    bool writes = (uses.written.contains(var) || type->isRecordType()) && !type.isConstQualified();
    if (!isCxx && !isArray && isReachedOtherwise(var))
      return refuse("the address of " + name + " is kept elsewhere");
    result.list.push_back({var, isArray, !isCxx && !isArray && writes, openRows});
  }

  EffectsAnalysis &effects;
  const FunctionDecl *function;
  const std::vector<const Stmt *> &op;
  const Stmt *skipped;
  const ASTContext &context;
  Captures result;
};

} // namespace

Captures captures(EffectsAnalysis &effects, const FunctionDecl *function,
                  const std::vector<const Stmt *> &op, const Stmt *skipped) {
  return Collector(effects, function, op, skipped).run();
}

bool hasOpenRows(QualType type, const ASTContext &context) {
  QualType row;
  if (type->isPointerType())
    row = type->getPointeeType();
  else if (const ArrayType *array = context.getAsArrayType(type))
    row = array->getElementType();
  return !row.isNull() && row->isArrayType() && row->isVariablyModifiedType() &&
         !context.getBaseElementType(row)->isVariablyModifiedType();
}

std::string declare(QualType type, const std::string &name, const ASTContext &context) {
  PrintingPolicy policy(context.getLangOpts());
  policy.SuppressTagKeyword = context.getLangOpts().CPlusPlus;
  std::string text = name;
  type.getAsStringInternal(text, policy);
  return text;
}

} // namespace acis::rewriter
