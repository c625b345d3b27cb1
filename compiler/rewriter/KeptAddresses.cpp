// One walk notes what is stored and what is passed on; then parameters are followed until nothing
// is added.
#include "compiler/rewriter/KeptAddresses.h"

#include "compiler/rewriter/CallSite.h"
#include "compiler/rewriter/Library.h"
#include "compiler/rewriter/MpiCalls.h"
#include "compiler/rewriter/Program.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"

using namespace clang;

namespace acis::rewriter {
namespace {

using Variables = llvm::SmallVector<const VarDecl *, 2>;

/// What an address leads to: a variable, or a parameter for what it points to.
class Roots {
public:
  Variables found;

  void ofPointer(const Stmt *value) {
    if (!value)
      return;
    if (const auto *unary = dyn_cast<UnaryOperator>(value);
        unary && unary->getOpcode() == UO_AddrOf)
      return ofPlace(unary->getSubExpr());
    if (const auto *cast = dyn_cast<CastExpr>(value)) {
      if (cast->getCastKind() == CK_ArrayToPointerDecay)
        return ofPlace(cast->getSubExpr());
      if (cast->getCastKind() == CK_LValueToRValue)
        return ofLoaded(cast->getSubExpr());
    }
    // What a function of the program returns, it keeps. One of the libraries returns an argument.
    if (const auto *call = dyn_cast<CallExpr>(value)) {
      if (libraryEffect(Program::callee(call)) != LibraryEffect::Unknown)
        for (const Expr *arg : call->arguments())
          ofPointer(arg);
      return;
    }
    if (isa<LambdaExpr>(value))
      return;
    for (const Stmt *child : value->children())
      ofPointer(child);
  }

  void ofPlace(const Expr *place) {
    place = place->IgnoreParens();
    if (const auto *cast = dyn_cast<CastExpr>(place))
      return ofPlace(cast->getSubExpr());
    if (const auto *member = dyn_cast<MemberExpr>(place))
      return member->isArrow() ? ofPointer(member->getBase()) : ofPlace(member->getBase());
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(place))
      return ofPointer(element->getBase());
    if (const auto *unary = dyn_cast<UnaryOperator>(place); unary && unary->getOpcode() == UO_Deref)
      return ofPointer(unary->getSubExpr());
    if (const auto *ref = dyn_cast<DeclRefExpr>(place)) {
      if (const auto *var = dyn_cast<VarDecl>(ref->getDecl()))
        found.push_back(var->getCanonicalDecl());
      return;
    }
    for (const Stmt *child : place->children())
      if (const auto *expr = dyn_cast_or_null<Expr>(child))
        expr->isGLValue() ? ofPlace(expr) : ofPointer(expr);
  }

private:
  /// A pointer that lies somewhere was kept when it was put there; a parameter was not.
  void ofLoaded(const Expr *place) {
    const auto *ref = dyn_cast<DeclRefExpr>(place->IgnoreParenCasts());
    const auto *param = ref ? dyn_cast<ParmVarDecl>(ref->getDecl()) : nullptr;
    if (param && param->getType()->isPointerType())
      found.push_back(param->getCanonicalDecl());
  }
};

class Walk : public DynamicRecursiveASTVisitor {
public:
  explicit Walk(const Program &program) : program(program) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool VisitVarDecl(VarDecl *var) override {
    if (const Expr *init = var->getInit(); init && !isa<ParmVarDecl>(var))
      var->getType()->isReferenceType() ? keepPlace(init) : keep(init);
    return true;
  }
  bool VisitReturnStmt(ReturnStmt *stmt) override {
    if (const Expr *value = stmt->getRetValue())
      value->isGLValue() ? keepPlace(value) : keep(value);
    return true;
  }
  bool VisitInitListExpr(InitListExpr *list) override {
    for (const Expr *value : list->inits())
      value->isGLValue() ? keepPlace(value) : keep(value);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *op) override {
    if (op->isAssignmentOp())
      keep(op->getRHS());
    return true;
  }
  bool TraverseConstructorInitializer(CXXCtorInitializer *init) override {
    if (const Expr *value = init->getInit())
      value->isGLValue() ? keepPlace(value) : keep(value);
    return DynamicRecursiveASTVisitor::TraverseConstructorInitializer(init);
  }
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = Program::callee(call), *body = program.definition(call);
    if (callee)
      pass(callee, body, CallSite(call, body ? body : callee).args);
    else // through a pointer
      pass(nullptr, nullptr, llvm::ArrayRef(call->getArgs(), call->getNumArgs()));
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *construct) override {
    const FunctionDecl *callee = construct->getConstructor(), *body = nullptr;
    if (!callee->isDefined(body) || callee->isInStdNamespace())
      body = nullptr;
    pass(callee, body, llvm::ArrayRef(construct->getArgs(), construct->getNumArgs()));
    return true;
  }

