// Opcodes to classes of units.
#include "passes/llvm/UnitDemand.h"

#include "passes/llvm/StaticScalars.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace acis {

UnitClass unitOf(const Instruction &inst) {
  switch (inst.getOpcode()) {
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
  case Instruction::FDiv:
    return UnitClass::Divide;
  case Instruction::FPTrunc:
  case Instruction::FPExt:
  case Instruction::FPToUI:
  case Instruction::FPToSI:
  case Instruction::UIToFP:
  case Instruction::SIToFP:
    return UnitClass::Convert;
  case Instruction::FCmp:
    return UnitClass::Float;
  default:
    break;
  }
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  if (call && call->getIntrinsicID() == Intrinsic::sqrt)
    return UnitClass::Divide;
  const bool isFloat = inst.getType()->isFloatingPointTy();
  return isFloat && !isa<SelectInst, PHINode, CastInst, FreezeInst>(inst) ? UnitClass::Float
                                                                          : UnitClass::Integer;
}

bool sumsInLanes(const Loop &loop) {
  return any_of(loop.blocks(), [](const BasicBlock *block) {
    return any_of(*block, [](const Instruction &inst) {
      return inst.getOpcode() == Instruction::FAdd && inst.hasAllowReassoc();
    });
  });
}

bool touchesData(const Loop &loop) {
  return any_of(loop.blocks(), [](const BasicBlock *block) {
    return any_of(*block, [](const Instruction &inst) {
      const Value *pointer = getLoadStorePointerOperand(&inst);
      return pointer && !isScratchPointer(pointer);
    });
  });
}

bool isOperation(const Instruction &inst) {
  return isa<BinaryOperator, SelectInst, UnaryOperator, FCmpInst, IntrinsicInst>(inst) &&
         !inst.isDebugOrPseudoInst() && !inst.isLifetimeStartOrEnd();
}

Demand operationsOf(const Loop &loop) {
  Demand demand;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &inst : *block)
      if (isOperation(inst))
        ++demand.operations[unsigned(unitOf(inst))];
  const auto *branch = dyn_cast<BranchInst>(loop.getLoopLatch()->getTerminator());
  uint64_t &integers = demand.operations[unsigned(UnitClass::Integer)];
  integers -= std::min<uint64_t>(integers, branch && branch->isConditional() ? 1 : 0);
  return demand;
}

} // namespace acis
