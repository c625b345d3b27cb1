// One walk over the statements, one look at what they declare for the rest of their block.
#include "compiler/rewriter/PlaceBound.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace acis::rewriter {
namespace {

bool isStackMemory(const CallExpr *call) {
  std::string full = Program::calleeName(call);
  llvm::StringRef name = full;
  name.consume_front("__builtin_");
  return name.starts_with("alloca");
}

/// Something is done when the variable's block ends. Objects of the C++ library only give memory
/// back.
bool hasEnd(const VarDecl *var) {
  if (var->hasAttr<CleanupAttr>())
    return true;
  QualType type = var->getASTContext().getBaseElementType(var->getType());
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return record && record->hasDefinition() && !record->hasTrivialDestructor() &&
         !record->isInStdNamespace();
}

class Bounds : public DynamicRecursiveASTVisitor {
public:
  std::string reason;
  /// Pointers, iterators and the like that are set, by the variable.
  llvm::SmallPtrSet<const VarDecl *, 4> setPointers;
  bool setsOther = false; ///< one that is no variable of its own

  bool VisitPredefinedExpr(PredefinedExpr *) override {
    return say("it uses the name of its function, '__func__' or the like");
  }
  bool VisitCallExpr(CallExpr *call) override {
    if (isStackMemory(call))
      return say("memory of 'alloca' would end with it");
    return true;
  }
  bool VisitCompoundLiteralExpr(CompoundLiteralExpr *literal) override {
    if (literal->getType()->isArrayType())
      return say("a compound literal in it would end with it");
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *op) override {
    if (op->getOpcode() == UO_AddrOf && isa<CompoundLiteralExpr>(op->getSubExpr()->IgnoreParens()))
      return say("a compound literal in it would end with it");
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *op) override {
    if (op->isAssignmentOp() && op->getLHS()->getType()->isAnyPointerType())
      set(op->getLHS());
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *call) override {
    // A container copies the elements.
    if (call->getOperator() == OO_Equal && call->getNumArgs() == 2 &&
        !isOwner(call->getArg(0)->getType()))
      set(call->getArg(0));
    return true;
  }

  bool say(const char *text) {
    if (reason.empty())
      reason = text;
    return true;
  }

private:
  static bool isOwner(QualType type) {
    const CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
    return record && record->isInStdNamespace() && record->getIdentifier() &&
           llvm::is_contained({"vector", "array", "valarray", "basic_string"}, record->getName());
  }
  void set(const Expr *place) {
    const auto *ref = dyn_cast<DeclRefExpr>(place->IgnoreParenCasts());
    if (const auto *var = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr)
      setPointers.insert(var);
    else
      setsOther = true;
  }
};

class Declared : public DynamicRecursiveASTVisitor {
public:
  llvm::SmallPtrSet<const VarDecl *, 8> vars;
  bool VisitVarDecl(VarDecl *var) override {
    vars.insert(var);
    return true;
  }
};

} // namespace

std::string boundToPlace(const std::vector<const Stmt *> &stmts, const Program &program) {
  Bounds bounds;
  Declared declared;
  for (const Stmt *stmt : stmts) {
    bounds.TraverseStmt(const_cast<Stmt *>(stmt));
    declared.TraverseStmt(const_cast<Stmt *>(stmt));
  }
  if (!bounds.reason.empty())
    return bounds.reason;
  bool setsOuter = bounds.setsOther;
  for (const VarDecl *var : bounds.setPointers)
    setsOuter |= !declared.vars.contains(var);
  for (const Stmt *stmt : stmts) {
    const auto *decls = dyn_cast<DeclStmt>(stmt);
    if (!decls)
      continue;
    for (const Decl *decl : decls->decls()) {
      const auto *var = dyn_cast<VarDecl>(decl);
      if (!var || var->hasGlobalStorage())
        continue;
      std::string name = "'" + var->getNameAsString() + "'";
      if (hasEnd(var))
        return "what is done at the end of " + name + " would be done with it";
      QualType type = var->getType();
      bool isObject = type->isArrayType() || type->isRecordType();
      if (program.isAddressKept(var) || (isObject && setsOuter))
        return "a pointer may lead to " + name + ", which would end with it";
    }
  }
  return "";
}

/// Attributes that say how a function is compiled.
static bool hasModes(llvm::StringRef head) {
  for (auto [open, close] : {std::pair("__attribute__", "))"), std::pair("[[", "]]")})
    for (size_t at = head.find(open); at != head.npos; at = head.find(open, at + 1)) {
      llvm::StringRef words = head.slice(at, head.find(close, at));
      if (words.contains("optimize") || words.contains("target"))
        return true;
    }
  return false;
}

std::string boundToFunction(const FunctionDecl *function) {
  const SourceManager &sources = function->getASTContext().getSourceManager();
  auto between = [&](SourceLocation from, SourceLocation to) {
    return Lexer::getSourceText(
        CharSourceRange::getCharRange(sources.getExpansionLoc(from), sources.getExpansionLoc(to)),
        sources, function->getASTContext().getLangOpts());
  };
  const Stmt *body = function->getBody();
  if (hasModes(between(function->getBeginLoc(), body->getBeginLoc())))
    return "attributes of its function say how it is compiled";
  llvm::SmallVector<llvm::StringRef> lines;
  between(body->getBeginLoc(), body->getEndLoc()).split(lines, '\n');
  for (llvm::StringRef line : lines)
    if (line.contains("STDC") || line.contains("float_control") ||
        (line.contains("pragma") && (line.contains("optimize") || line.contains(" fp "))))
      return "a pragma holds in its function only";
  return "";
}

} // namespace acis::rewriter
