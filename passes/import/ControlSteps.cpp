// Collects the steps of each block from its start to its end, then builds the loops.
#include "passes/import/ControlSteps.h"

#include "backend/isa/Numbers.h"
#include "passes/import/Operations.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace acis::import {
namespace {

constexpr const char *StepMetadata = "acis.step"; ///< on the back edge of a wrapped step

unsigned wordsOf(const Type *type) { return type->getPrimitiveSizeInBits() > 32 ? 2 : 1; }

/// A division of 64 bits, for which the scalar unit would need a routine of a runtime library.
bool isWideDivision(const Instruction &inst) {
  return inst.isIntDivRem() && inst.getType()->isIntegerTy(64) && !whyNotOffered(inst);
}

/// A place in an array is no value: what needs it behind a step computes it again.
bool isAddress(const Instruction &inst) {
  return inst.getType()->isPointerTy() && !inst.mayReadOrWriteMemory() && !llvm::isa<PHINode>(inst);
}

/// Neighbouring steps of one block, in order, and what has to follow them.
struct Steps {
  SmallSetVector<Instruction *, 16> inside;   ///< go into the loop
  SmallSetVector<Instruction *, 16> deferred; ///< use values of the loop, go behind it

  bool empty() const { return inside.empty(); }
  bool feeds(const Instruction &inst) const {
    return any_of(inst.operands(), [&](Value *operand) {
      auto *from = dyn_cast<Instruction>(operand);
      return from && (inside.contains(from) || deferred.contains(from));
    });
  }
};

class Wrapper {
public:
  Wrapper(Function &handler, const StreamAccess &accesses, unsigned arguments)
      : handler(handler), accesses(accesses), arguments(arguments) {}

  bool run() {
    SmallVector<BasicBlock *, 16> blocks;
    for (BasicBlock &block : handler)
      blocks.push_back(&block);
    for (BasicBlock *block : blocks)
      runOn(*block);
    return changed;
  }

private:
  void runOn(BasicBlock &block);
  bool staysBehind(const Steps &steps, const Instruction &inst) const;
  bool take(Steps &steps, Instruction &inst) const;
  bool leaves(const Steps &steps, const Instruction &inst) const;
  bool fits(const Steps &steps) const;
  void close(Steps &steps, Instruction &before);
  void wrap(ArrayRef<Instruction *> inside, Instruction &before);
  void passOut(ArrayRef<Instruction *> inside, BasicBlock &body, BasicBlock &exit);

