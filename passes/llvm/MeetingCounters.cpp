// One counter in place of two that go towards each other, of which ScalarEvolution knows no count.
#include "passes/llvm/Transforms.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace acis {
namespace {

/// A condition without which the loop does not go on: `low` is less than `high`, or at most `high`.
struct Meeting {
  Use *condition = nullptr;
  bool goesOn = true; ///< what it is then
  const SCEVAddRecExpr *low = nullptr, *high = nullptr;
  bool isSigned = false, isStrict = true;
};

const SCEVAddRecExpr *counterOf(Value *value, const Loop &loop, ScalarEvolution &evolution) {
  auto *counter = evolution.isSCEVable(value->getType())
                      ? dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(value))
                      : nullptr;
  return counter && counter->getLoop() == &loop && counter->isAffine() &&
                 isa<SCEVConstant>(counter->getOperand(1))
             ? counter
             : nullptr;
}

APInt stepOf(const SCEVAddRecExpr &counter) {
  return cast<SCEVConstant>(counter.getOperand(1))->getAPInt();
}

/// The conditions that one is made of.
void collectTests(Use &condition, bool goesOn, SmallVectorImpl<std::pair<Use *, bool>> &tests) {
  using namespace PatternMatch;
  Value *first = nullptr, *second = nullptr;
  if (goesOn ? match(condition.get(), m_LogicalAnd(m_Value(first), m_Value(second)))
             : match(condition.get(), m_LogicalOr(m_Value(first), m_Value(second)))) {
    for (Use &operand : cast<Instruction>(condition.get())->operands())
      if (operand.get() == first || operand.get() == second)
        collectTests(operand, goesOn, tests);
  } else if (isa<ICmpInst>(condition.get())) {
    tests.push_back({&condition, goesOn});
  }
}

std::optional<Meeting> meetingOf(Use &condition, bool isTrue, const Loop &loop,
                                 ScalarEvolution &evolution) {
  auto *test = cast<ICmpInst>(condition.get());
  if (test->isEquality())
    return std::nullopt;
  CmpInst::Predicate goesOn = isTrue ? test->getPredicate() : test->getInversePredicate();
  const SCEVAddRecExpr *low = counterOf(test->getOperand(0), loop, evolution);
  const SCEVAddRecExpr *high = counterOf(test->getOperand(1), loop, evolution);
  if (ICmpInst::isGT(goesOn) || ICmpInst::isGE(goesOn)) {
    std::swap(low, high);
    goesOn = ICmpInst::getSwappedPredicate(goesOn);
  }
  if (!low || !high || stepOf(*low).isNegative() || stepOf(*high).isStrictlyPositive())
    return std::nullopt;
  return Meeting{&condition, isTrue, low, high, ICmpInst::isSigned(goesOn), ICmpInst::isLT(goesOn)};
}

/// Whether a counter passes the end of its numbers in no iteration that the loop comes to. It was
/// on its side of the other one in the iteration before, so a step of 1 does not.
bool staysInNumbers(const SCEVAddRecExpr &counter, bool isSigned) {
  const APInt step = stepOf(counter);
  return step.abs().ule(1) || counter.getType()->isPointerTy() ||
         (isSigned ? counter.hasNoSignedWrap()
                   : step.isStrictlyPositive() && counter.hasNoUnsignedWrap());
}

/// Whether both are inside of the numbers by more than the last step of "at most" takes them apart.
bool areInside(const SCEV *low, const SCEV *high, bool isSigned, ScalarEvolution &evolution) {
  const ConstantRange from =
      isSigned ? evolution.getSignedRange(low) : evolution.getUnsignedRange(low);
  const ConstantRange to =
      isSigned ? evolution.getSignedRange(high) : evolution.getUnsignedRange(high);
  return isSigned ? !from.getSignedMin().isMinSignedValue() && !to.getSignedMax().isMaxSignedValue()
                  : !from.getUnsignedMin().isZero() && !to.getUnsignedMax().isMaxValue();
}

