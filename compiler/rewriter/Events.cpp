// Recognises collectives and functions round them.
#include "compiler/rewriter/Events.h"

#include "compiler/rewriter/MpiCalls.h"
#include "compiler/rewriter/ParseCollective.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace acis::rewriter {
namespace {

/// The call that a statement is: alone, assigned, or tested for an error.
const CallExpr *callOf(const Stmt *stmt) {
  if (!stmt)
    return nullptr;
  if (const auto *expr = dyn_cast<Expr>(stmt)) {
    expr = expr->IgnoreParenCasts();
    if (const auto *cleanups = dyn_cast<ExprWithCleanups>(expr))
      return callOf(cleanups->getSubExpr());
    if (const auto *call = dyn_cast<CallExpr>(expr); call && !isa<CXXOperatorCallExpr>(call))
      return call;
    if (const auto *binary = dyn_cast<BinaryOperator>(expr);
        binary && (binary->isAssignmentOp() || binary->isComparisonOp()))
      return callOf(binary->isAssignmentOp() ? binary->getRHS() : binary->getLHS());
    if (const auto *unary = dyn_cast<UnaryOperator>(expr); unary && unary->getOpcode() == UO_LNot)
      return callOf(unary->getSubExpr());
    return nullptr;
  }
  if (const auto *decl = dyn_cast<DeclStmt>(stmt)) {
    if (!decl->isSingleDecl())
      return nullptr;
    const auto *var = dyn_cast<VarDecl>(decl->getSingleDecl());
    return var && var->hasInit() ? callOf(var->getInit()) : nullptr;
  }
  if (const auto *branch = dyn_cast<IfStmt>(stmt))
    return callOf(branch->getCond());
  return nullptr;
}

/// Where the value of the call goes.
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

void flatten(const Stmt *stmt, std::vector<const Stmt *> &items) {
  if (const auto *compound = dyn_cast_or_null<CompoundStmt>(stmt)) {
    for (const Stmt *child : compound->body())
      flatten(child, items);
    return;
  }
  if (const auto *attributed = dyn_cast_or_null<AttributedStmt>(stmt))
    return flatten(attributed->getSubStmt(), items);
  if (const auto *loop = dyn_cast_or_null<DoStmt>(stmt))
    if (const auto *value = dyn_cast<IntegerLiteral>(loop->getCond()->IgnoreParenCasts());
        value && value->getValue() == 0)
      return flatten(loop->getBody(), items);
  if (stmt && !isa<NullStmt>(stmt))
    items.push_back(stmt);
}

} // namespace

std::vector<const Stmt *> itemsOf(const Stmt *body) {
  std::vector<const Stmt *> items;
  flatten(body, items);
  return items;
}

bool Events::containsCollective(const Stmt *stmt) {
  if (!stmt)
    return false;
  if (const auto *call = dyn_cast<CallExpr>(stmt))
    if (MpiClass mpi = classOf(Program::calleeName(call));
        mpi == MpiClass::Collective || mpi == MpiClass::Unsupported)
      return true;
  for (const Stmt *child : stmt->children())
    if (containsCollective(child))
      return true;
  return false;
}

bool Events::spread(const Stmt *stmt, const Effects &of, Paths &tainted) {
  if (!overlaps(of.reads, tainted))
    return false;
  tainted.insert(of.writes.begin(), of.writes.end());
  // A pointer that is set to what a tainting function returned.
  if (const VarDecl *var = assignedTo(stmt); var && var->getType()->isPointerType())
    tainted.insert(Path{program.idOf(var), ""} + "*");
  return true;
}

Event Events::eventOf(const Stmt *stmt, const ASTContext &context) {
  Event event;
  const CallExpr *call = callOf(stmt);
  if (!call)
    return event;
  std::string name = Program::calleeName(call);
  MpiClass mpi = classOf(name);
  if (const FunctionDecl *body = program.definition(call); body && mpi == MpiClass::None) {
    if (effects.ofFunction(body).comm)
      return wrapperEvent(stmt, call, body);
    return event;
  }
  if (mpi != MpiClass::Collective && mpi != MpiClass::Unsupported)
    return event;
  if (const auto *branch = dyn_cast<IfStmt>(stmt)) {
    Effects then = effects.of(branch->getThen());
    if (then.comm || branch->getElse())
      return event;
  }
  event.stmt = stmt;
  event.call = call;
  event.isMacro = call->getBeginLoc().isMacroID();
  if (mpi == MpiClass::Unsupported) {
    event.unsupported = shortName(name).str();
    event.asFirst = event.asSecond = {shortName(name).lower(),
                                      "MPI_" + event.unsupported +
                                          " is not one of the collectives that are fused"};
    return event;
  }
  const MpiCall &info = *findCollective(name);
  if (call->getNumArgs() <= unsigned(info.comm))
    return Event();
  event.first = event.last = parse(call, info, context);
  event.asFirst = event.asSecond = event.first.problem;
  if (event.first.recv.var != Path::Unknown)
    event.results.insert(event.first.recv);
  return event;
}

Collective Events::parse(const CallExpr *call, const MpiCall &info, const ASTContext &context) {
  Collective result = parseCollective(call, info, context, program);
  const Expr *send = result.arg(info.send), *recv = result.arg(info.recv);
  result.recv = effects.targetOf(recv);
  // In place: the receive buffer (of Scatter at the root: the send buffer) is both.
  result.send = result.inPlace ? result.recv : effects.targetOf(send);
  return result;
}

const Events::Summary &Events::summaryOf(const FunctionDecl *function) {
  auto [place, isNew] = summaries.try_emplace(function);
  if (!isNew)
    return place->second;
  place->second.asFirst = place->second.asSecond = {"calls", "it is recursive"};
  Summary summary = summarise(function);
  return summaries[function] = std::move(summary);
}

