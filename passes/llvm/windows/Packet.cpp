// The packet that started an invocation is the invocation's whatever it reads, so what stays in it
// may also be read where C leaves it out.
#include "passes/llvm/windows/Windows.h"

#include "passes/llvm/windows/Footprint.h"
#include "passes/llvm/windows/Streams.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace acis {
namespace {

constexpr int64_t MaxStep = 1 << 20; ///< bytes; larger ones are no rows of a packet

/// Whether the packet has so many elements of `step` bytes.
bool isPart(const SCEV *count, const Loop &loop, int64_t step, const SCEV *length,
            ScalarEvolution &evolution) {
  if (auto *least = dyn_cast<SCEVUMinExpr>(count))
    return any_of(least->operands(),
                  [&](const SCEV *one) { return isPart(one, loop, step, length, evolution); });
  if (auto *most = dyn_cast<SCEVUMaxExpr>(count))
    return all_of(most->operands(),
                  [&](const SCEV *one) { return isPart(one, loop, step, length, evolution); });
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

/// Whether the iterations, which begin `step` bytes apart and end `end` bytes behind their
/// beginning, are in the packet.
bool isCountedByLength(const Loop &loop, int64_t step, int64_t end, const SCEV *length,
                       ScalarEvolution &evolution) {
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
  return end <= step && isPart(count, loop, step, length, evolution);
}

/// Whether all iterations together end with the packet, wherever they begin.
bool endsInPacket(const Loop &loop, const Footprint &print, const SCEV *length,
                  ScalarEvolution &evolution) {
  const SCEV *back = evolution.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(back) || print.step <= 0 || print.bytes != print.step ||
      !evolution.isKnownNonNegative(print.start) || back->getType() != print.start->getType() ||
      length->getType() != back->getType())
    return false;
  const auto step = uint64_t(print.step);
  const SCEV *trip = evolution.getAddExpr(back, evolution.getOne(back->getType()));
  const SCEV *size = evolution.getConstant(trip->getType(), step);
  const SCEV *end = evolution.getAddExpr(print.start, evolution.getMulExpr(trip, size));
  if (evolution.isKnownPredicate(ICmpInst::ICMP_ULE, end, length))
    return true;
  return evolution.getConstantMultiple(print.start).urem(step) == 0 &&
         isPart(evolution.getAddExpr(trip, evolution.getUDivExactExpr(print.start, size)), loop,
                print.step, length, evolution);
}

} // namespace

bool readEachWord(Function &handler, FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(handler);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(handler);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(handler);
  SCEVExpander expander(evolution, "word");
  bool isChanged = false;
  for (auto &[loop, reads] : inputReadsByLoop(handler, loops)) {
    LoadInst &read = *reads.front();
    if (!loop || !loop->isInnermost() || reads.size() != 1 || !loop->getLoopLatch() ||
        dominators.dominates(read.getParent(), loop->getLoopLatch()) ||
        !staysInPacket(read, loops, evolution))
      continue;
    const auto at = loop->getHeader()->getFirstInsertionPt();
    const SCEV *address = evolution.getSCEV(read.getPointerOperand());
    if (!canExpandAt(*address, *at, dominators, evolution))
      continue;
    read.setOperand(LoadInst::getPointerOperandIndex(),
                    expander.expandCodeFor(address, nullptr, at));
    read.moveBefore(at);
    isChanged = true;
  }
  return isChanged;
}

bool staysInPacket(LoadInst &read, const LoopInfo &loops, ScalarEvolution &evolution) {
  LoadInst *length = packetLengthOf(*read.getFunction());
  const SCEV *address = evolution.getSCEV(read.getPointerOperand());
  auto *base = dyn_cast<SCEVUnknown>(evolution.getPointerBase(address));
  if (!length || !base || base->getValue() != read.getFunction()->getArg(InParameter))
    return false;
  for (const Loop *loop = loops.getLoopFor(read.getParent()); loop; loop = loop->getParentLoop()) {
    if (evolution.getSmallConstantTripCount(loop))
      continue;
    std::optional<Footprint> print = footprintOf(read, *loop, evolution);
    auto *start = print ? dyn_cast<SCEVConstant>(print->start) : nullptr;
    if (print && endsInPacket(*loop, *print, evolution.getSCEV(length), evolution))
      return true;
    if (start)
      return print->step <= MaxStep && print->bytes <= MaxStep && start->getAPInt().ule(MaxStep) &&
             isCountedByLength(*loop, print->step, start->getAPInt().getSExtValue() + print->bytes,
                               evolution.getSCEV(length), evolution);
  }
  return false;
}

} // namespace acis
