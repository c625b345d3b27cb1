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

bool isBelow(const Stmt *stmt, const Stmt *inner) {
  if (stmt == inner || !stmt)
    return stmt != nullptr;
  return llvm::any_of(stmt->children(), [&](const Stmt *s) { return s && isBelow(s, inner); });
}

/// Where the values of a statement go that depend on `call`, which is a part of it.
void targetsOf(const Stmt *stmt, const CallExpr *call, EffectsAnalysis &effects, Paths &paths) {
  auto add = [&](Path path, QualType type) {
    if (path.var != Path::Unknown)
      paths.insert(type->isPointerType() ? path + "*" : path);
  };
  if (const auto *decl = dyn_cast_or_null<DeclStmt>(stmt)) {
    for (const Decl *each : decl->decls())
      if (const auto *var = dyn_cast<VarDecl>(each); var && isBelow(var->getInit(), call))
        add({effects.theProgram().idOf(var), ""}, var->getType());
    return;
  }
  const auto *expr = dyn_cast_or_null<Expr>(stmt);
  if (!expr)
    return;
  if (const auto *cleanups = dyn_cast<ExprWithCleanups>(expr))
    expr = cleanups->getSubExpr();
  if (const auto *binary = dyn_cast<BinaryOperator>(expr->IgnoreParenCasts());
      binary && binary->isAssignmentOp() && isBelow(binary->getRHS(), call))
    add(effects.pathOf(binary->getLHS()), binary->getLHS()->getType());
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

static const CallExpr *findBarrier(const Stmt *stmt) {
  if (const auto *call = dyn_cast_or_null<CallExpr>(stmt);
      call && Program::calleeName(call) == "MPI_Barrier")
    return call;
  if (stmt)
    for (const Stmt *child : stmt->children())
      if (const CallExpr *found = findBarrier(child))
        return found;
  return nullptr;
}

const CallExpr *barrierOf(EffectsAnalysis &effects, const Stmt *stmt, Effects &rest) {
  const CallExpr *call = findBarrier(stmt);
  if (!call)
    return nullptr;
  effects.setDone(call, nullptr);
  rest = effects.of(stmt);
  effects.setDone(nullptr, nullptr);
  for (const Expr *argument : call->arguments())
    rest.add(effects.of(argument));
  return rest.comm || rest.calls || rest.io || rest.jump || rest.loop ? nullptr : call;
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

void Events::findCalls(const Stmt *stmt, bool isSure, std::vector<const CallExpr *> &calls) {
  if (!stmt)
    return;
  if (const auto *call = dyn_cast<CallExpr>(stmt)) {
    MpiClass mpi = classOf(Program::calleeName(call));
    const FunctionDecl *body = mpi == MpiClass::None ? program.definition(call) : nullptr;
    if (mpi == MpiClass::Collective || mpi == MpiClass::Unsupported ||
        (body && effects.ofFunction(body).comm)) {
      calls.push_back(call);
      if (!isSure) // counts as several
        calls.push_back(call);
      return;
    }
  }
  const auto *binary = dyn_cast<BinaryOperator>(stmt);
  bool isBranch = isa<AbstractConditionalOperator, LambdaExpr, StmtExpr>(stmt) ||
                  (binary && binary->isLogicalOp());
  for (const Stmt *child : stmt->children())
    findCalls(child, isSure && !isBranch, calls);
}

/// The call of a statement, if it is the only one that communicates and always made. An if is
/// one by its condition, which tests for an error.
const CallExpr *Events::callOf(const Stmt *stmt) {
  std::vector<const CallExpr *> calls;
  if (isa<Expr, DeclStmt, ReturnStmt>(stmt))
    findCalls(stmt, /*isSure=*/true, calls);
  else if (const auto *branch = dyn_cast<IfStmt>(stmt))
    findCalls(branch->getCond(), /*isSure=*/true, calls);
  return calls.size() == 1 ? calls.front() : nullptr;
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
      return wrapperEvent(stmt, call, body, context);
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
  result.commPath = effects.pathOf(result.arg(info.comm));
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
      summary.returnsResult |= isa<ReturnStmt>(item) && event.returnsResult;
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
    if (refusal || (program.isErrorCheck(item) && !effect.comm))
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

/// From the terms of the function round the call to those of its caller.
void Events::bind(Collective &collective, const CallExpr *call, const FunctionDecl *body,
                  const ASTContext &context) {
  CallSite site(call, body);
  Path path;
  if (effects.translate(collective.send, site, path))
    collective.send = path;
  if (effects.translate(collective.recv, site, path))
    collective.recv = path;
  const MpiCall &info = *collective.info;
  bool isCommGiven = false;
  for (int index : {info.send, info.sendCount, info.sendType, info.recv, info.recvCount,
                    info.recvType, info.op, info.root, info.comm}) {
    const Expr *expr = collective.outerArg(index);
    const auto *ref = expr ? dyn_cast<DeclRefExpr>(expr->IgnoreParenImpCasts()) : nullptr;
    const auto *param = ref ? dyn_cast<ParmVarDecl>(ref->getDecl()) : nullptr;
    const Expr *arg = param ? site.argument(param) : nullptr;
    if (!arg)
      continue;
    collective.given[index] = {arg, &context};
    isCommGiven |= index == info.comm;
  }
  if (!collective.given.empty())
    nameCollective(collective, program);
  if (isCommGiven)
    collective.commPath = effects.pathOf(collective.outerArg(info.comm));
  else if (effects.translate(collective.commPath, site, path))
    collective.commPath = path;
  else
    collective.commPath = {};
}

bool isSameCommunicator(const Collective &a, const Collective &b) {
  bool isNamed = llvm::StringRef(a.comm).starts_with("MPI_COMM_");
  if (isNamed || llvm::StringRef(b.comm).starts_with("MPI_COMM_"))
    return a.comm == b.comm;
  if (a.commPath.var == Path::Unknown && b.commPath.var == Path::Unknown)
    return a.given.empty() && b.given.empty() && a.comm == b.comm;
  return a.commPath == b.commPath;
}

Event Events::wrapperEvent(const Stmt *stmt, const CallExpr *call, const FunctionDecl *body,
                           const ASTContext &context) {
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
  for (Collective *collective : {&event.first, &event.last})
    if (collective->info)
      bind(*collective, call, body, context);
  for (Refusal *refusal : {&event.asFirst, &event.asSecond})
    if (refusal->code == "derived-type" || refusal->code == "user-op")
      *refusal = (refusal == &event.asFirst ? event.last : event.first).problem;
  CallSite site(call, body);
  Path path;
  for (const Path &result : summary.results)
    if (effects.translate(result, site, path))
      event.results.insert(path);
  event.returnsResult = summary.returnsResult;
  if (summary.returnsResult)
    targetsOf(stmt, call, effects, event.results);
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
  CallSite site(event.call, event.wrapper);
  for (const ParmVarDecl *param : event.wrapper->parameters()) {
    const Expr *arg = site.argument(param);
    if (!arg)
      continue;
    Path own{program.idOf(param), ""};
    if (param->getType()->isPointerType()) {
      if (overlaps(tainted, effects.targetOf(arg)))
        inside.insert(own + "*");
    } else if (overlaps(effects.of(arg).reads, tainted) ||
               (arg->isGLValue() && overlaps(tainted, effects.pathOf(arg)))) {
      inside.insert(own);
    }
  }
  Path object;
  if (site.object)
    object = site.object->getType()->isPointerType() ? effects.targetOf(site.object)
                                                     : effects.pathOf(site.object);
  for (const Path &path : tainted) {
    llvm::StringRef member = path.rest;
    if (path.var >= Path::FirstVariable && program.variable(path.var)->hasGlobalStorage())
      inside.insert(path);
    if (path.var == object.var && object.var != Path::Unknown && member.consume_front(object.rest))
      inside.insert(Path{Path::This, "*"} + member);
    else if (overlaps(Paths{path}, object))
      inside.insert(Path{Path::This, "*"});
  }
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
