// One pass over the statements in their order, with what was kept back so far.
#include "compiler/rewriter/Placement.h"

#include "compiler/rewriter/Region.h"

#include "compiler/rewriter/Events.h"

#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/STLExtras.h"

#include <set>

using namespace clang;

namespace acis::rewriter {
namespace {

const Stmt *plain(const Stmt *stmt) {
  const auto *expr = dyn_cast<Expr>(stmt);
  return expr ? expr->IgnoreParenCasts() : stmt;
}

const BinaryOperator *assignmentOf(const Stmt *stmt) {
  const auto *assign = stmt ? dyn_cast<BinaryOperator>(plain(stmt)) : nullptr;
  return assign && assign->isAssignmentOp() ? assign : nullptr;
}

class Placement {
public:
  /// With `inOrder` all is done in the op, in its order: this is what the program says, but no
  /// switch can do an op that allocates or reads a clock.
  Placement(EffectsAnalysis &effects, const Candidate &candidate, bool inOrder)
      : effects(effects), candidate(candidate), inOrder(inOrder),
        after(candidate.movedAfter.begin(), candidate.movedAfter.end()) {
    if (candidate.wrapper)
      kept.add(effects.of(candidate.firstStmt));
    else if (candidate.kind != Kind::KernelDot)
      kept.add(effects.of(candidate.first.call));
    // What the function round the collective returns goes into the op.
    if (candidate.wrapper && plain(candidate.firstStmt) != candidate.wrapperCall)
      result.op.push_back(candidate.firstStmt);
  }

  Refusal run(const std::vector<const Stmt *> &stmts) {
    for (const Stmt *stmt : stmts) {
      if (stmt == candidate.firstStmt || stmt == candidate.secondStmt)
        continue;
      if (Refusal refusal = place(stmt, effects.of(stmt)))
        return refusal;
    }
    if (Refusal refusal = argumentsHold())
      return refusal;
    return codesHold();
  }

  void store(Candidate &target) {
    target.op = std::move(result.op);
    target.movedBefore = std::move(result.movedBefore);
    target.movedAfter = std::move(result.movedAfter);
  }

private:
  static Refusal refuse(std::string text) { return {"order", std::move(text)}; }
  /// What is between can only be done in its order.
  static Refusal onlyInOrder() { return {"order", ""}; }

  Refusal place(const Stmt *stmt, const Effects &effect) {
    if (Effects beside; effect.comm && barrierOf(effects, stmt, beside)) {
      crossed.add(beside);
      return leaveBehind(stmt);
    }
    if (effect.jump)
      return refuse("a statement between may leave");
    if (isBehindBarrier && !mayCross(effect))
      return refuse("what is behind a barrier cannot be done before it");
    if (mayFollow(stmt, effect)) {
      result.movedAfter.push_back(stmt);
      printed.add(effect);
      return {};
    }
    bool isOp = llvm::is_contained(candidate.op, stmt);
    bool shallHoist = !isOp && (isa<DeclStmt>(stmt) || effect.alloc || effect.timer) &&
                      !effect.print && !effect.exits && !(effect.timer && isPart());
    if (shallHoist && canHoist(effect)) {
      result.movedBefore.push_back(stmt);
      return {};
    }
    if (shallHoist && !inOrder && (effect.alloc || effect.timer))
      return onlyInOrder();
    // Output that was before this statement comes after it.
    if (effects.conflict(printed, effect) || (effect.exits && printed.print) ||
        (effect.timer && !result.movedAfter.empty()))
      return onlyInOrder();
    result.op.push_back(stmt);
    kept.add(effect);
    return {};
  }

  /// A call with one collective, whose op ends where it is of use. What a clock measures behind the
  /// collective is then measured as before; only in a chain of two does it stand within one call.
  bool isPart() const { return candidate.kind != Kind::Fused; }

  /// A barrier stays behind the call; what follows it in the op is done before it.
  Refusal leaveBehind(const Stmt *barrier) {
    if (candidate.kind != Kind::SemiFused)
      return onlyInOrder();
    isBehindBarrier = true;
    result.movedAfter.push_back(barrier);
    return {};
  }

