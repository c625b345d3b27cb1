// The pass pipeline of handlers: short, chosen by hand, in the order below.
#include "passes/llvm/HandlerForm.h"

#include "passes/llvm/Analyses.h"
#include "passes/llvm/CarriedSelects.h"
#include "passes/llvm/Diagnose.h"
#include "passes/llvm/ElementIndices.h"
#include "passes/llvm/ExpandIntrinsics.h"
#include "passes/llvm/Handlers.h"
#include "passes/llvm/HoistReads.h"
#include "passes/llvm/IfConvert.h"
#include "passes/llvm/InlineCalls.h"
#include "passes/llvm/LocalTables.h"
#include "passes/llvm/LowerMemory.h"
#include "passes/llvm/MergeArrays.h"
#include "passes/llvm/OrderReads.h"
#include "passes/llvm/PeelRereads.h"
#include "passes/llvm/PointerNumbers.h"
#include "passes/llvm/PointerWebs.h"
#include "passes/llvm/PredicateExits.h"
#include "passes/llvm/SinkFloats.h"
#include "passes/llvm/SplitRecords.h"
#include "passes/llvm/StaticScalars.h"
#include "passes/llvm/UniteWords.h"
#include "passes/llvm/UnrollWindows.h"
#include "passes/llvm/VerifyHandlerForm.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopDeletion.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LowerConstantIntrinsics.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"

using namespace llvm;

namespace acis {
namespace {

class Former {
public:
  Former(Function &handler, Analyses &analyses, const FormOptions &options,
         Diagnostics &diagnostics)
      : handler(handler), functions(analyses.functions), options(options),
        diagnostics(diagnostics) {}

  bool run() {
    if (gatherLocalTables(handler))
      finish("local-tables", PreservedAnalyses::none());
    ignoreExpectations();
    if (splitLocalRecords(handler, /*indexed=*/true))
      finish("split-records", PreservedAnalyses::none());
    step("sroa", SROAPass(SROAOptions::ModifyCFG));
    if (splitLocalRecords(handler, /*indexed=*/false)) {
      finish("split-records", PreservedAnalyses::none());
      step("sroa", SROAPass(SROAOptions::ModifyCFG));
    }
    step("early-cse", EarlyCSEPass());
    step("lower-constant-intrinsics", LowerConstantIntrinsicsPass());
    simplify();
    if (expandMoves(handler)) {
      finish("expand-moves", PreservedAnalyses::none());
      step("sroa", SROAPass(SROAOptions::ModifyCFG));
      simplify();
    }
    LoopPassManager first;
    first.addPass(LoopRotatePass());
    first.addPass(LICMPass(LICMOptions()));
    keepWrites(true);
    step("loop-rotate,licm", createFunctionToLoopPassAdaptor(std::move(first), /*MSSA=*/true));
    keepWrites(false);
    simplify();
    numberChosenPointers(); // of rotated loops, which have pointers of their own
    LoopPassManager second;
    second.addPass(IndVarSimplifyPass());
    second.addPass(LoopDeletionPass());
    step("indvars,loop-deletion", createFunctionToLoopPassAdaptor(std::move(second)));
    if (step("unroll-windows",
             UnrollWindowsPass({options.lanes, options.operations, options.memoryPorts}))) {
      step("sroa", SROAPass(SROAOptions::ModifyCFG));
      simplify();
    }
    bool changed = false;
    if (!lowerMemory(handler, diagnostics, changed))
      return false;
    if (changed)
      finish("lower-memory", PreservedAnalyses::none());
    if (step("unite-words", UniteWordsPass()))
      simplify();
    if (step("peel-rereads", PeelRereadsPass()))
      simplify();
    step("early-cse-memssa", EarlyCSEPass(/*UseMemorySSA=*/true));
    if (step("hoist-reads", HoistReadsPass()))
      step("early-cse-memssa", EarlyCSEPass(/*UseMemorySSA=*/true));
    foldBranches();
    step("order-reads", OrderReadsPass());
    step("lower-switch", LowerSwitchPass());
    step("predicate-exits", PredicateExitsPass());
    step("if-convert", IfConvertPass());
    combine();
    step("element-indices", ElementIndicesPass());
    step("carried-selects", CarriedSelectsPass());
    step("expand-intrinsics", ExpandIntrinsicsPass());
    step("sink-floats", SinkFloatsPass());
    dropMarkers();
    step("loop-simplify", LoopSimplifyPass());
    step("lcssa", LCSSAPass());
    return good;
  }

private:
  /// Runs one pass; whether it changed anything.
  template <typename Pass> bool step(const char *name, Pass pass) {
    return finish(name, pass.run(handler, functions));
  }

