// Fences are calls of llvm.fake.use, which differ where accesses must not be joined, and volatile
// accesses, which keep their order; neither outlives the pass that it is for.
#include "passes/llvm/Fences.h"

#include "passes/llvm/Handlers.h"
#include "passes/llvm/Transforms.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace acis {
namespace {

const Value *arrayOf(const Value *pointer) {
  const Value *base = getUnderlyingObject(pointer, /*MaxLookup=*/0);
  return isa<AllocaInst, GlobalVariable>(base) ? base : nullptr;
}

/// Uses behind accesses. Those of two lists differ in their number of arguments, so that none of
/// one is joined with one of the other.
class UseFence {
public:
  explicit UseFence(Function &function)
      : use(Intrinsic::getOrInsertDeclaration(function.getParent(), Intrinsic::fake_use)) {}

  void behind(LoadInst &read) { put(read, {&read}); }
  void behind(StoreInst &write) { put(write, {}); }
  void nextList() { ++list; }

private:
  void put(Instruction &access, SmallVector<Value *, 8> arguments) {
    arguments.append(list, ConstantInt::getTrue(access.getContext()));
    CallInst::Create(use, arguments, "", std::next(access.getIterator()));
  }

  Function *use;
  unsigned list = 0;
};

/// Two reads, one on each side of an if, are not one read of one of two places, of which no
/// address generator could tell; but reads of one array may be, as any of its elements can be
/// read. What has another use is not joined, if that use is not. Of arrays, only reads that
/// `mayJoin`.
void keepReads(Function &handler, function_ref<bool(const LoadInst &)> mayJoin) {
  SmallVector<LoadInst *, 8> single;
  MapVector<const Value *, SmallVector<LoadInst *, 4>> ofArrays;
  for (Instruction &inst : instructions(handler))
    if (auto *load = dyn_cast<LoadInst>(&inst)) {
      const Value *pointer = load->getPointerOperand();
      if (isInputPointer(pointer) || isMemoryPointer(pointer))
        single.push_back(load);
      else if (const Value *array = arrayOf(pointer); array && mayJoin(*load))
        ofArrays[array].push_back(load);
    }
  UseFence fence(handler);
  for (auto &[array, reads] : ofArrays) {
    for (LoadInst *read : reads)
      fence.behind(*read);
    fence.nextList();
  }
  for (LoadInst *read : single) {
    fence.behind(*read);
    fence.nextList();
  }
}

/// Nor are two writes of different arrays, one on each side of an if, one write of one of two
/// arrays. Those of one array may become one, as it has one port.
void keepWritesApart(Function &handler) {
  for (BasicBlock &join : handler) {
    MapVector<const Value *, SmallVector<StoreInst *, 4>> ofArrays;
    for (BasicBlock *side : predecessors(&join))
      for (Instruction &inst : *side)
        if (auto *store = dyn_cast<StoreInst>(&inst); store && side->getSingleSuccessor())
          if (const Value *array = arrayOf(store->getPointerOperand()))
            ofArrays[array].push_back(store);
    if (ofArrays.size() < 2)
      continue;
    UseFence fence(handler);
    for (auto &[array, stores] : ofArrays) {
      for (StoreInst *store : stores)
        fence.behind(*store);
      fence.nextList();
    }
  }
}

void removeUses(Function &handler) {
  for (Instruction &inst : make_early_inc_range(instructions(handler)))
    if (auto *call = dyn_cast<IntrinsicInst>(&inst);
        call && call->getIntrinsicID() == Intrinsic::fake_use)
      call->eraseFromParent();
}

/// A volatile access of the source was an error, see verifySource(). So are guarded reads: joined
/// with another one a read would lose the mark, and trap where its condition does not hold.
void setReadsVolatile(Function &handler, bool isVolatile) {
  for (Instruction &inst : instructions(handler))
    if (auto *load = dyn_cast<LoadInst>(&inst))
      load->setVolatile(isVolatile && (isInputPointer(load->getPointerOperand()) ||
                                       load->hasMetadata(GuardedMetadata)));
}

void setWritesVolatile(Function &handler, bool isVolatile) {
  for (Instruction &inst : instructions(handler))
    if (auto *store = dyn_cast<StoreInst>(&inst);
        store && isOutputPointer(store->getPointerOperand()))
      store->setVolatile(isVolatile);
}

/// Whether it says only when a loop ends, which is a count by then: ScalarEvolution has none for a
/// condition that is frozen.
bool endsLoop(const SelectInst &select, const LoopInfo &loops) {
  return all_of(select.users(), [&](const User *user) {
    const BasicBlock *block = cast<Instruction>(user)->getParent();
    const Loop *loop = loops.getLoopFor(block);
    return llvm::isa<BranchInst>(user) && loop && loop->isLoopExiting(block);
  });
}

/// InstCombine makes "a and b" of conditions a choice, so that b is not computed without need.
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

} // namespace

