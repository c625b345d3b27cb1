// Walks every block of every function and turns what it meets into candidates.
#include "compiler/rewriter/Finder.h"

#include "compiler/rewriter/MpiCalls.h"
#include "compiler/rewriter/OpenMp.h"
#include "compiler/rewriter/ParseCollective.h"
#include "compiler/rewriter/Region.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace clang;

namespace acis::rewriter {
namespace {

class Finder {
public:
  explicit Finder(Program &program) : program(program), effects(program), events(effects) {}

  std::vector<Candidate> run() {
    for (const FunctionDecl *body : program.functions()) {
      // Most functions have no communication.
      if (!effects.ofFunction(body).comm)
        continue;
      function = body;
      inOpenMp = callsInOpenMp(body);
      rankBranch = {};
      block(body->getBody(), /*isLoopBody=*/false);
    }
    return std::move(candidates);
  }

private:
  void block(const Stmt *body, bool isLoopBody) {
    if (!body)
      return;
    std::vector<const Stmt *> items = itemsOf(body);
    size_t firstEvent = items.size(), lastEvent = items.size();
    for (size_t i = 0; i < items.size(); i++) {
      Event event = events.eventOf(items[i], function->getASTContext());
      if (event.call) {
        firstEvent = std::min(firstEvent, i);
        lastEvent = i;
        chain(event, items, i, body);
        continue;
      }
      hidden(items[i]);
      if (const auto *nested = dyn_cast<IfStmt>(items[i]))
        branch(nested);
      else
        nest(items[i]);
    }
    if (isLoopBody && firstEvent < items.size())
      backEdge(items, firstEvent, lastEvent);
    std::vector<Candidate> kernels;
    findKernels(program, effects, events, function, items, kernels);
    for (Candidate &kernel : kernels)
      add(std::move(kernel));
  }

  void branch(const IfStmt *branch) {
    Refusal outer = rankBranch;
    if (program.readsRank(branch->getCond()))
      rankBranch = {"rank-divergent", "the collective is in a branch that only some ranks take"};
    block(branch->getThen(), /*isLoopBody=*/false);
    block(branch->getElse(), /*isLoopBody=*/false);
    rankBranch = outer;
  }

  void nest(const Stmt *stmt) {
    if (isa<Expr, DeclStmt>(stmt))
      return;
    if (const auto *directive = dyn_cast<OMPExecutableDirective>(stmt))
      return directive->hasAssociatedStmt() ? block(directive->getRawStmt(),
                                                    /*isLoopBody=*/false)
                                            : void();
    bool isLoop = isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(stmt);
    for (const Stmt *child : stmt->children())
      if (child && !isa<Expr>(child))
        block(child, isLoop);
  }

  /// Collectives that are part of an expression, which decides whether they are made.
  void hidden(const Stmt *stmt, bool isInside = false) {
    isInside |= isa<StmtExpr>(stmt); // a block within an expression
    if (const auto *call = dyn_cast<CallExpr>(stmt);
        call && classOf(Program::calleeName(call)) == MpiClass::Collective) {
      Event event;
      event.stmt = event.call = call;
      Candidate candidate = begin(event);
      candidate.collFirst = shortName(Program::calleeName(call));
      candidate.kind = Kind::SemiFused;
      candidate.pattern = candidate.collFirst + "_op";
      candidate.refusal = {"expression",
                           "the collective is in an assertion, a condition or another "
                           "expression that may leave it out"};
      return add(std::move(candidate));
    }
    for (const Stmt *child : stmt->children())
      if (child && (isInside || isa<Expr>(child) || isa<DeclStmt>(stmt)))
        hidden(child, isInside);
  }

  Candidate begin(const Event &event) {
    const ASTContext &context = function->getASTContext();
    Candidate candidate;
    candidate.in = function;
    SourceLocation loc = context.getSourceManager().getExpansionLoc(event.call->getBeginLoc());
    candidate.file = Program::fileOf(context, loc);
    candidate.function = function->getNameAsString();
    candidate.lineFirst = Program::lineOf(context, loc);
    candidate.columnFirst = context.getSourceManager().getPresumedLoc(loc).getColumn();
    candidate.first = event.last;
    candidate.firstStmt = event.stmt;
    candidate.collFirst = event.last.info ? event.last.info->name : event.unsupported;
    candidate.wrapper = event.wrapper;
    candidate.wrapperCall = event.wrapper ? event.call : nullptr;
    if (event.wrapper && event.last.call)
      candidate.mpiCall =
          Program::fileOf(*event.last.context, event.last.call->getBeginLoc()) + ":" +
          std::to_string(Program::lineOf(*event.last.context, event.last.call->getBeginLoc()));
    return candidate;
  }

  void describe(Candidate &candidate, const Event &first, const Region &region) {
    candidate.op = region.op;
    candidate.movedBefore = region.before;
    candidate.movedAfter = region.after;
    candidate.barriers = region.barriers;
    candidate.split = region.split;
    const ASTContext &context = function->getASTContext();
    if (!region.op.empty()) {
      candidate.opFirst = Program::lineOf(context, region.op.front()->getBeginLoc());
      candidate.opLast = Program::lineOf(context, region.op.back()->getEndLoc());
    }
    if (region.callsVisible)
      candidate.level = region.callsOtherFile ? "ipo" : "inline";
    if (first.wrapper)
      candidate.level = "ipo";
  }

