// What a statement does: one recursive walk; callees are walked once and remembered.
#include "compiler/rewriter/Effects.h"

#include "compiler/rewriter/Library.h"
#include "compiler/rewriter/MpiCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;

namespace acis::rewriter {

/// Adds up the effects of one statement.
class EffectsAnalysis::Walker {
public:
  Walker(EffectsAnalysis &analysis, Effects &effects) : analysis(analysis), effects(effects) {}

  void walk(const Stmt *stmt) {
    if (!stmt)
      return;
    if (const auto *expr = dyn_cast<Expr>(stmt))
      return walkExpr(expr);
    switch (stmt->getStmtClass()) {
    case Stmt::ReturnStmtClass:
    case Stmt::GotoStmtClass:
    case Stmt::IndirectGotoStmtClass:
    case Stmt::LabelStmtClass:
    case Stmt::CXXThrowExprClass:
      effects.jump = true;
      break;
    case Stmt::BreakStmtClass:
      effects.jump |= !breakTargets;
      break;
    case Stmt::ContinueStmtClass:
      effects.jump |= !loops;
      break;
    case Stmt::GCCAsmStmtClass:
    case Stmt::MSAsmStmtClass:
      block("asm");
      break;
    case Stmt::ForStmtClass:
    case Stmt::WhileStmtClass:
      return walkLoop(stmt, /*isLoop=*/true);
    case Stmt::DoStmtClass: {
      Expr::EvalResult value;
      const Expr *condition = cast<DoStmt>(stmt)->getCond();
      // do { } while (0) is how macros write a block.
      bool isBlock =
          !condition->isValueDependent() && isa<IntegerLiteral>(condition->IgnoreParenCasts());
      return walkLoop(stmt, !isBlock);
    }
    case Stmt::CXXForRangeStmtClass:
      return walkRange(cast<CXXForRangeStmt>(stmt));
    case Stmt::SwitchStmtClass:
      breakTargets++;
      walkChildren(stmt);
      breakTargets--;
      return;
    case Stmt::DeclStmtClass:
      for (const Decl *decl : cast<DeclStmt>(stmt)->decls())
        if (const auto *var = dyn_cast<VarDecl>(decl))
          declare(var);
      return;
    case Stmt::CXXTryStmtClass:
      block("try");
      break;
    default:
      break;
    }
    if (const auto *omp = dyn_cast<OMPExecutableDirective>(stmt)) {
      if (omp->hasAssociatedStmt())
        walk(omp->getRawStmt());
      return;
    }
    if (const auto *captured = dyn_cast<CapturedStmt>(stmt))
      return walk(captured->getCapturedStmt());
    walkChildren(stmt);
  }

private:
  void walkChildren(const Stmt *stmt) {
    for (const Stmt *child : stmt->children())
      walk(child);
  }

  void walkLoop(const Stmt *stmt, bool isLoop) {
    effects.loop |= isLoop;
    loops++;
    breakTargets++;
    walkChildren(stmt);
    loops--;
    breakTargets--;
  }

  void walkRange(const CXXForRangeStmt *range) {
    effects.loop = true;
    loops++;
    breakTargets++;
    Path container = analysis.pathOf(range->getRangeInit());
    read(container + "[");
    const VarDecl *element = range->getLoopVariable();
    if (element->getType()->isReferenceType() &&
        !element->getType()->getPointeeType().isConstQualified())
      write(container + "[");
    write({analysis.program.idOf(element), ""});
    walk(range->getBody());
    loops--;
    breakTargets--;
  }

  void declare(const VarDecl *var) {
    if (!var->hasInit())
      return;
    Path path{analysis.program.idOf(var), ""};
    if (!var->getType()->isReferenceType() && !var->isStaticLocal())
      write(var->getType()->isArrayType() ? path + "[" : path);
    walk(var->getInit());
  }

  void read(const Path &path) { effects.reads.insert(path); }
  void write(const Path &path) { effects.writes.insert(path); }
  void block(std::string name) {
    if (effects.blame.empty())
      effects.blame = std::move(name);
    effects.calls = true;
  }