bool combine(Forming &forming) {
  // InstCombine moves loads to their uses.
  setReadsVolatile(forming.handler, true);
  // It joins what meets in a phi; what else it does to reads of arrays is welcome.
  keepReads(forming.handler,
            [](const LoadInst &load) { return any_of(load.users(), IsaPred<PHINode>); });
  bool isChanged = forming.run(InstCombinePass());
  removeUses(forming.handler);
  setReadsVolatile(forming.handler, false);
  return isChanged;
}

static bool simplifyBlocks(Forming &forming, const SimplifyCFGOptions &options) {
  keepReads(forming.handler, [](const LoadInst &) { return true; });
  keepWritesApart(forming.handler);
  const bool isChanged = forming.run(SimplifyCFGPass(options));
  removeUses(forming.handler);
  return isChanged;
}

/// Whether its branch is decided on one of the ways to it.
static bool isDecidedBefore(const BasicBlock &block) {
  auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  auto *met =
      branch && branch->isConditional() ? dyn_cast<PHINode>(branch->getCondition()) : nullptr;
  return met && met->getParent() == &block && any_of(met->incoming_values(), IsaPred<Constant>);
}

bool threadBranches(Forming &forming) {
  return any_of(forming.handler, isDecidedBefore) &&
         simplifyBlocks(forming, SimplifyCFGOptions().needCanonicalLoops(true));
}

bool simplify(Forming &forming) {
  const bool isCombined = combine(forming);
  return simplifyBlocks(
             forming,
             SimplifyCFGOptions().needCanonicalLoops(true).hoistCommonInsts(true).sinkCommonInsts(
                 true)) ||
         isCombined;
}

bool rotateLoops(Forming &forming) {
  LoopPassManager passes;
  passes.addPass(LoopRotatePass());
  passes.addPass(LICMPass(LICMOptions()));
  // A write of a constant does not change in a loop of one iteration and could leave it, in front
  // of another one: the output stream is written in order.
  setWritesVolatile(forming.handler, true);
  bool isChanged =
      forming.run(createFunctionToLoopPassAdaptor(std::move(passes), /*UseMemorySSA=*/true));
  setWritesVolatile(forming.handler, false);
  return isChanged;
}

bool dropMarkers(Forming &forming) {
  SmallVector<WeakTrackingVH, 8> unused;
  for (Instruction &inst : instructions(forming.handler))
    if (auto *load = dyn_cast<LoadInst>(&inst);
        load && load->use_empty() && !isInputPointer(load->getPointerOperand()))
      unused.push_back(load);
  RecursivelyDeleteTriviallyDeadInstructions(unused);
  const auto &loops = forming.analyses.getResult<LoopAnalysis>(forming.handler);
  for (Instruction &inst : make_early_inc_range(instructions(forming.handler))) {
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(&inst);
        intrinsic && intrinsic->isAssumeLikeIntrinsic() && intrinsic->use_empty())
      inst.eraseFromParent();
    else if (auto *select = dyn_cast<SelectInst>(&inst); select && !endsLoop(*select, loops))
      makeBitwise(*select);
  }
  for (BasicBlock &block : make_early_inc_range(forming.handler))
    MergeBlockIntoPredecessor(&block);
  return forming.settle(true);
}

} // namespace acis
