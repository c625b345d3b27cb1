// Statements and conditions; OpIntegers.cpp has expressions, OpPlaces.cpp pointers and memory.
#include "compiler/rewriter/OpWalk.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace clang;

namespace acis::rewriter {
namespace {

/// Variables that a statement, or a function that it calls, may assign.
class Assigned : public DynamicRecursiveASTVisitor {
public:
  std::set<const VarDecl *> vars;

  bool VisitBinaryOperator(BinaryOperator *op) override {
    if (op->isAssignmentOp())
      add(op->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *op) override {
    if (op->isIncrementDecrementOp() || op->getOpcode() == UO_AddrOf)
      add(op->getSubExpr());
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *body = nullptr;
    if (const FunctionDecl *callee = call->getDirectCallee();
        callee && callee->isDefined(body) && seen.insert(body).second)
      TraverseStmt(body->getBody());
    return true;
  }

private:
  void add(const Expr *place) {
    if (const auto *ref = dyn_cast<DeclRefExpr>(place->IgnoreParens()))
      if (const auto *var = dyn_cast<VarDecl>(ref->getDecl()))
        vars.insert(var);
  }
  std::set<const FunctionDecl *> seen;
};

std::set<const VarDecl *> assignedIn(std::initializer_list<const Stmt *> stmts) {
  Assigned assigned;
  for (const Stmt *stmt : stmts)
    if (stmt)
      assigned.TraverseStmt(const_cast<Stmt *>(stmt));
  return assigned.vars;
}

} // namespace

void OpWalk::refuse(const Stmt *stmt, const std::string &why) {
  if (!refusal)
    refusal = {"handler", why + lineOf(stmt, context)};
}

void OpWalk::walk(const Stmt *stmt) {
  if (!stmt || refusal)
    return;
  if (const auto *expr = dyn_cast<Expr>(stmt))
    eval(expr);
  else if (const auto *decl = dyn_cast<DeclStmt>(stmt))
    walkDeclaration(decl);
  else if (const auto *condition = dyn_cast<IfStmt>(stmt))
    walkIf(condition);
  else if (const auto *loop = dyn_cast<ForStmt>(stmt))
    walkLoop(loop, loop->getInit(), loop->getCond(), loop->getBody(), loop->getInc(), true);
  else if (const auto *loop = dyn_cast<WhileStmt>(stmt))
    walkLoop(loop, nullptr, loop->getCond(), loop->getBody(), nullptr, true);
  else if (const auto *loop = dyn_cast<DoStmt>(stmt))
    walkLoop(loop, nullptr, loop->getCond(), loop->getBody(), nullptr, false);
  else if (const auto *choice = dyn_cast<SwitchStmt>(stmt))
    walkLoop(choice, nullptr, choice->getCond(), choice->getBody(), nullptr, false);
  else if (const auto *back = dyn_cast<ReturnStmt>(stmt)) {
    if (const Expr *value = back->getRetValue()) {
      Range range = eval(value);
      if (!returned.empty())
        grow(returned.back(), range);
    }
  } else if (const auto *label = dyn_cast<SwitchCase>(stmt))
    walk(label->getSubStmt());
  else if (isa<CompoundStmt, AttributedStmt>(stmt))
    for (const Stmt *child : stmt->children())
      walk(child);
  else if (!isa<NullStmt, BreakStmt, ContinueStmt>(stmt))
    refuse(stmt, "it has a statement or a call of a kind that handlers do not have");
}

/// Rows of a length of run time have it in the names of one place only.
bool OpWalk::hasRows(const Stmt *stmt, QualType type, const Expr *value) {
  bool isRow = type->isPointerType() && type->getPointeeType()->isArrayType();
  if (!type->isVariablyModifiedType() && !(isRow && value && memory.openRowsOf(value)))
    return false;
  refuse(stmt, "a pointer to rows of variable size is set in it; the array's own name would do");
  return true;
}

void OpWalk::walkDeclaration(const DeclStmt *stmt) {
  for (const Decl *decl : stmt->decls()) {
    const auto *var = dyn_cast<VarDecl>(decl);
    if (!var)
      continue;
    own.insert(var);
    QualType type = var->getType();
    if (type->isVariableArrayType())
      return refuse(stmt, "the array '" + var->getNameAsString() +
                              "' of variable size is declared in it; a constant size would do");
    if (var->isStaticLocal() && !type.isConstQualified())
      return refuse(stmt, "'" + var->getNameAsString() + "' keeps its value from call to call");
    if (hasRows(stmt, type, var->getInit()))
      return;
    if (type->isPointerType()) {
      memory.pointers.insert(var);
      if (var->getInit())
        pointers[var] = target(var->getInit());
      continue;
    }
    Range range = var->getInit() ? eval(var->getInit()) : Range(Unknown);
    if (type->isIntegerType())
      assign(var, range);
  }
}

void OpWalk::walkIf(const IfStmt *stmt) {
  walk(stmt->getInit());
  eval(stmt->getCond());
  Values before = values;
  narrowBy(stmt->getCond(), true);
  walk(stmt->getThen());
  Values then = std::move(values);
  values = std::move(before);
  narrowBy(stmt->getCond(), false);
  walk(stmt->getElse());
  joinWith(then);
}

void OpWalk::walkLoop(const Stmt *, const Stmt *init, const Expr *condition, const Stmt *body,
                      const Expr *step, bool isTestedFirst) {
  walk(init);
  int loop = beginLoop(assignedIn({condition, body, step}));
  if (condition)
    eval(condition);
  Values before = values;
  if (condition && isTestedFirst)
    narrowBy(condition, true);
  walk(body);
  walk(step);
  endLoop(loop);
  if (condition && isTestedFirst)
    narrowBy(condition, false);
}

void OpWalk::narrowBy(const Expr *condition, bool isTrue) {
  condition = condition->IgnoreParenImpCasts();
  if (const auto *op = dyn_cast<UnaryOperator>(condition); op && op->getOpcode() == UO_LNot)
    return narrowBy(op->getSubExpr(), !isTrue);
  const auto *op = dyn_cast<BinaryOperator>(condition);
  if (!op)
    return;
  BinaryOperatorKind kind = op->getOpcode();
  if (kind == (isTrue ? BO_LAnd : BO_LOr)) {
    narrowBy(op->getLHS(), isTrue);
    narrowBy(op->getRHS(), isTrue);
    return;
  }
  if (!op->isComparisonOp() || kind == BO_Cmp || !op->getLHS()->getType()->isIntegerType())
    return;
  if (!isTrue)
    kind = BinaryOperator::negateComparisonOp(kind);
  Range left = eval(op->getLHS()), right = eval(op->getRHS());
  narrowSide(op->getLHS(), kind, right);
  narrowSide(op->getRHS(), BinaryOperator::reverseComparisonOp(kind), left);
}

void OpWalk::narrowSide(const Expr *side, BinaryOperatorKind kind, const Range &other) {
  // i + 1 < n; unsigned numbers may have gone round.
  Expr::EvalResult constant;
  const auto *sum = dyn_cast<BinaryOperator>(side->IgnoreParenImpCasts());
  if (sum && sum->isAdditiveOp() && sum->getType()->isSignedIntegerType() &&
      sum->getRHS()->EvaluateAsInt(constant, context) && other != Unknown)
    return narrowSide(
        sum->getLHS(), kind,
        call(sum->getOpcode() == BO_Add ? "acis_sub" : "acis_add", other, eval(sum->getRHS())));
  const VarDecl *var = variableOf(side);
  if (!var || !var->getType()->isIntegerType() || other == Unknown)
    return;
  // A conversion that changes the value says nothing about the variable.
  if (var->getType()->isSignedIntegerType() && side->getType()->isUnsignedIntegerType())
    return;
  // What the op does not change says as much elsewhere.
  if (!values.contains(var))
    return;
  Range value = valueOf(var);
  const char *function = kind == BO_LT   ? "acis_lt"
                         : kind == BO_LE ? "acis_le"
                         : kind == BO_GT ? "acis_gt"
                         : kind == BO_GE ? "acis_ge"
                         : kind == BO_EQ ? "acis_meet"
                                         : nullptr;
  if (function)
    narrow(var, call(function, value, other));
}

} // namespace acis::rewriter
