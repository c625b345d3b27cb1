// The walk, one small decision per statement.
#include "compiler/rewriter/Region.h"

#include "compiler/rewriter/MpiCalls.h"
#include "compiler/rewriter/ParseCollective.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace acis::rewriter {
namespace {

class Walk {
public:
  Walk(Program &program, EffectsAnalysis &effects, Events &events, const Event &first,
       const FunctionDecl *in)
      : program(program), effects(effects), events(events), first(first), in(in) {
    region.tainted = first.results;
  }

  Region run(const std::vector<const Stmt *> &items, size_t start) {
    for (region.end = start; region.end < items.size(); region.end++) {
      const Stmt *item = items[region.end];
      Event event = events.eventOf(item, in->getASTContext());
      if (event.call) {
        region.second = event;
        break;
      }
      if (!step(item))
        break;
    }
    return std::move(region);
  }

private:
  bool stop(std::string code, std::string text) {
    region.stop = {std::move(code), std::move(text)};
    return false;
  }

  void firstUse(std::string code, std::string text) {
    if (!region.firstUse && region.op.empty())
      region.firstUse = {std::move(code), std::move(text)};
  }

  /// Why a call of what cannot be seen is in the way, and what would help.
  static std::string unseen(const Effects &effect, const std::string &where) {
    if (effect.cycle)
      return "'" + effect.blame + "' " + where +
             "; functions that call each other are not followed";
    std::string text = "'" + effect.blame + "' " + where + " and what it does is not visible";
    if (effect.unseen == effect.blame)
      text += "; give its file too, or name it in --assume-local if it does not communicate";
    return text;
  }

  std::string place(const Stmt *item) {
    return " at line " + std::to_string(Program::lineOf(in->getASTContext(), item->getBeginLoc()));
  }

  bool step(const Stmt *item) {
    Effects effect = effects.of(item);
    bool reads = overlaps(effect.reads, region.tainted);
    const auto *branch = dyn_cast<IfStmt>(item);
    bool byRank = branch && program.readsRank(branch->getCond());
    if (program.isErrorCheck(item) && !effect.comm && !effect.calls && !effect.io && !reads &&
        (effect.exits || effect.jump || effect.print)) {
      region.after.push_back(item);
      return true;
    }
    Effects beside;
    if (effect.comm && barrierOf(effects, item, beside) &&
        !overlaps(beside.reads, region.tainted) && !overlaps(beside.writes, region.tainted)) {
      region.barriers.push_back(item);
      return true;
    }
    if (effect.comm) {
      if (reads && branch && effect.exits) {
        region.hasIo = true;
        firstUse("io", "the result is tested for an error" + place(item));
      }
      if (byRank)
        return stop("rank-divergent", "communication that differs from rank to rank (" +
                                          effect.blame + ")" + place(item));
      return stop("intervening-comm", effect.blame + " communicates" + place(item));
    }
    if (effect.io)
      return stop(reads ? "io" : "io", "'" + effect.blame + "' does input or output" + place(item));
    if (effect.jump)
      return leave(item, effect, reads);
    if (!reads)
      return independent(item, effect);
    return consumer(item, effect, branch, byRank);
  }

  bool leave(const Stmt *item, const Effects &effect, bool reads) {
    if (reads && isa<IfStmt>(item) && (effect.exits || effect.print)) {
      region.hasIo = true;
      firstUse("io", "the result is tested for an error" + place(item));
    } else if (reads && !effect.loop && !isa<ReturnStmt>(item)) {
      region.hasScalar = true;
    }
    return stop("control", "control may leave the block" + place(item));
  }

  bool independent(const Stmt *item, const Effects &effect) {
    if (effect.calls)
      return stop("calls", unseen(effect, "is called" + place(item)));
    if (effect.alloc && overlaps(effect.writes, region.tainted)) {
      region.after.push_back(item); // a buffer is freed: later will do
      return true;
    }
    if (overlaps(effect.writes, region.tainted)) {
      if (!isOneOfMany(item))
        return stop("overwritten", "the result is overwritten" + place(item));
      region.op.push_back(item); // the others are read later, with this one
      note(item, effect);
      return true;
    }
    bool later = effect.print || effect.exits;
    (later && !effect.alloc ? region.after : region.before).push_back(item);
    // What an op statement has computed from is no longer there for a later move.
    region.opReads.insert(effect.reads.begin(), effect.reads.end());
    return true;
  }

