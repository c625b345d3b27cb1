// Where arrays are accessed at many places that differ by constants, their starts would be launch
// arguments, one for each place: what they have in common becomes an index, which is one.
#include "passes/import/Plan.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"

#include <map>
#include <tuple>

using namespace llvm;

namespace acis::import {
namespace {

/// Elements of a nest beside its sequencer: what is unrolled has a place for each.
uint64_t copiesOf(const PlannedAccess &planned, const NestPlan &plan) {
  uint64_t copies = 1;
  for (const Position::Step &step : planned.position.steps)
    if (const unsigned loop = plan.shape.numberOf(step.loop); loop != 0 && loop != plan.row)
      copies = SaturatingMultiply(copies, plan.shape.loops[loop].constantTrip.value_or(1));
  return copies;
}

/// Launch arguments for where accesses start.
uint64_t startsOf(const NestPlan &plan, ScalarEvolution &evolution) {
  std::map<std::tuple<const SCEV *, int64_t, int64_t>, uint64_t> starts;
  for (const PlannedAccess &planned : plan.accesses)
    if (const Start start = startOf(planned, evolution); start.rest) {
      uint64_t &copies = starts[{start.rest, start.multiple, start.offset}];
      copies = std::max(copies, copiesOf(planned, plan));
    }
  uint64_t sum = 0;
  for (auto &start : starts)
    sum = SaturatingAdd(sum, start.second);
  return sum;
}

/// Launch arguments for values from in front of the nest.
uint64_t valuesOf(const NestPlan &plan) {
  const Loop &root = *plan.shape.root().loop;
  SmallPtrSet<const Value *, 16> values;
  auto take = [&](const Value *value) {
    if (value && !value->getType()->isPointerTy() && llvm::isa<Instruction, Argument>(value) &&
        root.isLoopInvariant(value))
      values.insert(value);
  };
  for (const LoopShape &shape : plan.shape.loops)
    for (const Item &item : shape.body) {
      if (item.kind == Item::Kind::Inst && !llvm::isa<GetElementPtrInst>(item.inst))
        for (const Value *operand : item.inst->operands())
          take(operand);
      for (const Value *choice : {item.condition, item.ifTrue, item.ifFalse})
        take(choice);
    }
  for (const std::vector<Carried> &carried : plan.carried)
    for (const Carried &value : carried)
      if (!value.isCounter)
        take(value.init);
  return values.size() + 1; // the number of iterations
}

} // namespace

void indexStarts(NestPlan &plan, ScalarEvolution &evolution, unsigned arguments) {
  if (SaturatingAdd(startsOf(plan, evolution), valuesOf(plan)) <= arguments)
    return;
  for (PlannedAccess &planned : plan.accesses) {
    const Start start = startOf(planned, evolution);
    if (planned.kind() != ObjectKind::Array || planned.access->object->perVpe ||
        planned.position.index || !start.rest)
      continue;
    const SCEV *index = evolution.getMulExpr(
        start.rest, evolution.getConstant(start.rest->getType(), uint64_t(start.multiple)));
    // An offset needs no argument beside an index that counts up from it.
    if (start.offset < 0 || !evolution.isKnownNonNegative(index))
      continue;
    planned.position.index = index;
    planned.position.scale = planned.unit;
    planned.indexBits = unsigned(evolution.getTypeSizeInBits(index->getType())) - 1;
    planned.position.start = evolution.getConstant(planned.position.start->getType(),
                                                   uint64_t(start.offset * planned.unit));
  }
}

} // namespace acis::import