  Function &handler;
  const StreamAccess &accesses;
  const unsigned arguments; ///< words that a launch takes
  bool changed = false;
};

void Wrapper::runOn(BasicBlock &block) {
  SmallVector<Instruction *, 32> all;
  for (Instruction &inst : block)
    all.push_back(&inst);
  Steps steps;
  for (Instruction *inst : all) {
    if (llvm::isa<PHINode>(inst) || isMarker(*inst))
      continue;
    if (isStep(*inst, accesses)) {
      Steps before = steps;
      if (take(steps, *inst) && (before.empty() || fits(steps)))
        continue;
      close(before, *inst);
      steps = {};
      take(steps, *inst);
      continue;
    }
    if (steps.empty())
      continue;
    // A call may be a loop that uses the arrays. Other objects are not the steps' business.
    if (inst->isTerminator() || llvm::isa<CallInst>(inst)) {
      close(steps, *inst);
      steps = {};
    } else if (steps.feeds(*inst) || staysBehind(steps, *inst)) {
      steps.deferred.insert(inst);
    }
  }
}

/// Whether one of the deferred instructions accesses what this one accesses.
bool Wrapper::staysBehind(const Steps &steps, const Instruction &inst) const {
  if (!inst.mayReadOrWriteMemory())
    return false;
  const Access *access = accesses.find(&inst);
  return any_of(steps.deferred, [&](const Instruction *other) {
    const Access *before = accesses.find(other);
    return other->mayReadOrWriteMemory() &&
           (!access || !before || access->object == before->object);
  });
}

/// Adds a step with the operations between the steps that it needs; false if the array
/// does not offer one of these.
bool Wrapper::take(Steps &steps, Instruction &inst) const {
  SmallVector<Instruction *, 8> work{&inst};
  SmallSetVector<Instruction *, 8> needed;
  while (!work.empty()) {
    Instruction *next = work.pop_back_val();
    for (Value *operand : next->operands())
      if (auto *from = dyn_cast<Instruction>(operand); from && steps.deferred.contains(from)) {
        if (from->mayReadOrWriteMemory() || whyNotOffered(*from))
          return false;
        needed.insert(from);
        work.push_back(from);
      }
  }
  // In the order of the block.
  for (Instruction *from : steps.deferred.takeVector()) {
    if (needed.contains(from))
      steps.inside.insert(from);
    else
      steps.deferred.insert(from);
  }
  steps.inside.insert(&inst);
  return true;
}

/// Whether the value is needed behind the steps; of an address, what it is computed from is.
bool Wrapper::leaves(const Steps &steps, const Instruction &inst) const {
  return any_of(inst.users(), [&](const User *user) {
    auto *by = cast<Instruction>(user);
    return !steps.inside.contains(const_cast<Instruction *>(by)) ||
           (isAddress(*by) && leaves(steps, *by));
  });
}

/// Words of what the steps use from in front of them; of an address, what it is computed from,
/// which is an argument of its own.
static unsigned wordsTaken(const SmallSetVector<Instruction *, 16> &inside) {
  SmallSetVector<const Instruction *, 16> work(inside.begin(), inside.end());
  SmallPtrSet<const Value *, 16> taken[2];
  unsigned words = 0;
  for (unsigned i = 0; i < work.size(); ++i)
    for (const Value *operand : work[i]->operands()) {
      auto *from = dyn_cast<Instruction>(operand);
      if (from && isAddress(*from))
        work.insert(from);
      else if (from && !inside.contains(const_cast<Instruction *>(from)) &&
               taken[isAddress(*work[i])].insert(from).second)
        words += wordsOf(from->getType());
    }
  return words;
}

/// Whether a launch can take all that the steps use, and return all that the code behind them does.
/// A quarter of the arguments is for constants that are no immediates.
bool Wrapper::fits(const Steps &steps) const {
  unsigned words = 0;
  for (const Instruction *inst : steps.inside)
    if (!isAddress(*inst) && leaves(steps, *inst))
      words += wordsOf(inst->getType());
  return words <= isa::MaxResults && wordsTaken(steps.inside) <= arguments - arguments / 4;
}

void Wrapper::close(Steps &steps, Instruction &before) {
  // An address that is only computed needs no loop.
  for (Instruction *inst : steps.deferred)
    inst->moveBefore(before.getIterator());
  SmallVector<Instruction *, 16> inside(steps.inside.begin(), steps.inside.end());
  Instruction &first = steps.deferred.empty() ? before : *steps.deferred.front();
  wrap(inside, first);
  changed = true;
}

/// Moves `inside` into a loop in front of `before`.
void Wrapper::wrap(ArrayRef<Instruction *> inside, Instruction &before) {
  BasicBlock *head = before.getParent();
  BasicBlock *exit = SplitBlock(head, &before);
  BasicBlock *body = BasicBlock::Create(handler.getContext(), "step", &handler, exit);
  Instruction *enter = head->getTerminator();
  enter->setSuccessor(0, body);
  enter->setDebugLoc(inside.front()->getDebugLoc());
  IRBuilder<> builder(body);
  builder.SetCurrentDebugLocation(inside.front()->getDebugLoc());
  PHINode *count = builder.CreatePHI(builder.getInt32Ty(), 2, "step.count");
  for (Instruction *inst : inside)
    inst->moveBefore(*body, body->end());
  Value *next = builder.CreateAdd(count, builder.getInt32(1), "", /*HasNUW=*/true);
  Value *again = builder.CreateICmpULT(next, builder.getInt32(1));
  BranchInst *back = builder.CreateCondBr(again, body, exit);
  back->setMetadata(StepMetadata, MDNode::get(handler.getContext(), {}));
  count->addIncoming(builder.getInt32(0), head);
  count->addIncoming(next, body);
  passOut(inside, *body, *exit);
}

/// In front of the instruction that uses it, or where it comes into a phi.
static void computeAgain(const Instruction &address, Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  auto *phi = dyn_cast<PHINode>(user);
  Instruction *copy = address.clone();
  copy->insertBefore((phi ? phi->getIncomingBlock(use)->getTerminator() : user)->getIterator());
  use.set(copy);
}

/// Closed form: phis in the block behind the loop, of at least 32 bits, as launches return. What
/// addresses are computed from comes behind them here, as it stands in front of them.
void Wrapper::passOut(ArrayRef<Instruction *> inside, BasicBlock &body, BasicBlock &exit) {
  for (Instruction *inst : reverse(inside)) {
    SmallVector<Use *, 4> outside;
    for (Use &use : inst->uses())
      if (cast<Instruction>(use.getUser())->getParent() != &body)
        outside.push_back(&use);
    if (isAddress(*inst)) {
      for (Use *use : outside)
        computeAgain(*inst, *use);
      continue;
    }
    if (outside.empty())
      continue;
    bool isNarrow = inst->getType()->isIntegerTy() && inst->getType()->getIntegerBitWidth() < 32;
    Value *passed = inst;
    if (isNarrow)
      passed = IRBuilder<>(body.getTerminator())
                   .CreateZExt(inst, Type::getInt32Ty(handler.getContext()));
    IRBuilder<> builder(&exit, exit.begin());
    PHINode *phi = builder.CreatePHI(passed->getType(), 1, inst->getName());
    phi->addIncoming(passed, &body);
    Value *result = phi;
    if (isNarrow) {
      builder.SetInsertPoint(&exit, exit.getFirstInsertionPt());
      result = builder.CreateTrunc(phi, inst->getType());
    }
    for (Use *use : outside)
      use->set(result);
  }
}

} // namespace

bool isFloatOperation(const Instruction &inst) {
  if (llvm::isa<LoadInst, StoreInst, PHINode, SelectInst, BitCastInst, ExtractValueInst,
                ReturnInst>(inst))
    return false;
  if (auto *call = dyn_cast<CallInst>(&inst);
      call && (!call->getCalledFunction() || !call->getCalledFunction()->isIntrinsic()))
    return false;
  return inst.getType()->isFPOrFPVectorTy() ||
         any_of(inst.operands(), [](Value *v) { return v->getType()->isFPOrFPVectorTy(); });
}

bool isStep(const Instruction &inst, const StreamAccess &accesses) {
  const Access *access = accesses.find(&inst);
  return access ? access->object->kind == ObjectKind::Array
                : isFloatOperation(inst) || isWideDivision(inst);
}

bool isControlStep(const Loop &loop) {
  const BasicBlock *latch = loop.getLoopLatch();
  return latch && latch->getTerminator()->hasMetadata(StepMetadata);
}

bool wrapControlSteps(Function &handler, const StreamAccess &accesses, unsigned arguments) {
  return Wrapper(handler, accesses, arguments).run();
}

} // namespace acis::import