  /// Whether it sets an element of the result, which has others.
  bool isOneOfMany(const Stmt *item) {
    const auto *expr = dyn_cast<Expr>(item);
    const auto *assign = expr ? dyn_cast<BinaryOperator>(expr->IgnoreParenImpCasts()) : nullptr;
    const Expr *count = first.last.arg(first.last.info->recvCount);
    Expr::EvalResult value;
    bool isOne = count && count->EvaluateAsInt(value, *first.last.context) &&
                 value.Val.getInt() == 1 && !gathers();
    return assign && assign->isAssignmentOp() && !isOne &&
           isa<ArraySubscriptExpr>(assign->getLHS()->IgnoreParens());
  }

  /// Whether it receives its count of each rank.
  bool gathers() const {
    const llvm::StringRef name = first.last.info->name;
    return name == "Gather" || name == "Allgather" || name == "Alltoall";
  }

  bool consumer(const Stmt *item, const Effects &effect, const IfStmt *branch, bool byRank) {
    if (effect.calls) {
      firstUse("calls", unseen(effect, "gets the result" + place(item)));
      return stop("calls", unseen(effect, "is called" + place(item)));
    }
    // Only the root has the result, and only the root computes.
    bool isRoot =
        branch && needsRoot() && isRootTest(branch->getCond(), first.last, program) &&
        !(branch->getElse() && overlaps(effects.of(branch->getElse()).reads, region.tainted));
    if (effect.print || effect.exits) {
      if (isRoot && !branch->getElse() && rootBlock(branch))
        return true;
      region.hasIo = true;
      if (effect.loop && !writesOnlyOwn(item, effect))
        firstUse("io", "what is computed from the result is printed in its course" + place(item));
      else if (effect.loop)
        firstUse("io", "the result is only printed" + place(item));
      // Output of the result may wait until the chain is done, if it changes nothing.
      if (effect.exits || !writesOnlyOwn(item, effect))
        return stop("io", "'" + effect.blame + "' prints or ends the program" + place(item));
      region.after.push_back(item);
      return true;
    }
    if (byRank && !isRoot && effect.loop) {
      firstUse("rank-divergent", "the result is used on some ranks only" + place(item));
      return stop("rank-divergent", "ranks take different ways" + place(item));
    }
    if (effect.loop && !isRoot && needsRoot())
      region.rootOnly = {"root-only", "only the root has the result that line" +
                                          place(item).substr(8) + " reads on every rank"};
    take(item, effect);
    return true;
  }

  bool needsRoot() const {
    llvm::StringRef name = first.last.info->name;
    return name == "Reduce" || name == "Gather";
  }

  /// if (rank == root) { op; output }: the op is a prefix of it.
  bool rootBlock(const IfStmt *branch) {
    bool any = false, isBeginning = true;
    const Stmt *last = nullptr; // of the op, as long as all before it is quiet
    for (const Stmt *item : itemsOf(branch->getThen())) {
      Effects effect = effects.of(item);
      isBeginning &= effect.isQuiet() && !effect.exits;
      bool reads = overlaps(effect.reads, region.tainted);
      if (effect.calls || effect.io || effect.jump || effect.exits)
        break;
      if (effect.print) {
        if (reads && effect.loop)
          break;
        region.hasIo |= reads;
        continue;
      }
      if (!reads)
        continue;
      take(item, effect);
      any |= effect.loop;
      last = isBeginning ? item : last;
    }
    if (!any)
      return false;
    if (last)
      if (std::optional<std::vector<TextEdit>> edits = splitBlock(effects, branch, last, in))
        region.split.insert(region.split.end(), edits->begin(), edits->end());
    // Whatever comes later is after the output.
    return true;
  }

  /// Whether all it writes is declared in it.
  bool writesOnlyOwn(const Stmt *item, const Effects &effect) {
    SourceRange range = item->getSourceRange();
    const SourceManager &sources = in->getASTContext().getSourceManager();
    for (const Path &path : effect.writes) {
      if (path.var < Path::FirstVariable)
        return false;
      SourceLocation loc = program.variable(path.var)->getLocation();
      // A loop counter that lives outside is written anew before it is read.
      if (path.rest.empty() && effect.loop &&
          program.variable(path.var)->getType()->isIntegerType())
        continue;
      if (sources.isBeforeInTranslationUnit(loc, range.getBegin()) ||
          sources.isBeforeInTranslationUnit(range.getEnd(), loc))
        return false;
    }
    return true;
  }

