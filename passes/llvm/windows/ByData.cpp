// See ByData.h.
#include "passes/llvm/windows/ByData.h"

#include "passes/llvm/windows/Footprint.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis {

InputReads inputReadsIn(const Loop &loop) {
  InputReads reads = inputReadsOf(*loop.getHeader()->getParent());
  erase_if(reads, [&](const LoadInst *read) { return !loop.contains(read); });
  return reads;
}

/// Whether a value of an iteration of `outer` comes from an instruction for which `isIt`.
static bool comesFrom(Value *value, const Loop &outer,
                      function_ref<bool(const Instruction &)> isIt) {
  SmallPtrSet<Value *, 16> seen;
  SmallVector<Value *, 16> work{value};
  while (!work.empty()) {
    auto *inst = dyn_cast<Instruction>(work.pop_back_val());
    if (!inst || !outer.contains(inst) || !seen.insert(inst).second)
      continue;
    if (isIt(*inst))
      return true;
    append_range(work, inst->operands());
  }
  return false;
}

bool isReadOnFromEnd(const Loop &loop) {
  const Loop *outer = loop.getParentLoop();
  if (!outer || !outer->getLoopLatch())
    return false;
  SmallPtrSet<const Instruction *, 4> fromEnd;
  for (PHINode &carried : outer->getHeader()->phis())
    if (comesFrom(carried.getIncomingValueForBlock(outer->getLoopLatch()), *outer,
                  [&](const Instruction &inst) { return loop.contains(&inst); }))
      fromEnd.insert(&carried);
  return any_of(outer->blocks(), [&](BasicBlock *block) {
    return any_of(*block, [&](Instruction &inst) {
      auto *load = dyn_cast<LoadInst>(&inst);
      return load && isInputPointer(load->getPointerOperand()) &&
             comesFrom(load->getPointerOperand(), *outer,
                       [&](const Instruction &from) { return fromEnd.contains(&from); });
    });
  });
}

const LoadInst *readByData(const Loop &loop, ScalarEvolution &evolution) {
  const InputReads reads = inputReadsIn(loop);
  if (reads.empty() || !loop.isInnermost())
    return nullptr;
  const std::optional<Footprint> window = windowOf(reads, loop, evolution);
  return window && window->step > 0 && !isReadOnFromEnd(loop) ? nullptr : reads.front();
}

} // namespace acis