Events::Summary Events::summarise(const FunctionDecl *function) {
  Summary summary;
  std::string name = function->getNameAsString();
  const ASTContext &context = function->getASTContext();
  bool sawEvent = false;
  for (const Stmt *item : itemsOf(function->getBody())) {
    Effects effect = effects.of(item);
    Event event = eventOf(item, context);
    if (event.call && (event.first.info || !event.unsupported.empty())) {
      if (event.asSecond && !sawEvent)
        summary.asSecond = event.asSecond;
      sawEvent = true;
      summary.asFirst = event.asFirst;
      if (!summary.firstStmt)
        summary.firstStmt = item;
      if (!event.unsupported.empty())
        summary.unsupported = event.unsupported;
      if (event.first.info) {
        summary.collectives.push_back(event.first);
        if (event.last.call != event.first.call)
          summary.collectives.push_back(event.last);
      }
      spread(item, effect, summary.results);
      summary.results.insert(event.results.begin(), event.results.end());
      continue;
    }
    bool reads = spread(item, effect, summary.results);
    if (const auto *ret = dyn_cast<ReturnStmt>(item)) {
      const Expr *value = ret->getRetValue();
      if (value && (reads || (value->getType()->isPointerType() &&
                              overlaps(summary.results, effects.targetOf(value)))))
        summary.returnsResult = true;
      continue;
    }
    Refusal &refusal = sawEvent ? summary.asFirst : summary.asSecond;
    if (refusal)
      continue;
    std::string where = "'" + name + "' " + (sawEvent ? "afterwards " : "before that ");
    if (effect.comm) {
      const auto *branch = dyn_cast<IfStmt>(item);
      if (branch && program.readsRank(branch->getCond()) && containsCollective(item))
        refusal = {"rank-divergent", "'" + name + "' has different collectives on different ranks"};
      else
        refusal = {"intervening-comm", where + "calls " + effect.blame};
      // A collective inside a branch or loop: no place in the order is known.
      if (containsCollective(item) && !sawEvent)
        summary.asFirst = refusal;
    } else if (effect.print || effect.io) {
      if (sawEvent || !summary.asSecond)
        refusal = {"io", where + "calls " + effect.blame};
    } else if (effect.calls) {
      refusal = {"calls", where + "calls '" + effect.blame + "', which is not visible"};
    } else if (effect.jump && sawEvent) {
      refusal = {"control", "'" + name + "' may leave early"};
    }
  }
  return summary;
}

Event Events::wrapperEvent(const Stmt *stmt, const CallExpr *call, const FunctionDecl *body) {
  Event event;
  const Summary &summary = summaryOf(body);
  if (summary.collectives.empty() && summary.unsupported.empty()) {
    if (!summary.asFirst && !summary.asSecond)
      return event;
    // Point-to-point only, or collectives in branches: communication, no event.
    if (summary.asFirst.code != "rank-divergent")
      return event;
    return event;
  }
  event.stmt = stmt;
  event.call = call;
  event.wrapper = body;
  event.unsupported = summary.unsupported;
  event.asFirst = summary.asFirst;
  event.asSecond = summary.asSecond;
  event.isMacro = call->getBeginLoc().isMacroID();
  if (!summary.collectives.empty()) {
    event.first = summary.collectives.front();
    event.last = summary.collectives.back();
  }
  Path path;
  for (Collective *collective : {&event.first, &event.last}) {
    if (effects.translate(collective->send, call, body, path))
      collective->send = path;
    if (effects.translate(collective->recv, call, body, path))
      collective->recv = path;
  }
  for (const Path &result : summary.results)
    if (effects.translate(result, call, body, path))
      event.results.insert(path);
  if (summary.returnsResult)
    if (const VarDecl *var = assignedTo(stmt)) {
      Path own{program.idOf(var), ""};
      event.results.insert(var->getType()->isPointerType() ? own + "*" : own);
    }
  return event;
}

Events::Head Events::headOf(const Event &event, const Paths &tainted) {
  Head head;
  if (!event.wrapper) {
    head.depends = event.first.info && overlaps(tainted, event.first.send);
    return head;
  }
  const Summary &summary = summaryOf(event.wrapper);
  if (!summary.firstStmt)
    return head;
  Paths inside;
  unsigned count = std::min(event.call->getNumArgs(), event.wrapper->getNumParams());
  for (unsigned i = 0; i < count; i++) {
    const ParmVarDecl *param = event.wrapper->getParamDecl(i);
    const Expr *arg = event.call->getArg(i);
    Path own{program.idOf(param), ""};
    if (param->getType()->isPointerType()) {
      if (overlaps(tainted, effects.targetOf(arg)))
        inside.insert(own + "*");
    } else if (overlaps(effects.of(arg).reads, tainted) ||
               (arg->isGLValue() && overlaps(tainted, effects.pathOf(arg)))) {
      inside.insert(own);
    }
  }
  for (const Path &path : tainted)
    if (path.var >= Path::FirstVariable && program.variable(path.var)->hasGlobalStorage())
      inside.insert(path);
  for (const Stmt *item : itemsOf(event.wrapper->getBody())) {
    if (item == summary.firstStmt)
      break;
    Effects effect = effects.of(item);
    bool reads = spread(item, effect, inside);
    head.works |= reads;
    head.hasLoop |= reads && effect.loop;
  }
  // In the callee's own terms.
  if (!summary.collectives.empty())
    head.depends = overlaps(inside, summary.collectives.front().send);
  return head;
}

} // namespace acis::rewriter