  void chain(const Event &event, const std::vector<const Stmt *> &items, size_t index,
             const Stmt *body) {
    if (!event.last.info) {
      Candidate candidate = begin(event);
      candidate.kind = Kind::SemiFused;
      candidate.refusal = event.asFirst;
      add(std::move(candidate));
      return;
    }
    Region region = walkRegion(program, effects, events, event, items, index + 1, function);
    bool isFused = false;
    if (region.second.call) {
      Candidate candidate = begin(event);
      describe(candidate, event, region);
      candidate.block = body;
      fuse(candidate, event, region, items);
      isFused = candidate.isFusable();
      add(std::move(candidate));
    } else {
      laterCollective(event, region, items);
    }
    if (isFused)
      return;
    Candidate candidate = begin(event);
    describe(candidate, event, region);
    candidate.block = body;
    candidate.kind = Kind::SemiFused;
    candidate.pattern = candidate.collFirst + "_op";
    candidate.refusal = judgeSemi(event, region);
    finish(candidate, region, items);
    add(std::move(candidate));
  }

  /// Something stands between this collective and the next one of the block.
  void laterCollective(const Event &event, const Region &region,
                       const std::vector<const Stmt *> &items) {
    for (size_t i = region.end; i < items.size(); i++) {
      Event second = events.eventOf(items[i], function->getASTContext());
      if (!second.call)
        continue;
      Candidate candidate = begin(event);
      setSecond(candidate, second);
      candidate.refusal = region.stop;
      add(std::move(candidate));
      return;
    }
  }

  void setSecond(Candidate &candidate, const Event &second) {
    candidate.kind = Kind::Fused;
    candidate.second = second.first;
    candidate.secondStmt = second.stmt;
    candidate.lineSecond = Program::lineOf(function->getASTContext(), second.call->getBeginLoc());
    candidate.collSecond = second.first.info ? second.first.info->name : second.unsupported;
    candidate.pattern = candidate.collFirst + "_op_" + candidate.collSecond;
  }

  void fuse(Candidate &candidate, const Event &event, const Region &region,
            const std::vector<const Stmt *> &items) {
    const Event &second = region.second;
    setSecond(candidate, second);
    if (second.wrapper)
      candidate.level = "ipo";
    Events::Head head = events.headOf(second, region.tainted);
    candidate.refusal = judgeFused(event, region, head);
    finish(candidate, region, items);
  }

  Refusal judgeFused(const Event &event, const Region &region, const Events::Head &head) {
    const Event &second = region.second;
    // A function may make another one first.
    if (!second.unsupported.empty() && second.asSecond)
      return second.asSecond;
    bool hasOp = !region.op.empty() || head.works;
    if (!hasOp && overlaps(event.results, second.first.send))
      return {"no-op", "the result is sent on as it is"};
    if (!head.depends)
      return {"not-consumed", "what MPI_" + std::string(second.first.info->name) +
                                  " sends does not depend on the result"};
    bool passesOn = overlaps(event.results, second.first.send) &&
                    !overlaps(region.opWrites, second.first.send) && !head.works;
    if (passesOn)
      return {"no-op", "the result is sent on as it is"};
    if (Refusal common = judgeCommon(event, region))
      return common;
    if (second.asSecond)
      return second.asSecond;
    if (region.rootOnly)
      return region.rootOnly;
    if (!region.hasLoop && !head.hasLoop)
      return {region.hasIo ? "scalar+io" : "scalar", "the computation between has no loop"};
    if (!isSameCommunicator(event.last, second.first))
      return {"communicators", "the collectives use different communicators, '" + event.last.comm +
                                   "' and '" + second.first.comm + "'"};
    for (const Stmt *item : region.after)
      if (overlaps(effects.of(item).reads, laterWrites(region, item)) ||
          (overlaps(effects.of(item).reads, second.first.recv) &&
           !isOfBroadcaster(item, second.first, program)))
        return {"io", "what is printed between changes before the end of the chain"};
    return judgeArguments(second, region);
  }

  /// What op statements after `item` write.
  Paths laterWrites(const Region &region, const Stmt *item) {
    Paths writes;
    const SourceManager &sources = function->getASTContext().getSourceManager();
    for (const Stmt *op : region.op)
      if (sources.isBeforeInTranslationUnit(item->getBeginLoc(), op->getBeginLoc())) {
        Effects effect = effects.of(op);
        writes.insert(effect.writes.begin(), effect.writes.end());
      }
    return writes;
  }