/// How often the test lets the loop go on; null if that is not known.
const SCEV *countOf(const Meeting &meeting, ScalarEvolution &evolution) {
  if (!staysInNumbers(*meeting.low, meeting.isSigned) ||
      !staysInNumbers(*meeting.high, meeting.isSigned))
    return nullptr;
  const SCEV *low = meeting.low->getStart(), *high = meeting.high->getStart();
  const SCEV *between = nullptr;
  if (low->getType()->isPointerTy()) {
    between = evolution.getMinusSCEV(high, low);
    if (isa<SCEVCouldNotCompute>(between))
      return nullptr;
    if (!meeting.isStrict)
      between = evolution.getAddExpr(between, evolution.getOne(between->getType()));
    between = evolution.getSMaxExpr(between, evolution.getZero(between->getType()));
  } else {
    if (!meeting.isStrict) {
      if (!areInside(low, high, meeting.isSigned, evolution))
        return nullptr;
      high = evolution.getAddExpr(high, evolution.getOne(high->getType()));
    }
    between = evolution.getMinusSCEV(meeting.isSigned ? evolution.getSMaxExpr(high, low)
                                                      : evolution.getUMaxExpr(high, low),
                                     low);
  }
  const APInt step = stepOf(*meeting.low) - stepOf(*meeting.high);
  return evolution.getUDivCeilSCEV(between, evolution.getConstant(step));
}

/// Lets a new counter decide.
void count(const Meeting &meeting, const SCEV &times, Loop &loop, ScalarEvolution &evolution) {
  SCEVExpander expander(evolution, "meet");
  BasicBlock *preheader = loop.getLoopPreheader(), *header = loop.getHeader();
  Value *most =
      expander.expandCodeFor(&times, times.getType(), preheader->getTerminator()->getIterator());
  IRBuilder<> builder(header, header->begin());
  PHINode *counter = builder.CreatePHI(times.getType(), 2, "meet");
  builder.SetInsertPoint(loop.getLoopLatch()->getTerminator());
  Value *next = builder.CreateAdd(counter, ConstantInt::get(times.getType(), 1), "meet.next",
                                  /*HasNUW=*/true);
  counter->addIncoming(ConstantInt::get(times.getType(), 0), preheader);
  counter->addIncoming(next, loop.getLoopLatch());
  builder.SetInsertPoint(cast<Instruction>(meeting.condition->get()));
  meeting.condition->set(meeting.goesOn ? builder.CreateICmpULT(counter, most)
                                        : builder.CreateICmpUGE(counter, most));
  evolution.forgetLoop(&loop);
}

} // namespace

bool countMeetings(Function &handler, FunctionAnalysisManager &analyses) {
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(handler);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(handler);
  bool changed = false;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(handler).getLoopsInPreorder()) {
    SmallVector<BasicBlock *, 4> exiting;
    loop->getExitingBlocks(exiting);
    for (BasicBlock *block : exiting) {
      // Each iteration comes to the test, so the one before has passed it.
      if (!loop->getLoopPreheader() || !loop->getLoopLatch() ||
          !dominators.dominates(block, loop->getLoopLatch()))
        continue;
      auto *branch = dyn_cast<BranchInst>(block->getTerminator());
      SmallVector<std::pair<Use *, bool>, 2> tests;
      if (branch && branch->isConditional())
        collectTests(branch->getOperandUse(0), loop->contains(branch->getSuccessor(0)), tests);
      for (auto [condition, goesOn] : tests) {
        const std::optional<Meeting> meeting = meetingOf(*condition, goesOn, *loop, evolution);
        const SCEV *times = meeting ? countOf(*meeting, evolution) : nullptr;
        if (!times || !SCEVExpander(evolution, "").isSafeToExpand(times))
          continue;
        count(*meeting, *times, *loop, evolution);
        changed = true;
      }
    }
  }
  return changed;
}

} // namespace acis
