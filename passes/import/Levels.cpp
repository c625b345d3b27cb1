// Trip counts, strides and memory of loops around the lanes; see docs/rationale/dfg.md.
#include "passes/import/Levels.h"

#include "passes/import/Operations.h"
#include "passes/llvm/Diagnose.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace acis::import {
namespace {

class LevelCheck {
public:
  LevelCheck(const NestPlan &plan, const ImportOptions &options)
      : plan(plan), vectorFactor(options.cost.lanesOf(plan.laneBits)) {}

  Verdict run() {
    return checkTrips() && checkSiblings() && checkSteps() && checkMemory() ? Verdict()
                                                                            : Verdict(why);
  }

private:
  bool checkTrips() {
    for (unsigned i = 0; i < plan.shape.loops.size(); i++)
      if (!plan.overVpes[i] && !checkTrip(i))
        return false;
    return true;
  }
  bool checkTrip(unsigned number);
  bool checkSiblings();
  bool checkSteps();
  bool checkRows(const PlannedAccess &planned);
  bool checkMemory();

  bool fail(const Loop &at, Refusal refusal) {
    why = diagnose(at, std::move(refusal));
    return false;
  }
  bool overVpes(const Loop *loop) const {
    const LoopShape *shape = plan.shape.find(loop);
    return shape && plan.overVpes[shape - plan.shape.loops.data()];
  }
  /// Loops of the nest around this one and itself, those over VPEs not counted.
  unsigned levelsOf(Loop *loop) const {
    unsigned levels = 0;
    for (;; loop = loop->getParentLoop()) {
      levels += !overVpes(loop);
      if (loop == plan.shape.root().loop)
        return levels;
    }
  }

  const NestPlan &plan;
  Diagnostic why;
  unsigned vectorFactor;
};

bool LevelCheck::checkTrip(unsigned number) {
  const LoopShape &shape = plan.shape.loops[number];
  unsigned levels = levelsOf(shape.loop);
  if (levels == 1)
    return true;
  if (!shape.constantTrip)
    return fail(*shape.loop, Refusal(Why::InnerCountUnknown));
  bool isLanes = plan.isLaneLoop(number);
  if (isLanes && *shape.constantTrip % vectorFactor != 0)
    return fail(*shape.loop, Refusal(Why::BeatsNotFull, *shape.constantTrip, vectorFactor));
  uint64_t count = isLanes ? *shape.constantTrip / vectorFactor : *shape.constantTrip;
  if (levels + (isLanes && count > 1) > 3 || count > CostModel::MostInner)
    return fail(*shape.loop, Refusal(Why::SequencerLevels, CostModel::MostInner));
  return true;
}

/// One loop in a loop, those over VPEs not counted.
bool LevelCheck::checkSiblings() {
  for (const LoopShape &shape : plan.shape.loops) {
    unsigned inner = 0;
    for (const Item &item : shape.body)
      if (item.kind == Item::Kind::Loop && !plan.overVpes[item.loop] && ++inner > 1)
        return fail(*plan.shape.loops[item.loop].loop, Refusal(Why::SecondInLoop));
  }
  return true;
}

bool LevelCheck::checkSteps() {
  for (const PlannedAccess *planned : inOrder(plan)) {
    for (const Position::Step &step : planned->position.steps)
      if (!overVpes(step.loop) && !llvm::isa<SCEVConstant>(step.bytes))
        return fail(*step.loop, Refusal(Why::StepNotConstant, planned->access->object->name));
    if (!checkRows(*planned))
      return false;
  }
  return true;
}

/// A nest reads and writes its streams without gaps: a row begins where the one before
/// ended.
bool LevelCheck::checkRows(const PlannedAccess &planned) {
  ObjectKind kind = planned.access->object->kind;
  if (kind != ObjectKind::In && kind != ObjectKind::Out)
    return true;
  const std::vector<Position::Step> steps(planned.position.steps.begin(),
                                          planned.position.steps.end());
  for (size_t i = 0; i + 1 < steps.size(); i++) {
    const LoopShape *inner = plan.shape.find(steps[i + 1].loop);
    std::optional<int64_t> outerStep = planned.position.constantStep(steps[i].loop);
    std::optional<int64_t> innerStep = planned.position.constantStep(steps[i + 1].loop);
    if (!inner->constantTrip || !outerStep || !innerStep ||
        *outerStep != *innerStep * int64_t(*inner->constantTrip))
      return fail(*inner->loop, Refusal(Why::StreamHasGaps, planned.access->object->name));
  }
  return true;
}

bool LevelCheck::checkMemory() {
  return plan.isLaneLoop(0) || !mayReadStale(plan) ||
         fail(*plan.shape.root().loop, Refusal(Why::OuterMemoryReadAhead));
}

} // namespace

std::vector<const PlannedAccess *> inOrder(const NestPlan &plan) {
  std::vector<const PlannedAccess *> result;
  for (const LoopShape &shape : plan.shape.loops)
    for (const Item &item : shape.body)
      if (auto found = plan.accesses.find(item.inst);
          item.kind == Item::Kind::Inst && found != plan.accesses.end())
        result.push_back(&found->second);
  return result;
}

static bool isSamePlace(const Position &a, const Position &b) {
  return a.start == b.start && a.steps.size() == b.steps.size() &&
         all_of(zip(a.steps, b.steps), [](const auto &pair) {
           const auto &[x, y] = pair;
           return x.loop == y.loop && x.bytes == y.bytes;
         });
}

bool mayReadStale(const NestPlan &plan) {
  std::vector<const PlannedAccess *> reads, writes;
  for (const PlannedAccess *planned : inOrder(plan))
    if (planned->access->object->kind == ObjectKind::Mem)
      (planned->access->isWrite() ? writes : reads).push_back(planned);
  return any_of(writes, [&](const PlannedAccess *write) {
    return any_of(reads, [&](const PlannedAccess *read) {
      return !isSamePlace(read->position, write->position) ||
             read->position.steps.size() != plan.shape.loops.size();
    });
  });
}

Verdict checkLevels(const NestPlan &plan, const ImportOptions &options) {
  return LevelCheck(plan, options).run();
}

} // namespace acis::import