  bool finish(const char *name, const PreservedAnalyses &preserved) {
    functions.invalidate(handler, preserved);
    if (options.verifyEach && verifyFunction(handler)) {
      diagnostics.push_back(
          diagnose(handler, std::string("internal error: invalid IR after pass ") + name));
      good = false;
    }
    return !preserved.areAllPreserved();
  }

  void simplify() {
    combine();
    keepReads([](const LoadInst &) { return true; });
    // What both sides of an if do is done once: a stream is written in each iteration.
    keepWritesApart();
    step("simplifycfg",
         SimplifyCFGPass(
             SimplifyCFGOptions().needCanonicalLoops(true).hoistCommonInsts(true).sinkCommonInsts(
                 true)));
    letReads();
  }

  /// Ways that are never taken, now that equal values are one: a loop that always ends in its first
  /// iteration is none.
  void foldBranches() {
    bool changed = false;
    for (BasicBlock &block : handler)
      changed |= ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
    if (!changed)
      return;
    removeUnreachableBlocks(handler);
    finish("fold-branches", PreservedAnalyses::none());
    simplify();
  }

  /// Pointers that data chooses: into variables that are scalars, SROA chooses between the scalars
  /// now that ways are joined; into arrays, they become numbers.
  void numberChosenPointers() {
    if (pointerWebs(handler).empty())
      return;
    step("sroa", SROAPass(SROAOptions::ModifyCFG));
    bool changed = mergeLocalArrays(handler);
    changed |= numberPointers(handler);
    if (changed)
      finish("number-pointers", PreservedAnalyses::none());
    simplify();
  }

  /// Two reads, one on each side of an if, are not one read of one of two places, of which no
  /// address generator could tell; but reads of one array may be, as any of its elements can be
  /// read. What has another use is not joined, if that use is not: these have different numbers of
  /// arguments. Of arrays, only reads that `mayJoin`.
  void keepReads(function_ref<bool(const LoadInst &)> mayJoin) {
    SmallVector<LoadInst *, 8> single;
    MapVector<const Value *, SmallVector<LoadInst *, 4>> ofArrays;
    for (Instruction &inst : instructions(handler))
      if (auto *load = dyn_cast<LoadInst>(&inst)) {
        const Value *base = getUnderlyingObject(load->getPointerOperand(), /*MaxLookup=*/0);
        if (isInputPointer(load->getPointerOperand()) || isMemoryPointer(load->getPointerOperand()))
          single.push_back(load);
        else if (isa<AllocaInst, GlobalVariable>(base) && mayJoin(*load))
          ofArrays[base].push_back(load);
      }
    Function *use = Intrinsic::getOrInsertDeclaration(handler.getParent(), Intrinsic::fake_use);
    SmallVector<Value *, 8> arguments(1);
    auto keep = [&](ArrayRef<LoadInst *> reads) {
      for (LoadInst *read : reads) {
        arguments.front() = read;
        CallInst::Create(use, arguments, "", std::next(read->getIterator()));
      }
      arguments.push_back(ConstantInt::getTrue(handler.getContext()));
    };
    for (auto &[array, reads] : ofArrays)
      keep(reads);
    for (LoadInst *read : single)
      keep(read);
  }

  /// Nor are two writes of different arrays, one on each side of an if, one write of one of two
  /// arrays. Those of one array may become one, as it has one port.
  void keepWritesApart() {
    Function *use = Intrinsic::getOrInsertDeclaration(handler.getParent(), Intrinsic::fake_use);
    for (BasicBlock &join : handler) {
      MapVector<const Value *, SmallVector<StoreInst *, 4>> ofArrays;
      for (BasicBlock *side : predecessors(&join))
        for (Instruction &inst : *side)
          if (auto *store = dyn_cast<StoreInst>(&inst); store && side->getSingleSuccessor())
            if (const Value *base =
                    getUnderlyingObject(store->getPointerOperand(), /*MaxLookup=*/0);
                isa<AllocaInst, GlobalVariable>(base))
              ofArrays[base].push_back(store);
      if (ofArrays.size() < 2)
        continue;
      SmallVector<Value *, 8> arguments;
      for (auto &[array, stores] : ofArrays) {
        for (StoreInst *store : stores)
          CallInst::Create(use, arguments, "", std::next(store->getIterator()));
        arguments.push_back(ConstantInt::getTrue(handler.getContext()));
      }
    }
  }

  void letReads() {
    for (Instruction &inst : make_early_inc_range(instructions(handler)))
      if (auto *call = dyn_cast<IntrinsicInst>(&inst);
          call && call->getIntrinsicID() == Intrinsic::fake_use)
        call->eraseFromParent();
  }