  void walkExpr(const Expr *expr) {
    if (const auto *call = dyn_cast<CallExpr>(expr))
      return walkCall(call);
    if (const auto *binary = dyn_cast<BinaryOperator>(expr); binary && binary->isAssignmentOp()) {
      Path path = analysis.pathOf(binary->getLHS());
      write(path);
      if (binary->isCompoundAssignmentOp())
        read(path);
      walk(binary->getLHS());
      walk(binary->getRHS());
      return;
    }
    if (const auto *unary = dyn_cast<UnaryOperator>(expr);
        unary && unary->isIncrementDecrementOp()) {
      Path path = analysis.pathOf(unary->getSubExpr());
      write(path);
      read(path);
      walk(unary->getSubExpr());
      return;
    }
    if (const auto *cast = dyn_cast<CastExpr>(expr);
        cast && cast->getCastKind() == CK_LValueToRValue) {
      if (cast->getSubExpr()->getType().isVolatileQualified())
        block("volatile");
      read(analysis.pathOf(cast->getSubExpr()));
      walk(cast->getSubExpr());
      return;
    }
    if (isa<CXXNewExpr, CXXDeleteExpr>(expr))
      effects.alloc = true;
    if (const auto *gone = dyn_cast<CXXDeleteExpr>(expr))
      if (Path target = analysis.targetOf(gone->getArgument()); target.var != Path::Unknown)
        write(target);
    if (isa<LambdaExpr, CXXThrowExpr>(expr))
      return block(isa<LambdaExpr>(expr) ? "lambda" : "throw");
    if (isa<UnaryExprOrTypeTraitExpr>(expr))
      return;
    if (const auto *construct = dyn_cast<CXXConstructExpr>(expr))
      return walkConstruct(construct);
    walkChildren(expr);
  }

  void walkConstruct(const CXXConstructExpr *construct) {
    const CXXConstructorDecl *constructor = construct->getConstructor();
    for (const Expr *arg : construct->arguments()) {
      if (arg->isGLValue())
        read(analysis.pathOf(arg));
      walk(arg);
    }
    if (constructor->isTrivial())
      return;
    if (constructor->getParent()->isInStdNamespace())
      effects.alloc = true;
    else if (constructor->doesThisDeclarationHaveABody() || constructor->isDefaulted())
      return;
    else
      block(constructor->getQualifiedNameAsString());
  }

  void walkArguments(const CallExpr *call) {
    for (const Expr *arg : call->arguments())
      walk(arg);
    if (const auto *member = dyn_cast<CXXMemberCallExpr>(call))
      if (const Expr *object = member->getImplicitObjectArgument())
        walk(object);
  }

  /// Everything that arguments of pointer or reference type lead to.
  void touchTargets(const CallExpr *call, bool mayWrite) {
    const FunctionDecl *callee = Program::callee(call);
    for (unsigned i = 0; i < call->getNumArgs(); i++) {
      const Expr *arg = call->getArg(i);
      if (arg->isGLValue()) {
        read(analysis.pathOf(arg));
        continue;
      }
      if (!arg->getType()->isPointerType()) {
        // Iterators.
        if (Path target = analysis.targetOf(arg); target.var != Path::Unknown)
          read(target);
        continue;
      }
      Path target = analysis.targetOf(arg);
      if (target.var == Path::Unknown)
        continue;
      read(target);
      QualType param = callee && i < callee->getNumParams() ? callee->getParamDecl(i)->getType()
                                                            : arg->getType();
      bool isConst = param->isPointerType() && param->getPointeeType().isConstQualified();
      if (mayWrite && !isConst)
        write(target);
    }
  }

  void walkCall(const CallExpr *call) {
    std::string name = Program::calleeName(call);
    if (walkMember(call))
      return;
    MpiClass mpi = classOf(name);
    if (mpi != MpiClass::None && name != "MPI_Abort") {
      walkArguments(call);
      touchTargets(call, /*mayWrite=*/true);
      effects.timer |= name == "MPI_Wtime";
      if (mpi != MpiClass::Quiet) {
        effects.comm = true;
        effects.blame = name;
      }
      return;
    }
    if (const FunctionDecl *body = analysis.program.definition(call))
      return walkVisible(call, body);
    walkArguments(call);
    walkLibrary(call, name);
  }

  void walkVisible(const CallExpr *call, const FunctionDecl *body) {
    walkArguments(call);
    const Effects &inner = analysis.ofFunction(body);
    Effects outer = inner;
    outer.reads.clear();
    outer.writes.clear();
    outer.jump = false;
    Path path;
    for (const Path &place : inner.reads)
      if (analysis.translate(place, call, body, path))
        outer.reads.insert(path);
    for (const Path &place : inner.writes)
      if (analysis.translate(place, call, body, path))
        outer.writes.insert(path);
    effects.add(outer);
  }