  /// Counts, roots and pointers of the second call are needed when the first one starts.
  Refusal judgeArguments(const Event &second, const Region &region) {
    const MpiCall &info = *second.first.info;
    Paths changed = region.opWrites;
    for (int index : {info.send, info.sendCount, info.recv, info.recvCount, info.root, info.comm}) {
      const Expr *arg = second.first.outerArg(index);
      bool isBuffer = index == info.send || index == info.recv;
      if (!arg || (second.wrapper && (isBuffer || !second.first.given.count(index))))
        continue;
      Paths reads = effects.of(arg).reads;
      if (!overlaps(reads, changed) && !overlaps(reads, region.tainted))
        continue;
      bool isSize = index == info.sendCount || index == info.recvCount;
      return {isSize ? "data-dependent-size" : "control",
              "'" + sourceText(arg, function->getASTContext()) + "' of MPI_" +
                  std::string(info.name) + " is computed between the collectives"};
    }
    return {};
  }

  Refusal judgeCommon(const Event &event, const Region &region) {
    if (event.asFirst)
      return event.asFirst;
    if (inOpenMp.contains(event.call))
      return {"openmp", "it is in a region of OpenMP, which several threads may run"};
    return rankBranch;
  }

  Refusal judgeSemi(const Event &event, const Region &region) {
    if (!region.hasLoop || region.op.empty()) {
      if (region.firstUse)
        return region.firstUse;
      if (region.hasScalar || !region.op.empty())
        return {region.hasIo ? "scalar+io" : "scalar",
                "what is computed from the result has no loop over data"};
      if (region.hasIo)
        return {"io", "the result is only printed or checked"};
      if (region.stop.code == "rank-divergent" || region.stop.code == "calls" ||
          region.stop.code == "overwritten")
        return region.stop;
      return {"not-consumed",
              region.stop ? "nothing reads the result before the chain ends: " + region.stop.text
                          : "nothing in this block reads the result"};
    }
    if (Refusal common = judgeCommon(event, region))
      return common;
    if (region.rootOnly)
      return region.rootOnly;
    return {};
  }

  /// From the last collective of a loop body to the first of the next iteration.
  void backEdge(const std::vector<const Stmt *> &items, size_t first, size_t last) {
    Event from = events.eventOf(items[last], function->getASTContext());
    Event to = events.eventOf(items[first], function->getASTContext());
    if (!from.last.info || !to.first.info)
      return;
    Region after = walkRegion(program, effects, events, from, items, last + 1, function);
    Paths tainted = after.tainted;
    for (size_t i = 0; i < first; i++)
      events.spread(items[i], effects.of(items[i]), tainted);
    Candidate candidate = begin(from);
    setSecond(candidate, to);
    if (events.headOf(to, tainted).depends)
      candidate.refusal = {"control", "the consumer is in the next iteration of the loop"};
    else
      candidate.refusal = {"not-consumed", "the next iteration sends nothing of the result"};
    add(std::move(candidate));
  }

  void finish(Candidate &candidate, const Region &region, const std::vector<const Stmt *> &items) {
    candidate.recvLiveOut = isLive(candidate, region, items);
    describeArrays(program, effects, candidate);
  }

  bool isLive(const Candidate &candidate, const Region &region,
              const std::vector<const Stmt *> &items) {
    for (const Path &path : candidate.first.info ? Paths{candidate.first.recv} : Paths()) {
      if (path.var < Path::FirstVariable)
        return true;
      const VarDecl *var = program.variable(path.var);
      if (var->hasGlobalStorage() || (isa<ParmVarDecl>(var) && path.throughPointer()))
        return true;
    }
    for (const Stmt *item : candidate.movedAfter)
      if (overlaps(effects.of(item).reads, candidate.first.recv))
        return true;
    for (size_t i = region.end; i < items.size(); i++)
      if (items[i] != candidate.secondStmt &&
          overlaps(effects.of(items[i]).reads, candidate.first.recv))
        return true;
    return false;
  }

  /// What the verdict rests on without proof.
  void noteAssumptions(Candidate &candidate) {
    auto note = [&](const Stmt *stmt) {
      Effects effect = effects.of(stmt);
      candidate.assumes.insert(effect.assumed.begin(), effect.assumed.end());
    };
    for (const Stmt *stmt : {candidate.firstStmt, candidate.secondStmt})
      note(stmt);
    for (const auto *list : {&candidate.op, &candidate.movedBefore, &candidate.movedAfter})
      llvm::for_each(*list, note);
  }

  void add(Candidate candidate) {
    if (candidate.isFusable())
      noteAssumptions(candidate);
    // A template shows up once per instance.
    auto key = std::make_tuple(candidate.file, candidate.lineFirst, candidate.columnFirst,
                               candidate.lineSecond, unsigned(candidate.kind));
    auto [place, isNew] = seen.try_emplace(key, candidates.size());
    if (isNew)
      candidates.push_back(std::move(candidate));
    else if (candidates[place->second].isFusable() && !candidate.isFusable())
      candidates[place->second] = std::move(candidate); // all instances must be good
  }

  Program &program;
  EffectsAnalysis effects;
  Events events;
  const FunctionDecl *function = nullptr;
  llvm::DenseSet<const CallExpr *> inOpenMp;
  Refusal rankBranch;
  std::vector<Candidate> candidates;
  std::map<std::tuple<std::string, unsigned, unsigned, unsigned, unsigned>, size_t> seen;
};

} // namespace

std::vector<Candidate> findCandidates(Program &program) { return Finder(program).run(); }

} // namespace acis::rewriter
