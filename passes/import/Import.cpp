// Chooses the nests of each handler, outermost first, and emits them.
#include "passes/import/Import.h"

#include "passes/dfg/DfgDialect.h"
#include "passes/dfg/Marks.h"
#include "passes/import/ControlCalls.h"
#include "passes/import/ControlSteps.h"
#include "passes/import/DoubleBuffer.h"
#include "passes/import/EmitNest.h"
#include "passes/import/Operations.h"
#include "passes/import/Plan.h"
#include "passes/import/StageRows.h"
#include "passes/llvm/Diagnose.h"
#include "passes/llvm/Handlers.h"
#include "passes/llvm/StreamAccess.h"
#include "passes/llvm/UnitDemand.h"
#include "passes/llvm/UnrolledPlaces.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/PostOrderIterator.h"
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
#include "llvm/Support/MathExtras.h"
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

/// What only loops used that are nests now. A word of the stream is read also if nobody uses it.
void eraseDead(Function &function) {
  auto isDead = [](const Instruction &inst) {
    auto *load = dyn_cast<LoadInst>(&inst);
    return isInstructionTriviallyDead(const_cast<Instruction *>(&inst)) &&
           !(load && isInputPointer(load->getPointerOperand()));
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock &block : function)
      for (Instruction &inst : make_early_inc_range(reverse(block)))
        if (isDead(inst)) {
          inst.eraseFromParent();
          changed = true;
        }
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
        accesses(function, evolution, diagnostics) {}

  /// A loop over rows of the stream that can be a nest if it reads a copy of them does so. True
  /// if there is such: then a new importer looks for the next.
  bool stageRows();
  /// Loops become nests, those around them stay control code.
  void importLoops();
  /// What else needs the array becomes loops of one iteration. True if there are such: then
  /// a new importer imports them.
  bool wrapSteps() { return diagnostics.empty() && wrapControlSteps(function, accesses); }
  void importSteps();
  /// What is left is code of the scalar unit.
  void finish();

private:
  bool stageRowsIn(ArrayRef<Loop *> siblings);
  bool readsRows(const Loop &loop) const;
  bool isWorthCopying(const Loop &loop, const NestPlan &nest);
  bool wasUnrolled(const Loop &loop) const;
  void emit(NestPlan &nest, bool hasOtherWay);
  void chooseIn(ArrayRef<Loop *> siblings);
  void choose(Loop &loop);
  bool needsArray(const Loop &loop) const;
  bool isOfScalarUnit(const Loop &loop, const Refusal &why) const;
  void leave(const Loop &loop, Diagnostic why);
  bool holdsLanes(const Loop &loop);
  bool hasSteps(const Loop &loop) const;
  uint64_t estimateControl(const Loop &loop);
  std::optional<LoopOf> numberOf(const Loop &loop) const;
  Result<NestPlan, Diagnostic> plan(Loop &loop);
  Result<NestPlan, Diagnostic> planAs(Loop &loop, Iterations iterations) {
    return planNest(loop, accesses, analyses, options, iterations);
  }
  bool touches(const Loop &loop) const;
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
  DenseMap<const BasicBlock *, unsigned> order;
};

bool HandlerImporter::touches(const Loop &loop) const {
  return any_of(accesses.accesses(),
                [&](const Access &access) { return access.inst && loop.contains(access.inst); });
}

bool HandlerImporter::readsRows(const Loop &loop) const {
  return any_of(accesses.accesses(), [&](const Access &access) {
    return access.object->kind == ObjectKind::In && loop.contains(access.inst);
  });
}

