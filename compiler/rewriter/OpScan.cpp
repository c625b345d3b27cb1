#include "compiler/rewriter/OpScan.h"

#include "compiler/rewriter/OpMemory.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace clang;

namespace acis::rewriter {
namespace {

class Scanner : public DynamicRecursiveASTVisitor {
public:
  explicit Scanner(const DoneCall &done) : done(done) {}
  bool isArgument = false;
  OpScan found;

  bool TraverseStmt(Stmt *stmt) override {
    return DynamicRecursiveASTVisitor::TraverseStmt(
        stmt && stmt == done.call ? const_cast<Expr *>(done.value) : stmt);
  }

  bool VisitExpr(Expr *expr) override {
    if (expr->getType().isNull()) // the text of a static_assert
      return true;
    QualType type = expr->getType().getCanonicalType();
    if (type->isSpecificBuiltinType(BuiltinType::LongDouble) || type->isAnyComplexType() ||
        type->isBitIntType())
      found.wrongType = type.getAsString();
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    const auto *var = dyn_cast<VarDecl>(ref->getDecl());
    if (var && isArgument && depth == 0 && !var->hasGlobalStorage())
      found.given.insert(var);
    if (var && var->hasGlobalStorage() && !var->isStaticLocal()) {
      found.globals.insert(var);
      if (depth > 0)
        found.ofCallees.insert(var);
    }
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *body = nullptr;
    if (const FunctionDecl *callee = call->getDirectCallee();
        callee && !callee->isInStdNamespace() && !vectorCall(call) && callee->isDefined(body) &&
        found.callees.insert(body)) {
      depth++;
      TraverseStmt(body->getBody());
      depth--;
    }
    return true;
  }

private:
  const DoneCall &done;
  unsigned depth = 0;
};

/// Uses of a variable outside the op, but for loops behind or before it that set it first.
class LaterUses : public DynamicRecursiveASTVisitor {
public:
  LaterUses(const VarDecl *var, const std::vector<const Stmt *> &op) : var(var), op(op) {}
  bool found = false;

  bool TraverseStmt(Stmt *stmt) override {
    if (llvm::is_contained(op, stmt))
      return true;
    const auto *loop = dyn_cast_or_null<ForStmt>(stmt);
    const auto *init = loop ? dyn_cast_or_null<BinaryOperator>(loop->getInit()) : nullptr;
    const auto *ref = init && init->getOpcode() == BO_Assign
                          ? dyn_cast<DeclRefExpr>(init->getLHS()->IgnoreParens())
                          : nullptr;
    if (ref && ref->getDecl() == var && !holdsOp(loop))
      return true;
    return DynamicRecursiveASTVisitor::TraverseStmt(stmt);
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    found |= ref->getDecl() == var;
    return true;
  }

private:
  bool holdsOp(const Stmt *stmt) const {
    return stmt &&
           (llvm::is_contained(op, stmt) ||
            llvm::any_of(stmt->children(), [&](const Stmt *child) { return holdsOp(child); }));
  }