  /// Nobody can tell whether it is done before the barrier or behind it.
  bool mayCross(const Effects &effect) const {
    return effect.isQuiet() && !effect.exits && !effect.timer && isOwn(effect.reads) &&
           isOwn(effect.writes) && !effects.conflict(crossed, effect);
  }

  /// Behind the chain: memory that is given back, and output that no collective stands before.
  bool mayFollow(const Stmt *stmt, const Effects &effect) const {
    if (inOrder || !after.contains(stmt) || effect.exits)
      return false;
    return effect.print ? candidate.kind == Kind::SemiFused : effect.isQuiet();
  }

  /// Before the first collective, and what of the op came before it. Clocks keep their order.
  bool canHoist(const Effects &effect) const {
    return !effects.conflict(kept, effect) && !effects.conflict(printed, effect) && !kept.exits &&
           !(kept.timer && (effect.timer || effect.loop || effect.alloc)) && isOwn(effect.reads) &&
           isOwn(effect.writes);
  }

  /// Nobody else reads or writes it while the process is in a collective.
  bool isOwn(const Paths &paths) const {
    return llvm::all_of(paths, [&](const Path &path) {
      return effects.isOnlyNamed(path) || effects.isPrivate(path);
    });
  }

  /// The arguments of the last collective are read before the op is done, those of output after.
  Refusal argumentsHold() const {
    if (candidate.kind == Kind::SemiFused)
      return {};
    Effects op, arguments;
    for (const Stmt *stmt : result.op)
      op.add(effects.of(stmt));
    if (candidate.wrapper)
      op.add(effects.of(candidate.firstStmt));
    const Collective &last = candidate.kind == Kind::Fused ? candidate.second : candidate.first;
    for (const Expr *argument : last.call->arguments())
      arguments.add(effects.of(argument));
    if (!arguments.isQuiet() || arguments.exits || !arguments.writes.empty())
      return refuse("an argument of the last collective does more than give a value");
    if (effects.conflict(op, arguments))
      return refuse("an argument of the last collective is computed between");
    Effects received;
    received.writes.insert(last.recv);
    for (const Stmt *output : result.movedAfter)
      if (effects.conflict(received, effects.of(output)) &&
          !isOfBroadcaster(output, last, effects.theProgram()))
        return onlyInOrder();
    return {};
  }

  /// The call returns the code of the last collective, after the op.
  Refusal codesHold() const {
    const BinaryOperator *first = candidate.wrapper ? nullptr : assignmentOf(candidate.firstStmt);
    const BinaryOperator *second = assignmentOf(candidate.secondStmt);
    Effects op, code;
    for (const Stmt *stmt : result.op)
      op.add(effects.of(stmt));
    for (const BinaryOperator *each : {first, second})
      if (each && effects.conflict(op, effects.of(each->getLHS())))
        return refuse("the place of a return code is computed between");
    if (!first)
      return {};
    code.writes.insert(effects.pathOf(first->getLHS()));
    if (effects.conflict(code, op) || effects.conflict(code, printed))
      return refuse("the return code of the first collective is used between");
    if (candidate.kind != Kind::Fused)
      return {};
    if (!second || effects.pathOf(second->getLHS()) != effects.pathOf(first->getLHS()))
      return refuse("the return code of the first collective is kept beyond the second");
    return {};
  }

  EffectsAnalysis &effects;
  const Candidate &candidate;
  bool inOrder;
  std::set<const Stmt *> after;
  Effects kept, printed; ///< what stays between; what goes behind the wait
  Effects crossed;       ///< what statements with a barrier do beside it
  bool isBehindBarrier = false;
  struct {
    std::vector<const Stmt *> op, movedBefore, movedAfter;
  } result;
};

} // namespace

Refusal placeStatements(EffectsAnalysis &effects, Candidate &candidate,
                        const std::vector<const Stmt *> &stmts) {
  Refusal refusal;
  for (bool inOrder : {false, true}) {
    Placement placement(effects, candidate, inOrder);
    refusal = placement.run(stmts);
    if (!refusal) {
      placement.store(candidate);
      break;
    }
  }
  return refusal;
}

} // namespace acis::rewriter
