// See MoveRead.h.
#include "passes/llvm/MoveRead.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis {
namespace {

constexpr unsigned MaxAddress = 8; ///< instructions of an address that move with its read

/// The instructions that an address needs beyond what is known at `to`, in order; false if one of
/// them cannot move.
bool gatherAddress(Value *value, Instruction &to, const DominatorTree &dominators,
                   SmallVectorImpl<Instruction *> &address) {
  auto *inst = dyn_cast<Instruction>(value);
  if (!inst || dominators.dominates(inst, &to) || is_contained(address, inst))
    return true;
  if (address.size() == MaxAddress || isa<PHINode, LoadInst>(inst) ||
      !isSafeToSpeculativelyExecute(inst))
    return false;
  for (Value *operand : inst->operands())
    if (!gatherAddress(operand, to, dominators, address))
      return false;
  address.push_back(inst);
  return true;
}

} // namespace

bool moveRead(LoadInst &read, Instruction &to, const DominatorTree &dominators) {
  SmallVector<Instruction *, MaxAddress> address;
  if (!gatherAddress(read.getPointerOperand(), to, dominators, address))
    return false;
  for (Instruction *inst : address)
    inst->moveBefore(to.getIterator());
  read.moveBefore(to.getIterator());
  return true;
}

} // namespace acis
