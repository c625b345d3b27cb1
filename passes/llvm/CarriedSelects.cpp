// Pairs of selects that a loop's header phi goes through, joined from the inner one on.
#include "passes/llvm/Transforms.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis {
namespace {

/// A select seen as "if `condition` (or, `inverted`, if not) then `other`, else keep".
struct Keep {
  Value *condition = nullptr, *other = nullptr;
  bool inverted = false;
};

Keep keeping(SelectInst &select, const Value *kept) {
  if (select.getFalseValue() == kept)
    return {select.getCondition(), select.getTrueValue(), false};
  if (select.getTrueValue() == kept)
    return {select.getCondition(), select.getFalseValue(), true};
  return {};
}

void join(SelectInst &outer, SelectInst &inner, PHINode &kept) {
  const Keep first = keeping(outer, &kept), second = keeping(inner, &kept);
  IRBuilder<> builder(&outer);
  // Not looked at before where the outer select keeps, so it may be poison there.
  Value *frozen = builder.CreateFreeze(second.condition);
  auto chosen = [&](const Keep &keep, Value *condition) {
    return keep.inverted ? builder.CreateNot(condition) : condition;
  };
  Value *both = builder.CreateAnd(chosen(first, first.condition), chosen(second, frozen));
  Value *joined = builder.CreateSelect(both, second.other, &kept);
  joined->takeName(&outer);
  outer.replaceAllUsesWith(joined);
  outer.eraseFromParent();
  inner.eraseFromParent();
}

/// Joins one pair that the phi goes through.
bool joinOne(PHINode &phi, const Loop &loop) {
  for (User *user : phi.users()) {
    auto *inner = dyn_cast<SelectInst>(user);
    if (!inner || !loop.contains(inner) || !inner->hasOneUse() || !keeping(*inner, &phi).other)
      continue;
    auto *outer = dyn_cast<SelectInst>(*inner->user_begin());
    if (!outer || !loop.contains(outer) || keeping(*outer, &phi).other != inner ||
        outer->getCondition()->getType() != inner->getCondition()->getType())
      continue;
    join(*outer, *inner, phi);
    return true;
  }
  return false;
}

} // namespace

bool carriedSelects(Function &function, FunctionAnalysisManager &analyses) {
  bool changed = false;
  for (Loop *loop : analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder())
    for (PHINode &phi : loop->getHeader()->phis())
      while (joinOne(phi, *loop))
        changed = true;
  return changed;
}

} // namespace acis