  llvm::DenseSet<const VarDecl *> finish() {
    for (size_t before = kept.size() + 1; before != kept.size();) {
      before = kept.size();
      for (const Passed &each : passed)
        if (kept.contains(each.param))
          kept.insert(each.roots.begin(), each.roots.end());
    }
    return std::move(kept);
  }

private:
  /// Arguments of a function of the program: kept if the parameter is.
  struct Passed {
    const VarDecl *param;
    Variables roots;
  };

  void keep(const Expr *value) {
    if (value->getType().isNull() ||
        !(value->getType()->isAnyPointerType() || value->getType()->isArrayType()))
      return;
    Roots roots;
    roots.ofPointer(value);
    kept.insert(roots.found.begin(), roots.found.end());
  }
  void keepPlace(const Expr *place) {
    Roots roots;
    roots.ofPlace(place);
    kept.insert(roots.found.begin(), roots.found.end());
  }

  void pass(const FunctionDecl *callee, const FunctionDecl *body,
            llvm::ArrayRef<const Expr *> args) {
    if (!body && isForgetful(callee))
      return;
    for (size_t i = 0; i < args.size(); i++) {
      if (args[i]->getType().isNull())
        continue;
      const FunctionDecl *declared = body ? body : callee;
      const ParmVarDecl *param =
          declared && i < declared->getNumParams() ? declared->getParamDecl(i) : nullptr;
      bool isReference = param ? param->getType()->isReferenceType() : args[i]->isGLValue();
      // The libraries copy numbers that they get by reference.
      if (!body && isReference && callee && callee->isInStdNamespace() &&
          args[i]->getType()->isArithmeticType())
        continue;
      Roots roots;
      if (isReference && args[i]->isGLValue())
        roots.ofPlace(args[i]);
      else if (args[i]->getType()->isAnyPointerType() || args[i]->getType()->isArrayType())
        roots.ofPointer(args[i]);
      if (roots.found.empty())
        continue;
      if (body && param)
        passed.push_back({param->getCanonicalDecl(), std::move(roots.found)});
      else
        kept.insert(roots.found.begin(), roots.found.end());
    }
  }

  /// Keeps nothing of what it is given longer than it runs, or than its communication lasts.
  bool isForgetful(const FunctionDecl *callee) const {
    if (!callee)
      return false;
    std::string name = callee->getQualifiedNameAsString();
    if (classOf(name) == MpiClass::Communication && isKeeper(shortName(name)))
      return false;
    return classOf(name) != MpiClass::None || libraryEffect(callee) != LibraryEffect::Unknown ||
           program.isLocalByOption(name) || callee->hasAttr<ConstAttr>();
  }

  /// Functions of MPI that let other ranks, or functions of the program, have an address.
  static bool isKeeper(llvm::StringRef name) {
    return name.starts_with("Win_") || name.ends_with("_attach") || name.ends_with("_set_attr") ||
           name.ends_with("_put") || name == "Grequest_start";
  }

  const Program &program;
  llvm::DenseSet<const VarDecl *> kept;
  std::vector<Passed> passed;
};

} // namespace

llvm::DenseSet<const VarDecl *> findKeptAddresses(const Program &program) {
  Walk walk(program);
  for (const auto &unit : program.units()) {
    ASTContext &context = unit->getASTContext();
    const SourceManager &sources = context.getSourceManager();
    for (Decl *decl : context.getTranslationUnitDecl()->decls())
      if (decl->getLocation().isValid() && !sources.isInSystemHeader(decl->getLocation()))
        walk.TraverseDecl(decl);
  }
  return walk.finish();
}

} // namespace acis::rewriter
