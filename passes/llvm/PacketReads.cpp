// See PacketReads.h.
#include "passes/llvm/PacketReads.h"

#include "passes/llvm/Handlers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis {

constexpr int64_t MaxStep = 1 << 20; ///< bytes; larger ones are no rows of a packet

PacketReads::PacketReads(Function &handler, ScalarEvolution &evolution)
    : handler(handler), evolution(evolution) {
  // After a write it is the length of what is sent.
  for (Instruction &inst : handler.getEntryBlock()) {
    if (isa<StoreInst>(inst))
      return;
    auto *load = dyn_cast<LoadInst>(&inst);
    if (load && load->getPointerOperand() == handler.getArg(LenParameter)) {
      length = evolution.getSCEV(load);
      return;
    }
  }
}

bool PacketReads::areInPacket(const LoadInst &read) {
  const SCEV *address = evolution.getSCEV(const_cast<Value *>(read.getPointerOperand()));
  auto *base = dyn_cast<SCEVUnknown>(evolution.getPointerBase(address));
  if (!length || !base || base->getValue() != handler.getArg(InParameter))
    return false;
  const SCEV *offset = evolution.removePointerBase(address);
  int64_t end = int64_t(read.getDataLayout().getTypeStoreSize(read.getType())); // of an iteration
  while (auto *moved = dyn_cast<SCEVAddRecExpr>(offset)) {
    auto *step = moved->isAffine() ? dyn_cast<SCEVConstant>(moved->getOperand(1)) : nullptr;
    if (!step || step->getAPInt().slt(0) || step->getAPInt().sgt(MaxStep))
      return false;
    const int64_t bytes = step->getAPInt().getSExtValue();
    if (unsigned trip = evolution.getSmallConstantTripCount(moved->getLoop())) {
      end += bytes * int64_t(trip - 1);
      offset = moved->getStart();
      continue;
    }
    auto *start = dyn_cast<SCEVConstant>(moved->getStart());
    return start && start->getAPInt().ule(MaxStep) &&
           isCountedByLength(*moved->getLoop(), bytes, start->getAPInt().getSExtValue() + end);
  }
  return false;
}

/// Whether the iterations, which begin `step` bytes apart and end `end` bytes behind their
/// beginning, are in the packet.
bool PacketReads::isCountedByLength(const Loop &loop, int64_t step, int64_t end) {
  const SCEV *again = evolution.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(again))
    return false;
  const SCEV *count = evolution.getAddExpr(again, evolution.getOne(again->getType()));
  // Some less than fit: as many steps may be left in front of the first one.
  auto *sum = dyn_cast<SCEVAddExpr>(count);
  auto *less =
      sum && sum->getNumOperands() == 2 ? dyn_cast<SCEVConstant>(sum->getOperand(0)) : nullptr;
  if (less && less->getAPInt().isNegative() && less->getAPInt().sgt(-MaxStep)) {
    end += step * less->getAPInt().getSExtValue();
    count = sum->getOperand(1);
  }
  return end <= step && isPart(count, loop, step);
}

/// Whether the packet has so many elements of `step` bytes.
bool PacketReads::isPart(const SCEV *count, const Loop &loop, int64_t step) {
  if (auto *least = dyn_cast<SCEVUMinExpr>(count))
    return any_of(least->operands(), [&](const SCEV *one) { return isPart(one, loop, step); });
  if (auto *most = dyn_cast<SCEVUMaxExpr>(count))
    return all_of(most->operands(), [&](const SCEV *one) { return isPart(one, loop, step); });
  // The code in front of the loop has compared the length with it.
  if (auto *constant = dyn_cast<SCEVConstant>(count))
    return constant->getAPInt().ult(MaxStep) &&
           evolution.isLoopEntryGuardedByCond(
               &loop, CmpInst::ICMP_UGE, length,
               evolution.getConstant(length->getType(),
                                     constant->getAPInt().getZExtValue() * step));
  auto *part = dyn_cast<SCEVUDivExpr>(count);
  auto *by = part ? dyn_cast<SCEVConstant>(part->getRHS()) : nullptr;
  return (count == length && step == 1) ||
         (by && part->getLHS() == length && by->getAPInt().uge(uint64_t(step)));
}

} // namespace acis
