// One check per property, none of which asks the step that gives it.
#include "passes/llvm/Properties.h"

#include "passes/llvm/InlineCalls.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace acis {
namespace {

template <typename Predicate> bool noInstruction(Function &handler, Predicate is) {
  return none_of(instructions(handler), is);
}

bool isExpectation(const Instruction &inst) {
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  return call && (call->getIntrinsicID() == Intrinsic::expect ||
                  call->getIntrinsicID() == Intrinsic::expect_with_probability);
}

bool isMarker(const Instruction &inst) {
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  return call && call->getIntrinsicID() == Intrinsic::fake_use;
}

bool callsSomething(const Instruction &inst) {
  auto *call = dyn_cast<CallBase>(&inst);
  return call && (!call->getCalledFunction() || !isKnownToBackEnd(*call->getCalledFunction()));
}

bool isPromotable(const Instruction &inst) {
  auto *alloca = dyn_cast<AllocaInst>(&inst);
  return alloca && alloca->getAllocatedType()->isSingleValueType() && isAllocaPromotable(alloca);
}

bool areLoopsSimplified(Function &handler, FunctionAnalysisManager &analyses) {
  return all_of(analyses.getResult<LoopAnalysis>(handler).getLoopsInPreorder(),
                [](const Loop *loop) { return loop->isLoopSimplifyForm(); });
}

bool areLoopsClosed(Function &handler, FunctionAnalysisManager &analyses) {
  const DominatorTree &dominators = analyses.getResult<DominatorTreeAnalysis>(handler);
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(handler);
  return all_of(loops.getTopLevelLoops(),
                [&](const Loop *loop) { return loop->isRecursivelyLCSSAForm(dominators, loops); });
}

struct Check {
  Properties property;
  const char *text;
  bool (*holds)(Function &handler, FunctionAnalysisManager &analyses);
};

constexpr Check Checks[] = {
    {Properties::NoCalls, "no calls",
     [](Function &handler, auto &) { return noInstruction(handler, callsSomething); }},
    {Properties::NoExpectations, "no expectations",
     [](Function &handler, auto &) { return noInstruction(handler, isExpectation); }},
    {Properties::PromotedScalars, "promoted scalars",
     [](Function &handler, auto &) { return noInstruction(handler, isPromotable); }},
    {Properties::NoMemoryIntrinsics, "no memory intrinsics",
     [](Function &handler, auto &) {
       return noInstruction(handler, [](auto &inst) { return isa<MemIntrinsic>(inst); });
     }},
    {Properties::NoSwitches, "no switches",
     [](Function &handler, auto &) {
       return noInstruction(handler, [](auto &inst) { return isa<SwitchInst>(inst); });
     }},
    {Properties::NoMarkers, "no markers",
     [](Function &handler, auto &) { return noInstruction(handler, isMarker); }},
    {Properties::SimplifiedLoops, "simplified loops", areLoopsSimplified},
    {Properties::ClosedLoops, "closed loops", areLoopsClosed},
};

bool has(Properties all, Properties one) { return (all & one) == one; }

} // namespace

std::string textOf(Properties properties) {
  std::string text;
  for (const Check &check : Checks)
    if (has(properties, check.property))
      text += (text.empty() ? "" : ", ") + std::string(check.text);
  return text;
}

std::string firstBroken(Properties properties, Function &handler,
                        FunctionAnalysisManager &analyses) {
  for (const Check &check : Checks)
    if (has(properties, check.property) && !check.holds(handler, analyses))
      return check.text;
  return {};
}

} // namespace acis