  void walkLibrary(const CallExpr *call, const std::string &name) {
    auto say = [&](bool &flag) {
      flag = true;
      if (effects.blame.empty() || effects.calls)
        effects.blame = name;
    };
    switch (libraryEffect(name)) {
    case LibraryEffect::Pure:
      touchTargets(call, /*mayWrite=*/false);
      break;
    case LibraryEffect::Loop:
      effects.loop = true;
      [[fallthrough]];
    case LibraryEffect::Memory:
      touchTargets(call, /*mayWrite=*/true);
      if (call->getNumArgs() && name.find("_") == std::string::npos)
        if (Path target = analysis.targetOf(call->getArg(0));
            target.var != Path::Unknown &&
            (name == "std::fill" || name == "std::iota" || name == "std::copy"))
          write(name == "std::copy" && call->getNumArgs() > 2 ? analysis.targetOf(call->getArg(2))
                                                              : target);
      break;
    case LibraryEffect::Alloc:
      effects.alloc = true;
      // What is freed is no longer there for others.
      if (name == "free" || name == "realloc")
        if (Path target = analysis.targetOf(call->getArg(0)); target.var != Path::Unknown)
          write(target);
      break;
    case LibraryEffect::Timer:
      effects.timer = true;
      touchTargets(call, /*mayWrite=*/true);
      break;
    case LibraryEffect::Print:
      touchTargets(call, /*mayWrite=*/false);
      say(effects.print);
      break;
    case LibraryEffect::Io:
      touchTargets(call, /*mayWrite=*/true);
      say(effects.io);
      break;
    case LibraryEffect::Exit:
      effects.exits = true;
      break;
    case LibraryEffect::Unknown:
      touchTargets(call, /*mayWrite=*/true);
      if (const FunctionDecl *callee = Program::callee(call))
        effects.exits |= callee->isNoReturn();
      if (effects.blame.empty())
        effects.blame = name.empty() ? "a function pointer" : name;
      effects.calls = true;
      break;
    }
  }

  /// Methods and operators of library classes. False: not one.
  bool walkMember(const CallExpr *call) {
    if (const auto *op = dyn_cast<CXXOperatorCallExpr>(call)) {
      if (op->getNumArgs() == 0)
        return false;
      const Expr *object = op->getArg(0);
      if (isStream(object->getType())) {
        for (const Expr *arg : op->arguments()) {
          if (arg->isGLValue())
            read(analysis.pathOf(arg));
          walk(arg);
        }
        (op->getOperator() == OO_LessLess ? effects.print : effects.io) = true;
        effects.blame = "std::ostream";
        return true;
      }
      if (!isContainer(object->getType()))
        return false;
      walkArguments(call);
      if (op->getOperator() == OO_Equal)
        write(analysis.pathOf(object));
      return true;
    }
    const auto *member = dyn_cast<CXXMemberCallExpr>(call);
    if (!member || !member->getMethodDecl())
      return false;
    const Expr *object = member->getImplicitObjectArgument();
    if (isStream(object->getType())) {
      walkArguments(call);
      effects.print = true;
      return true;
    }
    if (!isContainer(object->getType()))
      return false;
    walkArguments(call);
    Path path = analysis.pathOf(object);
    read(path);
    if (!member->getMethodDecl()->isConst() &&
        !isOneOf(member->getMethodDecl()->getNameAsString(),
                 {"data", "begin", "end", "at", "front", "back", "operator[]", "get"})) {
      write(path);
      effects.alloc = true;
    }
    return true;
  }

  EffectsAnalysis &analysis;
  Effects &effects;
  unsigned loops = 0, breakTargets = 0;
};

Effects EffectsAnalysis::of(const Stmt *stmt) {
  Effects effects;
  Walker(*this, effects).walk(stmt);
  return effects;
}

const Effects &EffectsAnalysis::ofFunction(const FunctionDecl *function) {
  auto [place, isNew] = functions.try_emplace(function);
  if (!isNew)
    return place->second;
  // While the walk is under way a recursive call finds this.
  place->second.calls = true;
  place->second.blame = function->getQualifiedNameAsString();
  Effects effects = of(function->getBody());
  effects.jump = false;
  return functions[function] = std::move(effects);
}

} // namespace acis::rewriter
