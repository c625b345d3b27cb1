// Users before operands, so that a whole expression follows its last operation.
#include "passes/llvm/Transforms.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace acis {
namespace {

/// Operations that a loop is given; what is more is a step of the control code, whose result is
/// one argument of the loop where its operands would be many.
constexpr unsigned MaxSunk = 16;

using Counts = SmallDenseMap<const Loop *, unsigned, 8>;

/// A computation, not a move, that has a floating-point operand or result.
bool isFloatComputation(const Instruction &inst) {
  if (isa<PHINode, LoadInst, BitCastInst, FreezeInst>(inst) || !isSafeToSpeculativelyExecute(&inst))
    return false;
  return inst.getType()->isFloatingPointTy() || any_of(inst.operands(), [](const Value *operand) {
           return operand->getType()->isFloatingPointTy();
         });
}

/// The block in whose loop a use needs its value.
BasicBlock *blockOf(const Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  if (auto *phi = dyn_cast<PHINode>(user))
    return phi->getIncomingBlock(use);
  return user->getParent();
}

/// Gives each loop that uses `inst` and does not contain it a copy at its start. What a loop
/// has computed when it ends stays there.
bool sink(Instruction &inst, LoopInfo &loops, Counts &sunk) {
  const Loop *from = loops.getLoopFor(inst.getParent());
  SmallDenseMap<Loop *, Instruction *, 4> copies;
  for (Use &use : make_early_inc_range(inst.uses())) {
    Loop *loop = loops.getLoopFor(blockOf(use));
    if (!loop || loop->contains(&inst) || (from && !from->contains(loop)))
      continue;
    Instruction *&copy = copies[loop];
    if (!copy) {
      if (sunk[loop] == MaxSunk)
        continue;
      sunk[loop]++;
      copy = inst.clone();
      copy->insertBefore(*loop->getHeader(), loop->getHeader()->getFirstInsertionPt());
      copy->setName(inst.getName());
    }
    use.set(copy);
  }
  if (copies.empty())
    return false;
  if (inst.use_empty())
    inst.eraseFromParent();
  return any_of(copies, [](auto &copy) { return copy.second; });
}

} // namespace

bool sinkFloats(Function &function, FunctionAnalysisManager &analyses) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  bool changed = false;
  Counts sunk;
  for (BasicBlock *block : post_order(&function))
    for (Instruction &inst : make_early_inc_range(reverse(*block)))
      if (isFloatComputation(inst))
        changed |= sink(inst, loops, sunk);
  return changed;
}

} // namespace acis
