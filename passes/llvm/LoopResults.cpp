// See Transforms.h.
#include "passes/llvm/Transforms.h"

#include "backend/isa/Numbers.h"
#include "passes/llvm/UnitDemand.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace acis {
namespace {

/// Whether it is computed without the loop.
bool isKnownBehind(Value *value, const Loop &loop, ScalarEvolution &evolution) {
  return loop.isLoopInvariant(value) ||
         (evolution.isSCEVable(value->getType()) &&
          evolution.isLoopInvariant(evolution.getSCEVAtScope(value, loop.getParentLoop()), &loop));
}

/// What an array holds of a value: a flag is a byte. Null: it cannot.
Type *elementOf(Type *type) {
  if (type->isIntegerTy(1))
    return Type::getInt8Ty(type->getContext());
  const bool isNumber =
      type->isFloatTy() || type->isDoubleTy() ||
      (type->isIntegerTy() && type->getIntegerBitWidth() >= 8 && type->getIntegerBitWidth() <= 64);
  return isNumber ? type : nullptr;
}

/// The phis behind the loop for which the launch has no room.
SmallVector<PHINode *, 4> beyondResults(Loop &loop, ScalarEvolution &evolution) {
  SmallVector<PHINode *, 4> beyond;
  BasicBlock *exit = loop.getUniqueExitBlock(), *latch = loop.getLoopLatch();
  if (!exit || !latch || loop.getExitingBlock() != latch || !touchesData(loop))
    return beyond;
  unsigned results = 0;
  for (PHINode &phi : exit->phis())
    if (!isKnownBehind(phi.getIncomingValueForBlock(latch), loop, evolution) &&
        ++results > isa::MaxResults && elementOf(phi.getType()))
      beyond.push_back(&phi);
  return beyond;
}

void keepInArray(PHINode &phi, BasicBlock &latch) {
  BasicBlock &entry = latch.getParent()->getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  Type *element = elementOf(phi.getType());
  const bool isFlag = element != phi.getType();
  AllocaInst *array = builder.CreateAlloca(ArrayType::get(element, 1), nullptr, "result");
  builder.SetInsertPoint(latch.getTerminator());
  Value *value = phi.getIncomingValueForBlock(&latch);
  builder.CreateStore(isFlag ? builder.CreateZExt(value, element) : value, array);
  BasicBlock *exit = phi.getParent();
  builder.SetInsertPoint(exit, exit->getFirstInsertionPt());
  builder.SetCurrentDebugLocation(latch.getTerminator()->getDebugLoc());
  value = builder.CreateLoad(element, array, phi.getName());
  phi.replaceAllUsesWith(isFlag ? builder.CreateTrunc(value, phi.getType()) : value);
  phi.eraseFromParent();
}

} // namespace

bool loopResults(Function &function, FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  bool changed = false;
  for (Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost())
      for (PHINode *phi : beyondResults(*loop, evolution)) {
        keepInArray(*phi, *loop->getLoopLatch());
        changed = true;
      }
  return changed;
}

} // namespace acis
