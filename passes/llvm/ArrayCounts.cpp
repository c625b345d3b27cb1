// The least number of elements that any such access can come to.
#include "passes/llvm/ArrayCounts.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis {

uint64_t bytesOf(const Value &object, const DataLayout &data) {
  if (auto *variable = dyn_cast<GlobalVariable>(&object))
    return variable->hasInitializer() ? data.getTypeAllocSize(variable->getValueType()) : 0;
  auto *local = dyn_cast<AllocaInst>(&object);
  return local && local->isStaticAlloca() ? data.getTypeAllocSize(local->getAllocatedType()) : 0;
}

uint64_t placesAt(const Instruction &inst, const PHINode &value, ScalarEvolution &evolution) {
  const Value *pointer = getLoadStorePointerOperand(&inst);
  const SCEV *place = pointer ? evolution.getSCEV(const_cast<Value *>(pointer)) : nullptr;
  auto *base = place ? dyn_cast<SCEVUnknown>(evolution.getPointerBase(place)) : nullptr;
  const uint64_t bytes = base ? bytesOf(*base->getValue(), inst.getDataLayout()) : 0;
  if (bytes == 0)
    return 0;
  const uint64_t size = inst.getDataLayout().getTypeStoreSize(getLoadStoreType(&inst));
  const SCEV *offset = evolution.removePointerBase(place);
  const SCEV *index = evolution.getSCEV(const_cast<PHINode *>(&value));
  if (evolution.getTypeSizeInBits(index->getType()) >
      evolution.getTypeSizeInBits(offset->getType()))
    return 0;
  auto isAt = [&](const SCEV *number) {
    return isa<SCEVConstant>(evolution.getMinusSCEV(
        offset, evolution.getMulExpr(number, evolution.getConstant(number->getType(), size))));
  };
  return isAt(evolution.getNoopOrSignExtend(index, offset->getType())) ||
                 isAt(evolution.getNoopOrZeroExtend(index, offset->getType()))
             ? bytes / size
             : 0;
}

namespace {

/// An access whose place moves on by a constant in each iteration that has it.
struct Bounded {
  uint64_t count; ///< backward branches at most behind the first one
  const BasicBlock *block;
};

std::optional<Bounded> boundedOf(Instruction &inst, const Loop &loop, ScalarEvolution &evolution) {
  Value *pointer = getLoadStorePointerOperand(&inst);
  auto *place = pointer ? dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(pointer)) : nullptr;
  if (!place || place->getLoop() != &loop || !place->isAffine())
    return std::nullopt;
  auto *step = dyn_cast<SCEVConstant>(place->getOperand(1));
  auto *base = dyn_cast<SCEVUnknown>(evolution.getPointerBase(place));
  const uint64_t bytes = base ? bytesOf(*base->getValue(), inst.getDataLayout()) : 0;
  if (!step || bytes == 0)
    return std::nullopt;
  const uint64_t places = divideCeil(bytes, step->getAPInt().abs().getZExtValue());
  return Bounded{inst.getParent() == loop.getHeader() ? places - 1 : places, inst.getParent()};
}

/// Whether each iteration that goes on has one of the accesses.
bool hasEach(const Loop &loop, ArrayRef<Bounded> accesses) {
  SmallPtrSet<const BasicBlock *, 16> closed;
  for (const Bounded &access : accesses)
    closed.insert(access.block);
  SmallVector<const BasicBlock *, 16> work{loop.getHeader()};
  while (!work.empty()) {
    const BasicBlock *block = work.pop_back_val();
    if (!closed.insert(block).second)
      continue;
    if (block == loop.getLoopLatch())
      return false;
    for (const BasicBlock *next : successors(block))
      if (loop.contains(next))
        work.push_back(next);
  }
  return true;
}

} // namespace

std::optional<uint64_t> countByArrays(const Loop &loop, ScalarEvolution &evolution) {
  if (!loop.getLoopLatch())
    return std::nullopt;
  SmallVector<Bounded, 8> accesses;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block)
      if (std::optional<Bounded> access = boundedOf(inst, loop, evolution))
        accesses.push_back(*access);
  llvm::sort(accesses, [](const Bounded &a, const Bounded &b) { return a.count < b.count; });
  // Whichever of them the last iteration has, it is no further than the longest one allows.
  for (size_t i = 0; i < accesses.size(); ++i)
    if ((i + 1 == accesses.size() || accesses[i].count != accesses[i + 1].count) &&
        hasEach(loop, ArrayRef(accesses).take_front(i + 1)))
      return accesses[i].count;
  return std::nullopt;
}

} // namespace acis