  /// What a branch is expected to do changes nothing: both sides are on the array.
  void ignoreExpectations() {
    for (Instruction &inst : make_early_inc_range(instructions(handler)))
      if (auto *call = dyn_cast<IntrinsicInst>(&inst);
          call && (call->getIntrinsicID() == Intrinsic::expect ||
                   call->getIntrinsicID() == Intrinsic::expect_with_probability)) {
        call->replaceAllUsesWith(call->getArgOperand(0));
        call->eraseFromParent();
      }
  }

  /// A write of a constant does not change in a loop of one iteration and could leave it, in front
  /// of another one: the output stream is written in order.
  void keepWrites(bool isKept) {
    for (Instruction &inst : instructions(handler))
      if (auto *store = dyn_cast<StoreInst>(&inst);
          store && isOutputPointer(store->getPointerOperand()))
        store->setVolatile(isKept);
  }

  /// InstCombine moves loads to their uses. Reads of the input stream must stay in
  /// order, so they are volatile while it runs.
  void combine() {
    for (Instruction &inst : instructions(handler))
      if (auto *load = dyn_cast<LoadInst>(&inst))
        load->setVolatile(isInputPointer(load->getPointerOperand()));
    // InstCombine joins what meets in a phi; what else it does to reads of arrays is welcome.
    keepReads([](const LoadInst &load) { return any_of(load.users(), IsaPred<PHINode>); });
    step("instcombine", InstCombinePass());
    letReads();
    // A volatile access of the source was an error, see verifySource().
    for (Instruction &inst : instructions(handler))
      if (auto *load = dyn_cast<LoadInst>(&inst))
        load->setVolatile(false);
  }

  /// Removes what only told passes something, and reads of arrays that nothing needs any more;
  /// joins blocks, and makes "and" and "or" of conditions plain operations.
  void dropMarkers() {
    SmallVector<WeakTrackingVH, 8> unused;
    for (Instruction &inst : instructions(handler))
      if (auto *load = dyn_cast<LoadInst>(&inst);
          load && load->use_empty() && !isInputPointer(load->getPointerOperand()))
        unused.push_back(load);
    RecursivelyDeleteTriviallyDeadInstructions(unused);
    for (Instruction &inst : make_early_inc_range(instructions(handler))) {
      if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
          intrinsic && intrinsic->isAssumeLikeIntrinsic() && intrinsic->use_empty())
        inst.eraseFromParent();
      else if (auto *select = dyn_cast<SelectInst>(&inst))
        makeBitwise(*select);
    }
    for (BasicBlock &block : make_early_inc_range(handler))
      MergeBlockIntoPredecessor(&block);
    finish("drop-markers", PreservedAnalyses::none());
  }

  void makeBitwise(SelectInst &select) {
    using namespace PatternMatch;
    Value *a = nullptr, *b = nullptr;
    Instruction::BinaryOps opcode;
    if (match(&select, m_LogicalAnd(m_Value(a), m_Value(b))))
      opcode = Instruction::And;
    else if (match(&select, m_LogicalOr(m_Value(a), m_Value(b))))
      opcode = Instruction::Or;
    else
      return;
    auto *frozen = new FreezeInst(b, "", select.getIterator());
    auto *result = BinaryOperator::Create(opcode, a, frozen, "", select.getIterator());
    frozen->setDebugLoc(select.getDebugLoc());
    result->setDebugLoc(select.getDebugLoc());
    result->takeName(&select);
    select.replaceAllUsesWith(result);
    select.eraseFromParent();
  }

  Function &handler;
  FunctionAnalysisManager &functions;
  const FormOptions &options;
  Diagnostics &diagnostics;
  bool good = true;
};

} // namespace

bool bringToHandlerForm(Module &module, const FormOptions &options, Diagnostics &diagnostics) {
  if (!inlineCalls(module, diagnostics))
    return false;
  mergeStaticArrays(module, WebElements::Records);
  splitStaticRecords(module);
  mergeStaticArrays(module, WebElements::Numbers);
  if (!placeStaticScalars(module, options.scratchBytes / 2, diagnostics))
    return false;
  Analyses analyses(module);
  bool good = true;
  for (Function *handler : handlersOf(module)) {
    // The packet length is a register: nothing else is stored to where it is.
    if (handler->arg_size() == NumHandlerParameters)
      handler->addParamAttr(LenParameter, Attribute::NoAlias);
    if (!verifySource(*handler, diagnostics) ||
        !Former(*handler, analyses, options, diagnostics).run() ||
        !verifyHandlerForm(*handler, analyses.functions, diagnostics))
      good = false;
  }
  return good;
}

} // namespace acis
