// Which writes of a statement depend on given data: a loop that updates two things passes on only
// what the one that reads the data writes.
#include "compiler/rewriter/Events.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace acis::rewriter {
namespace {

/// Where the value of a statement goes.
const VarDecl *assignedTo(const Stmt *stmt) {
  if (const auto *decl = dyn_cast<DeclStmt>(stmt))
    return decl->isSingleDecl() ? dyn_cast<VarDecl>(decl->getSingleDecl()) : nullptr;
  if (const auto *expr = dyn_cast<Expr>(stmt))
    if (const auto *binary = dyn_cast<BinaryOperator>(expr->IgnoreParenCasts());
        binary && binary->isAssignmentOp())
      if (const auto *ref = dyn_cast<DeclRefExpr>(binary->getLHS()->IgnoreParenCasts()))
        return dyn_cast<VarDecl>(ref->getDecl());
  return nullptr;
}

/// Memory that is just made has a size, and no data.
bool isAllocation(const Expr *value) {
  if (!value)
    return false;
  value = value->IgnoreParenCasts();
  if (const auto *made = dyn_cast<CXXNewExpr>(value))
    return !made->getInitializer();
  const auto *call = dyn_cast<CallExpr>(value);
  std::string name = call ? Program::calleeName(call) : "";
  return name == "malloc" || name == "calloc" || name == "aligned_alloc";
}

class Flow {
public:
  Flow(EffectsAnalysis &effects, Paths &tainted) : effects(effects), tainted(tainted) {}

  void pass(const Stmt *stmt) {
    const Effects &effect = effectsOf(stmt);
    if (!overlaps(effect.reads, tainted))
      return;
    if (const auto *block = dyn_cast<CompoundStmt>(stmt)) {
      for (const Stmt *child : block->body())
        pass(child);
    } else if (const auto *branch = dyn_cast<IfStmt>(stmt)) {
      passBranch(branch, effect);
    } else if (const auto *loop = dyn_cast<ForStmt>(stmt)) {
      passLoop(effect, {loop->getInit(), loop->getCond(), loop->getInc()}, loop->getBody());
    } else if (const auto *loop = dyn_cast<WhileStmt>(stmt)) {
      passLoop(effect, {loop->getCond()}, loop->getBody());
    } else if (const auto *loop = dyn_cast<DoStmt>(stmt)) {
      passLoop(effect, {loop->getCond()}, loop->getBody());
    } else if (const auto *decl = dyn_cast<DeclStmt>(stmt)) {
      passDeclarations(decl, effect);
    } else {
      passWhole(stmt, effect);
    }
  }

private:
  /// A statement counts once per round of the loops round it.
  const Effects &effectsOf(const Stmt *stmt) {
    auto [place, isNew] = known.try_emplace(stmt);
    if (isNew)
      place->second = effects.of(stmt);
    return place->second;
  }

  bool reads(const Stmt *stmt) { return stmt && overlaps(effectsOf(stmt).reads, tainted); }

  void passAll(const Effects &effect) {
    tainted.insert(effect.writes.begin(), effect.writes.end());
  }

  void passWhole(const Stmt *stmt, const Effects &effect) {
    const auto *expr = dyn_cast<Expr>(stmt);
    const auto *assign = expr ? dyn_cast<BinaryOperator>(expr->IgnoreParenCasts()) : nullptr;
    if (assign && assign->getOpcode() == BO_Assign && isAllocation(assign->getRHS()))
      return;
    passAll(effect);
  }

  void passBranch(const IfStmt *branch, const Effects &effect) {
    if (branch->getInit() || branch->getConditionVariable() || reads(branch->getCond()))
      return passAll(effect);
    pass(branch->getThen());
    if (branch->getElse())
      pass(branch->getElse());
  }

  /// How often a loop runs decides all that it writes; so does a way out of it.
  void passLoop(const Effects &effect, llvm::ArrayRef<const Stmt *> heads, const Stmt *body) {
    if (effectsOf(body).jump || llvm::any_of(heads, [&](const Stmt *head) { return reads(head); }))
      return passAll(effect);
    for (size_t before = tainted.size() + 1; before != tainted.size();) {
      before = tainted.size();
      pass(body);
      if (llvm::any_of(heads, [&](const Stmt *head) { return reads(head); }))
        return passAll(effect);
    }
  }

  void passDeclarations(const DeclStmt *decls, const Effects &effect) {
    if (!decls->isSingleDecl())
      return passAll(effect);
    const auto *var = dyn_cast<VarDecl>(decls->getSingleDecl());
    if (!var || !isAllocation(var->getInit()))
      passAll(effect);
  }

  EffectsAnalysis &effects;
  Paths &tainted;
  std::map<const Stmt *, Effects> known;
};

} // namespace

bool Events::spread(const Stmt *stmt, const Effects &of, Paths &tainted) {
  if (!overlaps(of.reads, tainted))
    return false;
  Flow(effects, tainted).pass(stmt);
  // A pointer that is set to what a tainting function returned.
  if (const VarDecl *var = assignedTo(stmt); var && var->getType()->isPointerType()) {
    const auto *decl = dyn_cast<DeclStmt>(stmt);
    const auto *assign =
        decl ? nullptr : dyn_cast<BinaryOperator>(cast<Expr>(stmt)->IgnoreParenCasts());
    if (!isAllocation(decl ? var->getInit() : assign->getRHS()))
      tainted.insert(Path{program.idOf(var), ""} + "*");
  }
  return true;
}

} // namespace acis::rewriter
