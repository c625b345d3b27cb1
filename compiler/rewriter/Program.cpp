// One walk over each file collects definitions, calls and assignments.
#include "compiler/rewriter/Program.h"

#include "compiler/rewriter/CallSite.h"
#include "compiler/rewriter/KeptAddresses.h"
#include "compiler/rewriter/MpiCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/ASTUnit.h"

using namespace clang;

namespace acis::rewriter {
namespace {

/// The variable or field that an expression names, through casts and one '&'.
const ValueDecl *named(const Expr *expr) {
  expr = expr->IgnoreParenCasts();
  if (const auto *unary = dyn_cast<UnaryOperator>(expr))
    if (unary->getOpcode() == UO_AddrOf || unary->getOpcode() == UO_Deref)
      expr = unary->getSubExpr()->IgnoreParenCasts();
  if (const auto *ref = dyn_cast<DeclRefExpr>(expr))
    return ref->getDecl();
  if (const auto *member = dyn_cast<MemberExpr>(expr))
    return member->getMemberDecl();
  return nullptr;
}

/// The same for declarations of one function in different files; overloads differ.
std::string signature(const FunctionDecl *function) {
  std::string name = function->getQualifiedNameAsString();
  if (function->getASTContext().getLangOpts().CPlusPlus && !function->isExternC())
    name += function->getType().getCanonicalType().getAsString();
  return name;
}

bool isNull(const Expr *expr, ASTContext &context) {
  return expr->IgnoreParenCasts()->isNullPointerConstant(context,
                                                         Expr::NPC_ValueDependentIsNotNull);
}

} // namespace

class Program::Index : public DynamicRecursiveASTVisitor {
public:
  Index(Program &program, ASTContext &context) : program(program), context(context) {
    ShouldVisitTemplateInstantiations = true;
  }

  bool VisitFunctionDecl(FunctionDecl *function) override {
    if (!function->doesThisDeclarationHaveABody() || function->isDependentContext())
      return true;
    program.bodies.push_back(function);
    if (function->isExternallyVisible()) {
      auto [place, isNew] = program.external.try_emplace(signature(function), function);
      bool mayRepeat = function->isInlined() || function->isTemplateInstantiation();
      program.isOneProgram &= isNew || mayRepeat;
      // Which of two the linker takes, nothing here says.
      if ((!isNew && !mayRepeat) || function->isWeak())
        place->second = nullptr;
    }
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    program.calls.push_back(call);
    // An iterator is set anew.
    if (const auto *op = dyn_cast<CXXOperatorCallExpr>(call);
        op && op->getOperator() == OO_Equal && op->getNumArgs() == 2)
      if (const auto *ref = dyn_cast<DeclRefExpr>(op->getArg(0)->IgnoreParens()))
        define(ref->getDecl(), nullptr);
    return true;
  }
  bool VisitVarDecl(VarDecl *var) override {
    // In the pattern of a template a value may have no type yet.
    const Expr *init = var->getInit();
    if (init && !init->getType().isNull() && !isa<ParmVarDecl>(var)) {
      define(var, init);
    }
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *op) override {
    if (op->isAssignmentOp())
      if (const auto *ref = dyn_cast<DeclRefExpr>(op->getLHS()->IgnoreParens()))
        define(ref->getDecl(), op->isCompoundAssignmentOp() ? nullptr : op->getRHS(),
               /*isStep=*/op->isCompoundAssignmentOp());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *op) override {
    if (op->isIncrementDecrementOp() || op->getOpcode() == UO_AddrOf)
      if (const auto *ref = dyn_cast<DeclRefExpr>(op->getSubExpr()->IgnoreParens()))
        define(ref->getDecl(), nullptr, /*isStep=*/op->isIncrementDecrementOp());
    return true;
  }

private:
  /// A step leaves a pointer in the object it points into.
  void define(const ValueDecl *decl, const Expr *value, bool isStep = false) {
    const auto *var = dyn_cast<VarDecl>(decl);
    if (!var)
      return;
    var = var->getCanonicalDecl();
    if (value)
      program.assignments.push_back({var, value});
    PointerDefs &all = program.values[var];
    all.count++;
    all.value = value;
    if (!var->getType()->isPointerType() || isStep || (value && isNull(value, context)))
      return;
    PointerDefs &defs = program.pointers[var];
    defs.count++;
    defs.value = value;
  }