  void take(const Stmt *item, const Effects &effect) {
    region.op.push_back(item);
    region.hasLoop |= effect.loop && !controlOnly(item);
    region.hasScalar |= !effect.loop;
    note(item, effect);
  }

  /// Of a statement of the op.
  void note(const Stmt *item, const Effects &effect) {
    events.spread(item, effect, region.tainted);
    region.opWrites.insert(effect.writes.begin(), effect.writes.end());
    region.opReads.insert(effect.reads.begin(), effect.reads.end());
    noteCalls(item);
  }

  void noteCalls(const Stmt *stmt) {
    if (!stmt)
      return;
    if (const auto *call = dyn_cast<CallExpr>(stmt))
      if (const FunctionDecl *body = program.definition(call)) {
        const ASTContext &here = in->getASTContext(), &there = body->getASTContext();
        region.callsVisible = true;
        region.callsOtherFile |=
            Program::fileOf(here, in->getLocation()) != Program::fileOf(there, body->getLocation());
      }
    for (const Stmt *child : stmt->children())
      noteCalls(child);
  }

  /// Whether the results are read in conditions of this loop only: no data flows.
  bool controlOnly(const Stmt *item) {
    if (!isScalarInteger())
      return false;
    if (const auto *loop = dyn_cast<ForStmt>(item)) {
      Effects body = effects.of(loop->getBody());
      return !overlaps(body.reads, region.tainted);
    }
    if (const auto *loop = dyn_cast<WhileStmt>(item))
      return !overlaps(effects.of(loop->getBody()).reads, region.tainted);
    return false;
  }

  bool isScalarInteger() {
    const MpiType *type = findType(first.last.recvType);
    const Expr *count = first.last.arg(first.last.info->recvCount);
    Expr::EvalResult value;
    return type && type->kind == 'i' && count && count->EvaluateAsInt(value, *first.last.context) &&
           value.Val.getInt() == 1 && first.results.size() == 1;
  }

  Program &program;
  EffectsAnalysis &effects;
  Events &events;
  const Event &first;
  const FunctionDecl *in;
  Region region;
};

} // namespace

bool isRootTest(const Expr *condition, const Collective &collective, const Program &program) {
  if (!collective.info || !collective.info->isRooted())
    return false;
  const ASTContext &context = *collective.context;
  const Expr *root = collective.arg(collective.info->root);
  Expr::EvalResult rootValue, otherValue;
  bool isConstant = root && root->EvaluateAsInt(rootValue, context);
  condition = condition->IgnoreParenImpCasts();
  if (const auto *unary = dyn_cast<UnaryOperator>(condition))
    return unary->getOpcode() == UO_LNot && program.readsRank(unary->getSubExpr()) && isConstant &&
           rootValue.Val.getInt() == 0;
  const auto *compare = dyn_cast<BinaryOperator>(condition);
  if (!compare || compare->getOpcode() != BO_EQ)
    return false;
  const Expr *left = compare->getLHS(), *right = compare->getRHS();
  if (!program.readsRank(left))
    std::swap(left, right);
  if (!program.readsRank(left) || program.readsRank(right))
    return false;
  if (isConstant && right->EvaluateAsInt(otherValue, context))
    return llvm::APSInt::isSameValue(rootValue.Val.getInt(), otherValue.Val.getInt());
  return sourceText(right, context) == collective.root;
}

bool isOfBroadcaster(const Stmt *stmt, const Collective &last, const Program &program) {
  const auto *branch = dyn_cast<IfStmt>(stmt);
  return branch && !branch->getElse() && last.info && llvm::StringRef(last.info->name) == "Bcast" &&
         isRootTest(branch->getCond(), last, program);
}

Region walkRegion(Program &program, EffectsAnalysis &effects, Events &events, const Event &first,
                  const std::vector<const Stmt *> &items, size_t start, const FunctionDecl *in) {
  return Walk(program, effects, events, first, in).run(items, start);
}

} // namespace acis::rewriter