  const VarDecl *var;
  const std::vector<const Stmt *> &op;
};

const VarDecl *variableOf(const Expr *expr) {
  const auto *ref = dyn_cast<DeclRefExpr>(expr->IgnoreParenImpCasts());
  return ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
}

/// array[counter] = value
bool writesAt(const Stmt *stmt, const VarDecl *array, const VarDecl *counter) {
  const auto *assign = dyn_cast<BinaryOperator>(stmt);
  const auto *element = assign && assign->getOpcode() == BO_Assign
                            ? dyn_cast<ArraySubscriptExpr>(assign->getLHS()->IgnoreParens())
                            : nullptr;
  return element && variableOf(element->getBase()) == array &&
         variableOf(element->getIdx()) == counter;
}

} // namespace

OpScan scan(const std::vector<const Stmt *> &op, const DoneCall &done) {
  Scanner scanner(done);
  scanner.isArgument = true;
  for (const auto &[param, argument] : done.arguments)
    scanner.TraverseStmt(const_cast<Expr *>(argument));
  scanner.isArgument = false;
  for (const auto *list : {&done.tail, &op})
    for (const Stmt *stmt : *list)
      scanner.TraverseStmt(const_cast<Stmt *>(stmt));
  return std::move(scanner.found);
}

OpQuestions::OpQuestions(EffectsAnalysis &effects, const Candidate &candidate, const DoneCall &done)
    : effects(effects), candidate(candidate), done(done), context(candidate.in->getASTContext()) {
  for (const auto &[param, argument] : done.arguments)
    op.add(effects.of(argument));
  for (const auto *list : {&done.tail, &candidate.op})
    for (const Stmt *stmt : *list)
      op.add(effects.of(stmt));
  if (!done.call)
    return;
  // What the function reaches by its parameters is memory of the call.
  const CallSite site(done.call, candidate.wrapper);
  for (Paths *paths : {&op.reads, &op.writes})
    for (const Path &path : Paths(*paths))
      if (Path outer; effects.translate(path, site, outer))
        paths->insert(outer);
}

bool OpQuestions::isOverwritten(const VarDecl *var, const Path &elements, uint64_t count) {
  if (overlaps(op.reads, elements))
    return false;
  return llvm::any_of(candidate.op, [&](const Stmt *stmt) {
    const auto *loop = dyn_cast<ForStmt>(stmt);
    const VarDecl *counter = loop ? countsTo(loop, count) : nullptr;
    if (!counter)
      return false;
    const auto *block = dyn_cast<CompoundStmt>(loop->getBody());
    if (!block)
      return writesAt(loop->getBody(), var, counter);
    // A break or continue could leave some out.
    return !effects.of(loop->getBody()).jump && llvm::any_of(block->body(), [&](const Stmt *child) {
      return writesAt(child, var, counter);
    });
  });
}

/// The counter of a loop over 0 to count - 1; null: it is another loop.
const VarDecl *OpQuestions::countsTo(const ForStmt *loop, uint64_t count) {
  const VarDecl *counter = nullptr;
  const Expr *from = nullptr;
  if (const auto *decl = dyn_cast_or_null<DeclStmt>(loop->getInit());
      decl && decl->isSingleDecl()) {
    counter = dyn_cast<VarDecl>(decl->getSingleDecl());
    from = counter ? counter->getInit() : nullptr;
  } else if (const auto *assign = dyn_cast_or_null<BinaryOperator>(loop->getInit());
             assign && assign->getOpcode() == BO_Assign) {
    counter = variableOf(assign->getLHS());
    from = assign->getRHS();
  }
  const auto *test = dyn_cast_or_null<BinaryOperator>(loop->getCond());
  const auto *step = dyn_cast_or_null<UnaryOperator>(loop->getInc());
  Expr::EvalResult first, last;
  bool isWhole =
      counter && from && from->EvaluateAsInt(first, context) && first.Val.getInt() == 0 && test &&
      test->getOpcode() == BO_LT && variableOf(test->getLHS()) == counter &&
      test->getRHS()->EvaluateAsInt(last, context) && last.Val.getInt().getZExtValue() == count &&
      step && step->isIncrementOp() && variableOf(step->getSubExpr()) == counter &&
      !overlaps(effects.of(loop->getBody()).writes, pathOf(counter));
  return isWhole ? counter : nullptr;
}

bool OpQuestions::isLive(const VarDecl *var) {
  if (var->hasGlobalStorage())
    return true;
  if (!done.owns(var) && !isNewInBlock(var) && !isSetFirst(var)) {
    // The op itself reads it in the next turn of a loop round the chain.
    const std::vector<const Stmt *> none;
    LaterUses again(var, none);
    for (const Stmt *stmt : candidate.op)
      again.TraverseStmt(const_cast<Stmt *>(stmt));
    if (again.found)
      return true;
  }
  LaterUses uses(var, candidate.op);
  uses.TraverseStmt(candidate.in->getBody());
  return uses.found;
}

const Expr *OpQuestions::constantBefore(const VarDecl *var) {
  bool isOwn = var->getType().isConstQualified() || effects.theProgram().onlyValue(var);
  for (const Stmt *stmt : candidate.movedBefore)
    if (const auto *decl = dyn_cast<DeclStmt>(stmt))
      isOwn |= llvm::is_contained(decl->decls(), static_cast<const Decl *>(var));
  isOwn |= startsInBlock(var);
  Expr::EvalResult value;
  if (!isOwn || !var->getInit() || var->getInit()->isValueDependent() ||
      !var->getInit()->EvaluateAsRValue(value, context))
    return nullptr;
  return var->getInit();
}

/// Whether the op finds another object each time: the block of the chain declares it, and no label
/// leads back behind that.
bool OpQuestions::isNewInBlock(const VarDecl *var) {
  if (!candidate.block)
    return false;
  bool isDeclared = false;
  for (const Stmt *stmt : candidate.block->children()) {
    if (const auto *decl = dyn_cast_or_null<DeclStmt>(stmt))
      isDeclared |= llvm::is_contained(decl->decls(), static_cast<const Decl *>(var));
    if (isDeclared && isa_and_nonnull<LabelStmt>(stmt))
      return false;
  }
  return isDeclared;
}

/// Whether the block of the chain declares it and only the op writes it afterwards.
bool OpQuestions::startsInBlock(const VarDecl *var) {
  if (!isNewInBlock(var))
    return false;
  Effects use;
  use.reads.insert(pathOf(var));
  bool isDeclared = false;
  for (const Stmt *stmt : candidate.block->children()) {
    if (const auto *decl = dyn_cast_or_null<DeclStmt>(stmt);
        decl && llvm::is_contained(decl->decls(), static_cast<const Decl *>(var))) {
      isDeclared = true;
      continue;
    }
    if (!candidate.op.empty() && stmt == candidate.op.front())
      break;
    // By its name, or through a pointer that may lead to it.
    const Effects between = effects.of(stmt);
    if (isDeclared &&
        (effects.conflict(between, use) || (between.calls && !effects.isOnlyNamed(pathOf(var)))))
      return false;
  }
  return true;
}

bool OpQuestions::isSetFirst(const VarDecl *var) {
  for (const auto *list : {&done.tail, &candidate.op})
    for (const Stmt *stmt : *list) {
      const Effects uses = effects.of(stmt);
      if (!overlaps(uses.reads, pathOf(var)) && !overlaps(uses.writes, pathOf(var)))
        continue;
      const auto *loop = dyn_cast<ForStmt>(stmt);
      const auto *set = dyn_cast_or_null<BinaryOperator>(loop ? loop->getInit() : stmt);
      if (!set || set->getOpcode() != BO_Assign || variableOf(set->getLHS()) != var ||
          overlaps(effects.of(set->getRHS()).reads, pathOf(var)))
        return false;
    }
  return true;
}

} // namespace acis::rewriter
