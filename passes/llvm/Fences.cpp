// Fences are calls of llvm.fake.use, which differ where accesses must not be joined, and volatile
// accesses, which are not moved; neither outlives the pass that it is for.
#include "passes/llvm/Fences.h"

#include "passes/llvm/Handlers.h"
#include "passes/llvm/Transforms.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
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

/// Two accesses, one on each side of an if, are not one access of one of two places, of which no
/// address generator could tell; but accesses of one array may be, as it has one port and any of
/// its elements can be asked for. What has a use behind it is not joined, if that use is not: uses
/// of two objects differ in their number of arguments. Each read of a stream or of the memory is an
/// object of its own. Of arrays, only what `mayJoin`.
void keepApart(Function &handler, function_ref<bool(const Instruction &)> mayJoin) {
  MapVector<const Value *, SmallVector<Instruction *, 4>> objects;
  for (Instruction &inst : instructions(handler)) {
    const Value *pointer = getLoadStorePointerOperand(&inst);
    if (!pointer)
      continue;
    if (isa<LoadInst>(inst) && (isInputPointer(pointer) || isMemoryPointer(pointer)))
      objects[&inst].push_back(&inst);
    else if (const Value *array = arrayOf(pointer); array && mayJoin(inst))
      objects[array].push_back(&inst);
  }
  Function *use = Intrinsic::getOrInsertDeclaration(handler.getParent(), Intrinsic::fake_use);
  SmallVector<Value *, 8> number;
  for (auto &[object, accesses] : objects) {
    for (Instruction *access : accesses) {
      SmallVector<Value *, 8> arguments(number);
      if (isa<LoadInst>(access))
        arguments.insert(arguments.begin(), access);
      CallInst::Create(use, arguments, "", std::next(access->getIterator()));
    }
    number.push_back(ConstantInt::getTrue(handler.getContext()));
  }
}

/// The value in the narrower type that it was widened from; null: it may not be one.
Value *narrowed(Value *value, Type &type) {
  auto *constant = dyn_cast<ConstantFP>(value);
  auto *widened = dyn_cast<FPExtInst>(value);
  if (!constant)
    return widened && widened->getOperand(0)->getType() == &type ? widened->getOperand(0) : nullptr;
  APFloat number = constant->getValueAPF();
  bool isInexact = false;
  number.convert(type.getFltSemantics(), APFloat::rmNearestTiesToEven, &isInexact);
  return isInexact || number.isNaN() ? nullptr : ConstantFP::get(&type, number);
}

/// Chooses first and widens then. InstCombine does so as well, but makes a minimum or a maximum of
/// the choice, and of equal numbers, as -0 and 0 are, takes the other one.
void chooseNarrow(Function &handler) {
  for (Instruction &inst : make_early_inc_range(instructions(handler))) {
    auto *select = dyn_cast<SelectInst>(&inst);
    if (!select || !select->getType()->isDoubleTy())
      continue;
    Type &type = *Type::getFloatTy(handler.getContext());
    Value *one = narrowed(select->getTrueValue(), type);
    Value *other = narrowed(select->getFalseValue(), type);
    if (!one || !other || (isa<Constant>(one) && isa<Constant>(other)))
      continue;
    IRBuilder<> builder(select);
    Value *chosen = builder.CreateSelect(select->getCondition(), one, other, select->getName());
    select->replaceAllUsesWith(builder.CreateFPExt(chosen, select->getType()));
    select->eraseFromParent();
  }
}

void removeUses(Function &handler) {
  for (Instruction &inst : make_early_inc_range(instructions(handler)))
    if (auto *call = dyn_cast<IntrinsicInst>(&inst);
        call && call->getIntrinsicID() == Intrinsic::fake_use)
      call->eraseFromParent();
}

/// A volatile access of the source was an error, see verifySource(). Joined with another one a
/// guarded read would lose the mark, and trap where its condition does not hold.
void setGuardedVolatile(Function &handler, bool isVolatile) {
  for (Instruction &inst : instructions(handler))
    if (auto *load = dyn_cast<LoadInst>(&inst); load && load->hasMetadata(GuardedMetadata))
      load->setVolatile(isVolatile);
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

/// Whether it meets others in a phi, as it is or cast.
static bool meets(const Value &value) {
  return any_of(value.users(), [](const User *user) {
    return isa<PHINode>(user) || (isa<CastInst>(user) && meets(*user));
  });
}

bool combine(Forming &forming) {
  setGuardedVolatile(forming.handler, true);
  // InstCombine joins what meets in a phi, and moves a read to its use if that is the only one;
  // what else it does to reads of arrays is welcome.
  keepApart(forming.handler,
            [](const Instruction &access) { return isa<LoadInst>(access) && meets(access); });
  chooseNarrow(forming.handler);
  bool isChanged = forming.run(InstCombinePass());
  removeUses(forming.handler);
  setGuardedVolatile(forming.handler, false);
  return isChanged;
}

static bool simplifyBlocks(Forming &forming, const SimplifyCFGOptions &options) {
  keepApart(forming.handler, [](const Instruction &) { return true; });
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
