// See Streams.h.
#include "passes/llvm/windows/Streams.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis {

SmallVector<const Value *, 4> objectsBehind(const Value *pointer) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(pointer, objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return objects;
}

namespace {

/// The number of the handler's parameter that a pointer leads into, or the count of them.
unsigned parameterOf(const Value *pointer) {
  // One possible object of many is enough: the question is asked to be careful.
  unsigned found = NumHandlerParameters;
  for (const Value *base : objectsBehind(pointer))
    if (auto *argument = dyn_cast<Argument>(base))
      found = std::min(found, argument->getArgNo());
  return found;
}

} // namespace

bool isInputPointer(const Value *pointer) { return parameterOf(pointer) == InParameter; }

bool isOutputPointer(const Value *pointer) { return parameterOf(pointer) == OutParameter; }

bool isMemoryPointer(const Value *pointer) { return parameterOf(pointer) == MemParameter; }

bool isStreamPointer(const Value *pointer) { return parameterOf(pointer) <= OutParameter; }

LoadInst *packetLengthOf(Function &handler) {
  for (Instruction &inst : handler.getEntryBlock()) {
    if (isa<StoreInst>(inst))
      break;
    if (auto *load = dyn_cast<LoadInst>(&inst);
        load && load->getPointerOperand() == handler.getArg(LenParameter) &&
        load->getType()->isIntegerTy(32))
      return load;
  }
  return nullptr;
}

InputReads inputReadsOf(Function &function) {
  InputReads reads;
  for (Instruction &inst : instructions(function))
    if (auto *load = dyn_cast<LoadInst>(&inst); load && isInputPointer(load->getPointerOperand()))
      reads.push_back(load);
  return reads;
}

MapVector<Loop *, InputReads> inputReadsByLoop(Function &function, const LoopInfo &loops) {
  MapVector<Loop *, InputReads> byLoop;
  for (LoadInst *read : inputReadsOf(function))
    byLoop[loops.getLoopFor(read->getParent())].push_back(read);
  return byLoop;
}

} // namespace acis