bool HandlerImporter::stageRowsIn(ArrayRef<Loop *> siblings) {
  for (Loop *loop : siblings) {
    if (!readsRows(*loop))
      continue;
    Result<NestPlan, Diagnostic> nest = plan(*loop);
    // Whether a loop without others in it is lanes is known later, but not those of records.
    if (nest && loop->isInnermost())
      nest = planAs(*loop, Iterations::Elements);
    if (nest && nest->staged) {
      import::stageRows(*nest, analyses, options);
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

/// Whether a nest in the loop has iterations that can be lanes.
bool HandlerImporter::holdsLanes(const Loop &loop) {
  return any_of(loop, [&](Loop *inner) {
    return touches(*inner) && (planAs(*inner, Iterations::Lanes) || holdsLanes(*inner));
  });
}

/// Whether the control code uses what the loop computes, or launches the loops in it.
static bool isWaitedFor(const Loop &loop) {
  SmallVector<BasicBlock *, 2> exits;
  loop.getUniqueExitBlocks(exits);
  return !loop.isInnermost() ||
         any_of(exits, [](const BasicBlock *exit) { return !exit->phis().empty(); });
}

/// Whether the loop accesses arrays beside the loops in it: such steps are launches, too.
bool HandlerImporter::hasSteps(const Loop &loop) const {
  return any_of(accesses.accesses(), [&](const Access &access) {
    return access.inst && access.object->kind == ObjectKind::Array &&
           loops.getLoopFor(access.inst->getParent()) == &loop;
  });
}

/// Cycles, roughly, of an iteration of a loop that the scalar unit runs: what its loops take
/// if their iterations are lanes, and what launching them takes.
uint64_t HandlerImporter::estimateControl(const Loop &loop) {
  const CostModel &cost = options.cost;
  bool waits = hasSteps(loop) || any_of(loop, [](Loop *inner) { return isWaitedFor(*inner); });
  uint64_t cycles = waits ? cost.resultCycles() : cost.startCycles();
  for (Loop *inner : loop) {
    uint64_t trip = evolution.getSmallConstantTripCount(inner);
    if (trip == 0)
      return UINT64_MAX;
    uint64_t once = inner->isInnermost() ? divideCeil(trip, cost.machine().lanes) *
                                               cost.interval(operationsOf(*inner))
                                         : trip * estimateControl(*inner);
    cycles += (isWaitedFor(*inner) ? cost.resultCycles() : cost.launchCycles()) + once;
  }
  return cycles;
}

/// The order of acis_sum_* is that of the lanes.
static bool sumsLanes(const Loop &loop) {
  return any_of(loop.blocks(), [](const BasicBlock *block) {
    return any_of(*block, [](const Instruction &inst) {
      return inst.getOpcode() == Instruction::FAdd && inst.hasAllowReassoc();
    });
  });
}

/// Rows that are long beside a launch may as well be launched one by one, if loops in the loop can
/// be nests; but not if one reads again what the one before has read.
bool HandlerImporter::isWorthCopying(const Loop &loop, const NestPlan &nest) {
  uint64_t longest = 0;
  for (const LoopShape &shape : drop_begin(nest.shape.loops))
    longest = std::max(longest, *shape.constantTrip);
  return nest.staged->bytes > nest.staged->step ||
         (longest < options.cost.resultCycles() &&
          nest.estimate <= 2 * options.cost.resultCycles()) ||
         none_of(loop, [&](Loop *inner) { return touches(*inner); });
}

/// The plan of a loop whose iterations are lanes or, if they cannot be, elements.
Result<NestPlan, Diagnostic> HandlerImporter::plan(Loop &loop) {
  std::optional<LoopOf> number = numberOf(loop);
  if (auto known = options.rows.find(number.value_or(LoopOf())); known != options.rows.end()) {
    Result<NestPlan, Diagnostic> rows = planAs(loop, Iterations::Rows);
    return rows ? std::move(rows) : known->second;
  }
  Result<NestPlan, Diagnostic> lanes = planAs(loop, Iterations::Lanes);
  if (lanes || sumsLanes(loop))
    return lanes;
  Result<NestPlan, Diagnostic> elements = planAs(loop, Iterations::Elements);
  // Lanes in the loop are worth more than the loop, unless there is little for them to do.
  if (holdsLanes(loop) && (!elements || elements->estimate > estimateControl(loop) / 2))
    return lanes;
  if (elements && elements->staged && !isWorthCopying(loop, *elements))
    return elements->staged->why;
  if (elements)
    elements->whyNotLanes = lanes.error().refusal;
  return elements;
}

/// Whether handler form has unrolled loops in this one, and would leave them if it was asked to.
bool HandlerImporter::wasUnrolled(const Loop &loop) const {
  const std::string place = placeOf(loop);
  return hasPlace(function, UnrolledAttribute, place) &&
         !hasPlace(function, RolledAttribute, place);
}

/// `hasOtherWay`: if it cannot be mapped like this.
void HandlerImporter::emit(NestPlan &nest, bool hasOtherWay) {
  // Positions of later nests may refer to values of this loop.
  accesses.forget(*nest.shape.root().loop);
  assert(!nest.staged && "rows are copied before loops are chosen");
  const std::string name = "k" + std::to_string(numNests++);
  if (Verdict good = emitNest(nest, name, handler, analyses); !good)
    diagnostics.push_back(good.error());
  else if (hasOtherWay)
    handler.getBody().front().back().setAttr(dfg::UnrolledAttr,
                                             mlir::UnitAttr::get(handler.getContext()));
}

/// The order of sums in lanes is not that of elements, and an element of an array of each VPE
/// is in one that the control code does not know.
bool HandlerImporter::needsArray(const Loop &loop) const {
  return sumsLanes(loop) || any_of(accesses.accesses(), [&](const Access &access) {
           return access.inst && access.object->perVpe && loop.contains(access.inst);
         });
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

/// What no nest can be stays in the control code, or is an error.
void HandlerImporter::leave(const Loop &loop, Diagnostic why) {
  const bool isScalar = options.scalarLoops || isOfScalarUnit(loop, why.refusal);
  (isScalar && !needsArray(loop) ? left : diagnostics).push_back(std::move(why));
}

/// None for loops that copy rows.
std::optional<LoopOf> HandlerImporter::numberOf(const Loop &loop) const {
  auto known = numbers.find(loop.getHeader());
  if (known == numbers.end())
    return std::nullopt;
  return LoopOf(function.getName().str(), known->second);
}

/// The outermost loop that can be a nest becomes one.
void HandlerImporter::choose(Loop &loop) {
  if (!touches(loop))
    return;
  Diagnostic why;
  std::optional<LoopOf> number = numberOf(loop);
  if (auto known = options.leave.find(number.value_or(LoopOf())); known != options.leave.end()) {
    why = known->second;
    if (needsArray(loop))
      return leave(loop, std::move(why));
  } else if (Result<NestPlan, Diagnostic> nest = plan(loop); !nest) {
    why = nest.error();
  } else {
    const bool unrolls = number && nest->scalar && !nest->keepsRows && !nest->flattened &&
                         nest->shape.loops.size() > 1;
    if (number)
      result.loops[{number->first, "k" + std::to_string(numNests)}] = number->second;
    if (unrolls)
      result.unrolled.insert(*number);
    emit(*nest, unrolls || wasUnrolled(loop));
    return;
  }
  SmallVector<Loop *, 4> inner(loop.begin(), loop.end());
  if (none_of(inner, [&](Loop *sub) { return touches(*sub); })) {
    leave(loop, std::move(why));
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
    Result<NestPlan, Diagnostic> nest = planAs(*step, Iterations::Elements);
    if (!nest) {
      diagnostics.push_back(nest.error());
      return;
    }
    nest->whyNotLanes = Refusal(Why::ControlStep);
    emit(*nest, /*hasOtherWay=*/false);
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
  for (auto handler : dfg->getOps<dfg::HandlerOp>())
    if (options.doubleBuffer)
      doubleBuffer(*module.getFunction(handler.getSymName()), handler, options, result.remarks);
  for (GlobalVariable &global : make_early_inc_range(module.globals())) {
    global.removeDeadConstantUsers();
    if (global.hasLocalLinkage() && global.use_empty())
      global.eraseFromParent();
  }
  result.dfg = std::move(dfg);
  return result;
}

} // namespace acis::import
