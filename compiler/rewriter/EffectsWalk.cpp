// What a statement does: one recursive walk; callees are walked once and remembered.
#include "compiler/rewriter/EffectsWalker.h"

#include "compiler/rewriter/Library.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"

using namespace clang;

namespace acis::rewriter {

void EffectsAnalysis::Walker::walk(const Stmt *stmt) {
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
    switches++;
    walkChildren(stmt);
    switches--;
    breakTargets--;
    return;
  case Stmt::CaseStmtClass:
  case Stmt::DefaultStmtClass: // of a switch round the statement: a way into it
    effects.jump |= !switches;
    break;
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

void EffectsAnalysis::Walker::walkChildren(const Stmt *stmt) {
  for (const Stmt *child : stmt->children())
    walk(child);
}

void EffectsAnalysis::Walker::walkLoop(const Stmt *stmt, bool isLoop) {
  effects.loop |= isLoop;
  loops++;
  breakTargets++;
  walkChildren(stmt);
  loops--;
  breakTargets--;
}

void EffectsAnalysis::Walker::walkRange(const CXXForRangeStmt *range) {
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

void EffectsAnalysis::Walker::declare(const VarDecl *var) {
  if (!var->getType()->isReferenceType())
    walkDestructor(var->getType());
  for (QualType type = var->getType(); const auto *array = type->getAsArrayTypeUnsafe();
       type = array->getElementType())
    if (const auto *sized = dyn_cast<VariableArrayType>(array); sized && sized->getSizeExpr())
      walk(sized->getSizeExpr());
  if (!var->getInit())
    return;
  Path path{analysis.program.idOf(var), ""};
  if (!var->getType()->isReferenceType() && !var->isStaticLocal())
    write(var->getType()->isArrayType() ? path + "[" : path);
  walk(var->getInit());
}

void EffectsAnalysis::Walker::walkExpr(const Expr *expr) {
  if (const auto *call = dyn_cast<CallExpr>(expr))
    return walkCall(call);
  if (const auto *binary = dyn_cast<BinaryOperator>(expr); binary && binary->isAssignmentOp()) {
    Path path = analysis.pathOf(binary->getLHS());
    seeQualifiers(binary->getLHS());
    write(path);
    if (binary->isCompoundAssignmentOp())
      read(path);
    walk(binary->getLHS());
    walk(binary->getRHS());
    return;
  }
  if (const auto *unary = dyn_cast<UnaryOperator>(expr); unary && unary->isIncrementDecrementOp()) {
    Path path = analysis.pathOf(unary->getSubExpr());
    seeQualifiers(unary->getSubExpr());
    write(path);
    read(path);
    walk(unary->getSubExpr());
    return;
  }
  if (const auto *cast = dyn_cast<CastExpr>(expr);
      cast && cast->getCastKind() == CK_LValueToRValue) {
    seeQualifiers(cast->getSubExpr());
    read(analysis.pathOf(cast->getSubExpr()));
    walk(cast->getSubExpr());
    return;
  }
  if (isa<CXXNewExpr, CXXDeleteExpr>(expr))
    effects.alloc = true;
  if (const auto *gone = dyn_cast<CXXDeleteExpr>(expr)) {
    if (Path target = analysis.targetOf(gone->getArgument()); target.var != Path::Unknown)
      write(target);
    if (QualType type = gone->getDestroyedType(); !type.isNull())
      walkDestructor(type);
  }
  if (isa<AtomicExpr>(expr))
    return block("atomic");
  if (const auto *lambda = dyn_cast<LambdaExpr>(expr))
    return walkLambda(lambda);
  if (isa<CXXThrowExpr>(expr))
    return block("throw");
  if (const auto *temporary = dyn_cast<CXXBindTemporaryExpr>(expr))
    walkDestructor(temporary->getType());
  if (isa<UnaryExprOrTypeTraitExpr>(expr))
    return;
  if (const auto *construct = dyn_cast<CXXConstructExpr>(expr))
    return walkConstruct(construct);
  walkChildren(expr);
}

/// Others than this thread see when and in which order these are read and written.
void EffectsAnalysis::Walker::seeQualifiers(const Expr *place) {
  if (place->getType().isVolatileQualified())
    block("volatile");
  if (place->getType()->isAtomicType())
    block("atomic");
}

void EffectsAnalysis::Walker::walkConstruct(const CXXConstructExpr *construct) {
  const CXXConstructorDecl *constructor = construct->getConstructor();
  for (const Expr *arg : construct->arguments()) {
    if (arg->isGLValue())
      read(analysis.pathOf(arg));
    else if (arg->getType()->isPointerType() || isIterator(arg->getType()))
      read(analysis.targetOf(arg)); // std::vector<T>(first, last)
    walk(arg);
  }
  if (constructor->isTrivial() || constructor->getParent()->isLambda())
    return;
  if (constructor->getParent()->isInStdNamespace()) {
    effects.alloc = true;
    // std::thread and std::function keep what they are given.
    for (const Expr *arg : construct->arguments())
      if (const CXXRecordDecl *record = arg->getType()->getAsCXXRecordDecl();
          record && record->isLambda())
        block(constructor->getQualifiedNameAsString());
    return;
  }
  const FunctionDecl *body = nullptr;
  if (constructor->isDefined(body) && !constructor->isDefaulted())
    return walkBody({construct, body});
  if (!constructor->isDefaulted())
    block(constructor->getQualifiedNameAsString());
}

/// Making it copies what it captures by value; what it does is done where it is called.
void EffectsAnalysis::Walker::walkLambda(const LambdaExpr *lambda) {
  auto init = lambda->capture_init_begin();
  for (const LambdaCapture &capture : lambda->captures()) {
    const Expr *value = *init++;
    if (capture.getCaptureKind() == LCK_ByCopy && value)
      walk(value);
  }
}

void EffectsAnalysis::Walker::walkDestructor(QualType type) {
  const CXXRecordDecl *record = type->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return;
  if (record->isInStdNamespace()) {
    // Of the elements of a container.
    if (const auto *instance = dyn_cast<ClassTemplateSpecializationDecl>(record))
      for (const TemplateArgument &argument : instance->getTemplateArgs().asArray())
        if (argument.getKind() == TemplateArgument::Type)
          walkDestructor(argument.getAsType());
    return;
  }
  const CXXDestructorDecl *destructor = record->getDestructor();
  if (!destructor || destructor->isTrivial() || !destroyed.insert(record).second)
    return;
  for (const FieldDecl *field : record->fields())
    walkDestructor(field->getType());
  for (const CXXBaseSpecifier &base : record->bases())
    walkDestructor(base.getType());
  if (destructor->isDefaulted())
    return;
  const FunctionDecl *body = nullptr;
  if (destructor->isDefined(body))
    walkBody(CallSite(body));
  else
    block(destructor->getQualifiedNameAsString());
}

Effects EffectsAnalysis::of(const Stmt *stmt) {
  Effects effects;
  Walker(*this, effects).walk(stmt);
  return effects;
}

Effects EffectsAnalysis::ofBody(const FunctionDecl *function) {
  active.push_back(function);
  Effects effects = of(function->getBody());
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(function))
    for (const CXXCtorInitializer *member : constructor->inits())
      effects.add(of(member->getInit()));
  effects.jump = false;
  active.pop_back();
  return effects;
}

/// Of a function that calls itself: the least effects that are those of its body if the inner calls
/// have them. What functions that call each other do is not known, as those between would keep what
/// was found too early.
const Effects &EffectsAnalysis::ofFunction(const FunctionDecl *function) {
  constexpr unsigned MostRounds = 32;
  auto [place, isNew] = functions.try_emplace(function);
  if (!isNew) {
    bool isActive = llvm::is_contained(active, function);
    if (isActive && active.back() == function)
      recursive.insert(function);
    if (!isActive || active.back() == function)
      return place->second;
    Effects &mutual = cycles[function];
    mutual.calls = mutual.cycle = true;
    mutual.blame = function->getQualifiedNameAsString();
    return mutual;
  }
  Effects found;
  for (unsigned round = 0;; round++) {
    found = ofBody(function);
    if (!recursive.contains(function))
      break;
    found.loop = true;
    if (found == functions[function])
      break;
    if (round == MostRounds) {
      found.calls = found.cycle = true;
      found.blame = function->getQualifiedNameAsString();
      break;
    }
    functions[function] = found;
  }
  return functions[function] = std::move(found);
}

} // namespace acis::rewriter
