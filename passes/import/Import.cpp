// Chooses the nests of each handler, outermost first, and emits them.
#include "passes/import/Import.h"

#include "passes/dfg/DfgDialect.h"
#include "passes/dfg/Marks.h"
#include "passes/dfg/NestPlaces.h"
#include "passes/import/ControlCalls.h"
#include "passes/import/ControlSteps.h"
#include "passes/import/DoubleBuffer.h"
#include "passes/import/EmitNest.h"
#include "passes/import/Operations.h"
#include "passes/import/Plan.h"
#include "passes/import/Planner.h"
#include "passes/import/ShareNests.h"
#include "passes/import/StageRows.h"
#include "passes/llvm/Diagnose.h"
#include "passes/llvm/Handlers.h"
#include "passes/llvm/StreamAccess.h"
#include "passes/llvm/UnrolledPlaces.h"
#include "passes/llvm/windows/Footprint.h"
#include "passes/llvm/windows/Order.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace acis::import {
namespace {

/// What both importers of a handler have found.
struct Found {
  Diagnostics errors;
  Diagnostics left; ///< why loops are left to the scalar unit
  Diagnostics &remarks;
  Imported &result;
  /// Numbers of loops, by header, as the handler came.
  const DenseMap<const BasicBlock *, unsigned> &numbers;
  unsigned nests = 0;
};

DenseMap<const BasicBlock *, unsigned> numberBlocks(Function &function) {
  DenseMap<const BasicBlock *, unsigned> numbers;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    numbers.insert({block, unsigned(numbers.size())});
  return numbers;
}

/// What only loops used that are nests now, also round a loop of the control code. A word of the
/// stream is read also if nobody uses it.
void eraseDead(Function &function) {
  SmallSetVector<Instruction *, 32> used;
  for (Instruction &inst : instructions(function)) {
    auto *load = dyn_cast<LoadInst>(&inst);
    if (!wouldInstructionBeTriviallyDead(&inst) ||
        (load && isInputPointer(load->getPointerOperand())))
      used.insert(&inst);
  }
  for (size_t i = 0; i < used.size(); ++i)
    for (Value *operand : used[i]->operands())
      if (auto *from = dyn_cast<Instruction>(operand))
        used.insert(from);
  for (Instruction &inst : make_early_inc_range(instructions(function)))
    if (!used.contains(&inst)) {
      inst.replaceAllUsesWith(PoisonValue::get(inst.getType()));
      inst.eraseFromParent();
    }
}

class HandlerImporter {
public:
  HandlerImporter(Function &function, dfg::HandlerOp handler, const ImportOptions &options,
                  Found &found)
      : function(function), handler(handler), options(options), diagnostics(found.errors),
        left(found.left), remarks(found.remarks), result(found.result), numbers(found.numbers),
        numNests(found.nests), libraryImpl(Triple(function.getParent()->getTargetTriple())),
        library(libraryImpl), assumptions(function), dominators(function), postDominators(function),
        loops(dominators), evolution(function, library, assumptions, dominators, loops),
        analyses{dominators, postDominators, loops, evolution},
        accesses(function, evolution, diagnostics), planner(accesses, analyses, options) {}

  /// A loop over rows of the stream that can be a nest if it reads a copy of them does so. True
  /// if there is such: then a new importer looks for the next.
  bool stageRows();
  /// Loops become nests, those around them stay control code.
  void importLoops();
  /// What else needs the array becomes loops of one iteration. True if there are such: then
  /// a new importer imports them.
  bool wrapSteps() {
    return diagnostics.empty() &&
           wrapControlSteps(function, accesses, options.cost.machine().arguments);
  }
  void importSteps();
  /// What is left is code of the scalar unit.
  void finish();

private:
  bool stageRowsIn(ArrayRef<Loop *> siblings);
  bool readsRows(const Loop &loop) const;
  std::string unrolledAt(const std::string &place) const;
  void emit(NestPlan &nest, Taken taken, bool hasOtherWay);
  void chooseIn(ArrayRef<Loop *> siblings);
  void choose(Loop &loop);
  bool isOfScalarUnit(const Loop &loop, const Refusal &why) const;
  void leave(const Loop &loop, Diagnostic why);
  std::optional<Diagnostic> readsAgain(const Loop &loop);
  std::optional<LoopOf> numberOf(const Loop &loop) const;
  const ClosedWays &closedWays(const std::optional<LoopOf> &loop) const;
  void eraseArrays();