  Program &program;
  ASTContext &context;
};

Program::Program(std::vector<std::unique_ptr<ASTUnit>> units, Scope scope,
                 const std::vector<std::string> &localFunctions)
    : asts(std::move(units)), wholeProgram(scope == Scope::Program) {
  for (const std::string &name : localFunctions)
    locals.insert(name);
  for (auto &unit : asts) {
    ASTContext &context = unit->getASTContext();
    Index index(*this, context);
    const SourceManager &sources = context.getSourceManager();
    for (Decl *decl : context.getTranslationUnitDecl()->decls())
      if (decl->getLocation().isValid() && !sources.isInSystemHeader(decl->getLocation()))
        index.TraverseDecl(decl);
  }
  if (scope == Scope::Auto)
    wholeProgram = isOneProgram && asts.size() > 1;
  kept = findKeptAddresses(*this);
  spreadRanks();
  findCodes();
}

Program::~Program() = default;

const FunctionDecl *Program::callee(const CallExpr *call) { return call->getDirectCallee(); }

std::string Program::calleeName(const CallExpr *call) {
  const FunctionDecl *function = callee(call);
  return function ? function->getQualifiedNameAsString() : std::string();
}

const FunctionDecl *Program::definition(const CallExpr *call) const {
  const FunctionDecl *function = callee(call);
  if (!function)
    return nullptr;
  const FunctionDecl *body = nullptr;
  if (function->isDefined(body)) {
    const SourceManager &sources = body->getASTContext().getSourceManager();
    // Another file may have one that is called in place of a weak one.
    return sources.isInSystemHeader(body->getLocation()) || body->isWeak() ? nullptr : body;
  }
  if (!wholeProgram || !function->isExternallyVisible())
    return nullptr;
  return external.lookup(signature(function));
}

unsigned Program::idOf(const VarDecl *var) {
  var = var->getCanonicalDecl();
  auto [place, isNew] = ids.try_emplace(var, 0);
  if (!isNew)
    return place->second;
  unsigned next = variables.size() + Path::FirstVariable;
  if (var->hasGlobalStorage() && var->isExternallyVisible()) {
    auto [global, first] = globals.try_emplace(var->getQualifiedNameAsString(), next);
    if (!first)
      return place->second = global->second;
  }
  variables.push_back(var);
  return place->second = next;
}

bool Program::readsRank(const Stmt *expr) const { return readsRank(expr, 0); }

bool Program::readsRank(const Stmt *expr, unsigned depth) const {
  if (!expr)
    return false;
  if (const auto *ref = dyn_cast<DeclRefExpr>(expr)) {
    const auto *var = dyn_cast<VarDecl>(ref->getDecl());
    return isRank(var ? var->getCanonicalDecl() : ref->getDecl());
  }
  if (const auto *member = dyn_cast<MemberExpr>(expr); member && isRank(member->getMemberDecl()))
    return true;
  // A function that asks for the rank, e.g. world.rank().
  if (const auto *call = dyn_cast<CallExpr>(expr); call && depth < 3)
    if (const Expr *value = lastReturn(definition(call)); value && readsRank(value, depth + 1))
      return true;
  for (const Stmt *child : expr->children())
    if (readsRank(child, depth))
      return true;
  return false;
}

const Expr *Program::lastReturn(const FunctionDecl *function) {
  const auto *body = function ? dyn_cast_or_null<CompoundStmt>(function->getBody()) : nullptr;
  const auto *last =
      body && !body->body_empty() ? dyn_cast<ReturnStmt>(body->body_back()) : nullptr;
  return last ? last->getRetValue() : nullptr;
}

const PointerDefs *Program::pointerDefs(const VarDecl *var) const {
  auto found = pointers.find(var->getCanonicalDecl());
  return found == pointers.end() ? nullptr : &found->second;
}

bool Program::isFresh(const VarDecl *var) const {
  const PointerDefs *defs = pointerDefs(var);
  if (!defs || defs->count != 1 || !defs->value || !var->hasLocalStorage() || isa<ParmVarDecl>(var))
    return false;
  const Expr *value = defs->value->IgnoreParenCasts();
  if (isa<CXXNewExpr>(value))
    return true;
  const auto *call = dyn_cast<CallExpr>(value);
  std::string name = call ? calleeName(call) : "";
  return name == "malloc" || name == "calloc";
}

const Expr *Program::onlyValue(const VarDecl *var) const {
  auto found = values.find(var->getCanonicalDecl());
  return found != values.end() && found->second.count == 1 ? found->second.value : nullptr;
}

void Program::findCodes() {
  llvm::DenseMap<const VarDecl *, unsigned> fromCalls;
  llvm::DenseSet<const VarDecl *> called;
  for (auto [decl, value] : assignments) {
    const auto *var = cast<VarDecl>(decl);
    const Expr *plain = value->IgnoreParenCasts();
    const auto *call = dyn_cast<CallExpr>(plain);
    bool isCall = call && classOf(calleeName(call)) != MpiClass::None;
    fromCalls[var] += isCall || isa<IntegerLiteral>(plain);
    if (isCall)
      called.insert(var);
  }
  for (const VarDecl *var : called)
    if (fromCalls[var] == values[var].count)
      codes.insert(var);
}

bool Program::readsOnlyCodes(const Stmt *condition, bool &any) const {
  if (const auto *ref = dyn_cast<DeclRefExpr>(condition)) {
    const auto *var = dyn_cast<VarDecl>(ref->getDecl());
    bool isCode = var && codes.contains(var->getCanonicalDecl());
    any |= isCode;
    return isCode || isa<EnumConstantDecl>(ref->getDecl());
  }
  if (isa<CallExpr, MemberExpr, ArraySubscriptExpr>(condition))
    return false;
  for (const Stmt *child : condition->children())
    if (child && !readsOnlyCodes(child, any))
      return false;
  return true;
}

bool Program::isErrorCheck(const Stmt *stmt) const {
  const auto *branch = dyn_cast<IfStmt>(stmt);
  if (!branch || branch->getElse() || branch->getConditionVariable())
    return false;
  const auto *compare = dyn_cast<BinaryOperator>(branch->getCond()->IgnoreParenImpCasts());
  if (compare && compare->getOpcode() == BO_EQ)
    return false;
  bool any = false;
  return readsOnlyCodes(branch->getCond(), any) && any;
}

const Expr *Program::onlyReturn(const FunctionDecl *function) const {
  const Stmt *body = function ? function->getBody() : nullptr;
  while (body) {
    if (const auto *ret = dyn_cast<ReturnStmt>(body))
      return ret->getRetValue();
    if (const auto *compound = dyn_cast<CompoundStmt>(body)) {
      if (compound->body_empty())
        return nullptr;
      body = compound->body_front();
      continue;
    }
    // if constexpr: a branch not taken has no code.
    const auto *branch = dyn_cast<IfStmt>(body);
    if (!branch || !branch->isConstexpr())
      return nullptr;
    auto taken = branch->getNondiscardedCase(function->getASTContext());
    if (!taken)
      return nullptr;
    body = *taken;
  }
  return nullptr;
}

void Program::spreadRanks() {
  auto canonical = [](const ValueDecl *decl) -> const ValueDecl * {
    const auto *var = dyn_cast_or_null<VarDecl>(decl);
    return var ? var->getCanonicalDecl() : decl;
  };
  for (const CallExpr *call : calls) {
    std::string name = calleeName(call);
    if (call->getNumArgs() != 2)
      continue;
    if (name == "MPI_Comm_rank" || name == "PMPI_Comm_rank")
      ranks.insert(canonical(named(call->getArg(1))));
    if (name == "MPI_Comm_size" || name == "PMPI_Comm_size")
      sizes.insert(canonical(named(call->getArg(1))));
  }
  ranks.erase(nullptr);
  sizes.erase(nullptr);
  // The rank goes on through assignments of it or of comparisons with it, and into callees.
  for (unsigned before = 0; before != ranks.size() + sizes.size();) {
    before = ranks.size() + sizes.size();
    for (auto [var, value] : assignments) {
      const Expr *plain = value->IgnoreParenCasts();
      const auto *compare = dyn_cast<BinaryOperator>(plain);
      if (isRank(canonical(named(plain))) ||
          (compare && (compare->isComparisonOp() || compare->isLogicalOp()) && readsRank(compare)))
        ranks.insert(var);
    }
    for (const CallExpr *call : calls) {
      const FunctionDecl *body = definition(call);
      if (!body)
        continue;
      CallSite site(call, body);
      for (const ParmVarDecl *param : body->parameters()) {
        const Expr *arg = site.argument(param);
        const ValueDecl *var = arg ? canonical(named(arg)) : nullptr;
        if (var && ranks.contains(var))
          ranks.insert(param);
        if (var && sizes.contains(var))
          sizes.insert(param);
      }
    }
  }
}

std::string Program::fileOf(const ASTContext &context, SourceLocation loc) {
  const SourceManager &sources = context.getSourceManager();
  PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(loc));
  return place.isValid() ? place.getFilename() : "";
}

unsigned Program::lineOf(const ASTContext &context, SourceLocation loc) {
  const SourceManager &sources = context.getSourceManager();
  return sources.getPresumedLineNumber(sources.getExpansionLoc(loc));
}

} // namespace acis::rewriter
