// The least number of elements that any such access can come to.
#include "passes/llvm/ArrayCounts.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
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

std::optional<uint64_t> countByArrays(const Loop &loop, const DominatorTree &dominators,
                                      ScalarEvolution &evolution) {
  const BasicBlock *latch = loop.getLoopLatch();
  if (!latch)
    return std::nullopt;
  std::optional<uint64_t> least;
  for (BasicBlock *block : loop.blocks()) {
    if (!dominators.dominates(block, latch))
      continue;
    for (Instruction &inst : *block) {
      Value *pointer = getLoadStorePointerOperand(&inst);
      auto *place = pointer ? dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(pointer)) : nullptr;
      if (!place || place->getLoop() != &loop || !place->isAffine())
        continue;
      auto *step = dyn_cast<SCEVConstant>(place->getOperand(1));
      auto *base = dyn_cast<SCEVUnknown>(evolution.getPointerBase(place));
      const uint64_t bytes = base ? bytesOf(*base->getValue(), inst.getDataLayout()) : 0;
      if (!step || bytes == 0)
        continue;
      const uint64_t places = divideCeil(bytes, step->getAPInt().abs().getZExtValue());
      const uint64_t count = block == loop.getHeader() ? places - 1 : places;
      least = std::min(least.value_or(count), count);
    }
  }
  return least;
}

} // namespace acis