  Function &function;
  dfg::HandlerOp handler;
  const ImportOptions &options;
  Diagnostics &diagnostics;
  Diagnostics &left;
  Diagnostics &remarks;
  Imported &result;
  const DenseMap<const BasicBlock *, unsigned> &numbers;
  unsigned &numNests;
  TargetLibraryInfoImpl libraryImpl;
  TargetLibraryInfo library;
  AssumptionCache assumptions;
  DominatorTree dominators;
  PostDominatorTree postDominators;
  LoopInfo loops;
  ScalarEvolution evolution;
  FunctionAnalyses analyses;
  StreamAccess accesses;
  Planner planner;
  DenseMap<const BasicBlock *, unsigned> order;
};

bool HandlerImporter::readsRows(const Loop &loop) const {
  return any_of(accesses.accesses(), [&](const Access &access) {
    return access.object->kind == ObjectKind::In && loop.contains(access.inst);
  });
}

bool HandlerImporter::stageRowsIn(ArrayRef<Loop *> siblings) {
  for (Loop *loop : siblings) {
    if (!readsRows(*loop))
      continue;
    const ClosedWays &closed = closedWays(numberOf(*loop));
    Result<NestPlan, Diagnostic> nest = planner.choose(*loop, {});
    // The copy for a nest that was refused serves the loops in it as well.
    if (!closed.empty() && !(nest && nest->staged))
      nest = planner.choose(*loop, closed);
    // Whether a loop without others in it is lanes is known later, but not those of records.
    if (nest && loop->isInnermost())
      nest = planElements(*loop, accesses, analyses, options, {});
    if (nest && nest->staged) {
      import::stageRows(*nest, analyses);
      return true;
    }
    if (!nest && stageRowsIn(SmallVector<Loop *, 4>(loop->begin(), loop->end())))
      return true;
  }
  return false;
}

bool HandlerImporter::stageRows() {
  return diagnostics.empty() && stageRowsIn(SmallVector<Loop *, 4>(loops.begin(), loops.end()));
}

void HandlerImporter::chooseIn(ArrayRef<Loop *> siblings) {
  SmallVector<Loop *, 8> sorted(siblings);
  llvm::sort(sorted, [&](Loop *a, Loop *b) {
    return order.lookup(a->getHeader()) < order.lookup(b->getHeader());
  });
  for (Loop *loop : sorted)
    if (diagnostics.empty())
      choose(*loop);
}

/// The place, if handler form has unrolled loops in it, and would leave them if it was asked to;
/// else empty.
std::string HandlerImporter::unrolledAt(const std::string &place) const {
  return hasPlace(function, UnrolledAttribute, place) && !hasPlace(function, RolledAttribute, place)
             ? place
             : std::string();
}

/// `hasOtherWay`: if it cannot be mapped like this.
void HandlerImporter::emit(NestPlan &nest, Taken taken, bool hasOtherWay) {
  // Positions of later nests may refer to values of this loop.
  accesses.forget(*nest.shape.root().loop);
  assert(!nest.staged && "rows are copied before loops are chosen");
  const std::string name = "k" + std::to_string(numNests++);
  result.taken[{function.getName().str(), name}] = std::move(taken);
  if (Verdict good = emitNest(nest, name, handler, analyses); !good)
    diagnostics.push_back(good.error());
  else if (hasOtherWay)
    handler.getBody().front().back().setAttr(dfg::UnrolledAttr,
                                             mlir::UnitAttr::get(handler.getContext()));
}

/// Whether data says where or whether the loop reads, for which the array has no addresses, and the
/// scalar unit does all that an iteration does.
bool HandlerImporter::isOfScalarUnit(const Loop &loop, const Refusal &why) const {
  return is_contained(
             {Why::MemoryMovesUnevenly, Why::MemoryUnderCondition, Why::StreamUnderCondition},
             why.why) &&
         none_of(loop.blocks(), [&](const BasicBlock *block) {
           return any_of(*block, [&](const Instruction &inst) { return isStep(inst, accesses); });
         });
}

/// What no nest can be stays in the control code, or is an error; also what the scalar unit would
/// trap at in the second iteration.
void HandlerImporter::leave(const Loop &loop, Diagnostic why) {
  const bool mayBeScalar = why.refusal.why != Why::ReadsAgain && !planner.needsArray(loop);
  const bool isAsked = options.scalarLoops || isOfScalarUnit(loop, why.refusal);
  std::optional<Diagnostic> again = mayBeScalar ? readsAgain(loop) : std::nullopt;
  if (again && isAsked)
    why = std::move(*again);
  else if (mayBeScalar && !again && isAsked)
    return left.push_back(std::move(why));
  else if (mayBeScalar && !again)
    why.instead = Instead::ScalarUnitIfAsked;
  diagnostics.push_back(std::move(why));
}

/// Whether each iteration of a loop that is no nest, or of one in it, reads what the one before has
/// read, or what the iteration itself has, so that it would trap. Only reads of every iteration
/// count.
std::optional<Diagnostic> HandlerImporter::readsAgain(const Loop &loop) {
  const StringRef name = function.getArg(InParameter)->getName();
  auto refuse = [&](const LoadInst &read, int64_t bytes) {
    return diagnose(read, Refusal(Why::StreamGoesBackInLoop, name, bytes, "read"));
  };
  SmallVector<LoadInst *, 8> always;
  for (LoadInst *read : inputReadsOf(function)) {
    if (loop.contains(read) && loop.getLoopLatch() &&
        dominators.dominates(read->getParent(), loop.getLoopLatch()))
      always.push_back(read);
    const SCEV *place = loop.contains(read) ? placeOf(*read, evolution) : nullptr;
    const auto bytes = int64_t(read->getType()->getPrimitiveSizeInBits() / 8);
    if (!place)
      continue;
    if (const std::optional<int64_t> back =
            goesBackBy(*read->getParent(), place, bytes, &loop, loops, dominators, evolution))
      return refuse(*read, *back);
  }
  for (const LoadInst *before : always)
    for (const LoadInst *read : always)
      if (mayHavePassedInRow(*before, *read, loop, loops, dominators, evolution))
        return diagnose(*read, Refusal(Why::StreamReadAgain, name));
  const std::optional<Footprint> window = windowOf(always, loop, evolution);
  if (window && window->step < window->bytes && evolution.getSmallConstantTripCount(&loop) != 1)
    return refuse(*always.front(), window->bytes - window->step);
  return std::nullopt;
}

/// None for loops that copy rows.
std::optional<LoopOf> HandlerImporter::numberOf(const Loop &loop) const {
  auto known = numbers.find(loop.getHeader());
  if (known == numbers.end())
    return std::nullopt;
  return LoopOf(function.getName().str(), known->second);
}

/// The ways that the array has refused before.
const ClosedWays &HandlerImporter::closedWays(const std::optional<LoopOf> &loop) const {
  static const ClosedWays none;
  auto known = loop ? options.closed.find(*loop) : options.closed.end();
  return known == options.closed.end() ? none : known->second;
}

/// The outermost loop that can be a nest becomes one.
void HandlerImporter::choose(Loop &loop) {
  if (!planner.touches(loop))
    return;
  std::optional<LoopOf> number = numberOf(loop);
  const ClosedWays &closed = closedWays(number);
  Result<NestPlan, Diagnostic> nest = planner.choose(loop, closed);
  if (nest) {
    Taken taken{number, nest->way, unrolledAt(placeOf(loop))};
    // What was made larger by choice; the loops in it can be launched.
    const bool unrolls =
        number && nest->isScalar() && nest->way != Way::Flattened && nest->shape.loops.size() > 1;
    const bool hasOtherWay = unrolls || !taken.unrolledAt.empty();
    emit(*nest, std::move(taken), hasOtherWay);
    return;
  }
  Diagnostic why = nest.error();
  if (!closed.empty() && planner.needsArray(loop))
    return leave(loop, std::move(why));
  SmallVector<Loop *, 4> inner(loop.begin(), loop.end());
  if (none_of(inner, [&](Loop *sub) { return planner.touches(*sub); })) {
    leave(loop, std::move(why));
    return;
  }
  if (std::optional<Diagnostic> again = readsAgain(loop)) {
    diagnostics.push_back(std::move(*again));
    return;
  }
  why.severity = Severity::Remark;
  why.instead = Instead::InnerLoops;
  // A loop that was peeled or nested at one place needs one remark.
  if (remarks.empty() || remarks.back().line != why.line || remarks.back().refusal != why.refusal)
    remarks.push_back(std::move(why));
  chooseIn(inner);
}

/// Arrays are in the register file; the control code has none. Addresses of theirs that
/// stood outside of the loops have lost their uses with them.
void HandlerImporter::eraseArrays() {
  for (const auto &object : accesses.objects())
    if (auto *alloca = dyn_cast<AllocaInst>(object->base)) {
      SmallVector<User *, 4> users(alloca->users());
      for (User *user : users)
        if (isMarker(*cast<Instruction>(user)))
          cast<Instruction>(user)->eraseFromParent();
      RecursivelyDeleteTriviallyDeadInstructions(alloca);
    }
  eraseDead(function);
}

void HandlerImporter::importLoops() {
  if (!diagnostics.empty())
    return;
  order = numberBlocks(function);
  chooseIn(SmallVector<Loop *, 4>(loops.begin(), loops.end()));
}

void HandlerImporter::importSteps() {
  SmallVector<Loop *, 8> steps;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    if (Loop *loop = loops.getLoopFor(block); loop && isControlStep(*loop))
      steps.push_back(loop);
  for (Loop *step : steps) {
    Result<NestPlan, Diagnostic> nest = planElements(*step, accesses, analyses, options, {});
    if (!nest) {
      diagnostics.push_back(nest.error());
      return;
    }
    nest->whyNotLanes = Refusal(Why::ControlStep);
    Taken taken{{}, nest->way, {}};
    for (Loop *around = step->getParentLoop(); around && taken.unrolledAt.empty();
         around = around->getParentLoop())
      taken.unrolledAt = unrolledAt(placeOf(*around));
    if (taken.unrolledAt.empty())
      taken.unrolledAt = unrolledAt(HandlerPlace.str());
    emit(*nest, std::move(taken), /*hasOtherWay=*/false);
    if (!diagnostics.empty())
      return;
  }
}

void HandlerImporter::finish() {
  if (!diagnostics.empty())
    return;
  lowerControl(function, accesses, analyses, diagnostics);
  if (diagnostics.empty())
    eraseArrays();
}

/// Nests that hand on nothing and write nothing: ScalarEvolution knows what they would have read
/// from a table of constants.
void eraseIdleNests(Function &control, dfg::HandlerOp handler) {
  for (dfg::NestOp nest : make_early_inc_range(handler.getOps<dfg::NestOp>())) {
    const bool isIdle = nest.getFunctionType().getNumResults() == 0 &&
                        !nest->walk([](mlir::Operation *op) {
                               return mlir::isa<dfg::VrfWriteOp, dfg::MemWriteOp,
                                                dfg::StreamWriteOp, dfg::StreamReadOp>(op)
                                          ? mlir::WalkResult::interrupt()
                                          : mlir::WalkResult::advance();
                             })
                             .wasInterrupted();
    Function *callee = control.getParent()->getFunction(dfg::calleeOf(handler, nest.getSymName()));
    if (!isIdle || !callee)
      continue;
    for (User *call : make_early_inc_range(callee->users()))
      cast<Instruction>(call)->eraseFromParent();
    callee->eraseFromParent();
    nest.erase();
  }
}

/// Loops that are left to the scalar unit are worth a warning; if it cannot run them either,
/// the reason why the array cannot is the error.
void report(Found &found) {
  if (!found.errors.empty()) {
    auto isKnown = [&](const Diagnostic &error) {
      return any_of(found.left, [&](const Diagnostic &why) {
        return why.file == error.file && why.line == error.line;
      });
    };
    llvm::erase_if(found.errors, isKnown);
    llvm::append_range(found.errors, found.left);
    return;
  }
  for (Diagnostic &why : found.left) {
    why.severity = Severity::Warning;
    why.instead = Instead::ScalarUnit;
    found.remarks.push_back(std::move(why));
  }
}

void importHandler(Function &function, dfg::HandlerOp handler, const ImportOptions &options,
                   Found &found) {
  HandlerImporter(function, handler, options, found).importLoops();
  if (!found.errors.empty())
    return;
  eraseDead(function);
  {
    HandlerImporter rest(function, handler, options, found);
    if (!rest.wrapSteps()) {
      rest.finish();
      return;
    }
  }
  HandlerImporter steps(function, handler, options, found);
  steps.importSteps();
  steps.finish();
}

/// One loop at a time, since analyses are built anew after each.
void stageRows(Function &function, dfg::HandlerOp handler, const ImportOptions &options,
               const DenseMap<const BasicBlock *, unsigned> &numbers) {
  Imported ignored; // the importer says it again
  bool changed = true;
  while (changed) {
    Found found{{}, {}, ignored.remarks, ignored, numbers};
    changed = HandlerImporter(function, handler, options, found).stageRows();
  }
}

mlir::Location locationOf(const Function &function, mlir::MLIRContext &context) {
  if (const DISubprogram *subprogram = function.getSubprogram())
    return mlir::FileLineColLoc::get(&context, subprogram->getFilename(), subprogram->getLine(), 1);
  return mlir::UnknownLoc::get(&context);
}

} // namespace

Imported importModule(Module &module, mlir::MLIRContext &context, const ImportOptions &options) {
  context.loadDialect<dfg::DfgDialect>();
  Imported result;
  mlir::OpBuilder builder(&context);
  mlir::OwningOpRef<mlir::ModuleOp> dfg = mlir::ModuleOp::create(builder.getUnknownLoc());
  for (Function &function : module) {
    if (function.isDeclaration() || !function.hasFnAttribute("acis.handler"))
      continue;
    builder.setInsertionPointToEnd(dfg->getBody());
    auto handler =
        dfg::HandlerOp::create(builder, locationOf(function, context), function.getName());
    if (handler.getBody().empty())
      handler.getBody().emplaceBlock();
    const DenseMap<const BasicBlock *, unsigned> numbers = numberBlocks(function);
    stageRows(function, handler, options, numbers);
    Found found{{}, {}, result.remarks, result, numbers};
    importHandler(function, handler, options, found);
    report(found);
    llvm::append_range(result.diagnostics, found.errors);
  }
  if (!result.diagnostics.empty())
    return result;
  result.left = result.remarks;
  for (auto handler : dfg->getOps<dfg::HandlerOp>()) {
    Function &control = *module.getFunction(handler.getSymName());
    if (options.doubleBuffer)
      doubleBuffer(control, handler, options, result.remarks);
    eraseIdleNests(control, handler);
    shareNests(control, handler);
  }
  for (GlobalVariable &global : make_early_inc_range(module.globals())) {
    global.removeDeadConstantUsers();
    if (global.use_empty()) // inline variables of headers, too
      global.eraseFromParent();
  }
  result.dfg = std::move(dfg);
  return result;
}

} // namespace acis::import
