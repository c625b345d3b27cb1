// Lanes, elements and launches, compared by the cost model.
#include "passes/import/Planner.h"

#include "passes/llvm/UnitDemand.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace acis::import {

bool Planner::touches(const Loop &loop) const {
  return sumsInLanes(loop) || any_of(accesses.accesses(), [&](const Access &access) {
           return access.inst && loop.contains(access.inst);
         });
}

/// The order of sums in lanes is not that of elements, and an element of an array of each VPE
/// is in one that the control code does not know.
bool Planner::needsArray(const Loop &loop) const {
  return sumsInLanes(loop) || any_of(accesses.accesses(), [&](const Access &access) {
           return access.inst && access.object->perVpe && loop.contains(access.inst);
         });
}

/// Whether a nest in the loop has iterations that can be lanes.
bool Planner::holdsLanes(const Loop &loop) {
  return any_of(loop, [&](Loop *inner) {
    return touches(*inner) &&
           (planLanes(*inner, accesses, analyses, options) || holdsLanes(*inner));
  });
}

/// Whether the control code uses what the loop computes, or launches the loops in it.
static bool isWaitedFor(const Loop &loop) {
  SmallVector<BasicBlock *, 2> exits;
  loop.getUniqueExitBlocks(exits);
  return !loop.isInnermost() ||
         any_of(exits, [](const BasicBlock *exit) { return !exit->phis().empty(); });
}

/// Whether the loop accesses arrays beside the loops in it: such steps are launches, too.
bool Planner::hasSteps(const Loop &loop) const {
  return any_of(accesses.accesses(), [&](const Access &access) {
    return access.inst && access.object->kind == ObjectKind::Array &&
           analyses.loops.getLoopFor(access.inst->getParent()) == &loop;
  });
}

/// Cycles of an iteration if the loops in it are launched: what they take as lanes, and what each
/// launch takes.
uint64_t Planner::launchedCycles(const Loop &loop) {
  const CostModel &cost = options.cost;
  bool waits = hasSteps(loop) || any_of(loop, [](Loop *inner) { return isWaitedFor(*inner); });
  uint64_t cycles = waits ? cost.resultCycles() : cost.startCycles();
  for (Loop *inner : loop) {
    uint64_t trip = analyses.evolution.getSmallConstantTripCount(inner);
    if (trip == 0)
      return UINT64_MAX;
    uint64_t once = inner->isInnermost() ? divideCeil(trip, cost.machine().lanes) *
                                               cost.interval(operationsOf(*inner))
                                         : SaturatingMultiply(trip, launchedCycles(*inner));
    cycles = SaturatingAdd(cycles, once,
                           isWaitedFor(*inner) ? cost.resultCycles() : cost.launchCycles());
  }
  return cycles;
}

/// Whether an iteration reads again what the one before has read, so that the loops in it cannot be
/// launched, which would take it from the stream.
static bool readsAgain(const NestPlan &nest) {
  return nest.staged && nest.staged->window.size() > nest.staged->window.rootStep;
}

/// Rows that are long beside a launch may as well be launched one by one, if loops in the loop can
/// be nests.
bool Planner::isWorthCopying(const Loop &loop, const NestPlan &nest) const {
  uint64_t longest = 0;
  for (const LoopShape &shape : drop_begin(nest.shape.loops))
    longest = std::max(longest, *shape.constantTrip);
  return readsAgain(nest) ||
         (longest < options.cost.resultCycles() &&
          nest.cycles <= 2 * options.cost.resultCycles()) ||
         none_of(loop, [&](Loop *inner) { return touches(*inner); });
}

Result<NestPlan, Diagnostic> Planner::choose(Loop &loop, const ClosedWays &closed) {
  if (auto refused = closed.find(Way::Lanes); refused != closed.end())
    return refused->second;
  Result<NestPlan, Diagnostic> lanes = planLanes(loop, accesses, analyses, options);
  if (lanes || sumsInLanes(loop))
    return lanes;
  Result<NestPlan, Diagnostic> elements = planElements(loop, accesses, analyses, options, closed);
  if (elements)
    elements->whyNotLanes = lanes.error().refusal;
  // Elements were better than launches before one of their ways was closed.
  if (!closed.empty())
    return elements;
  if (elements && readsAgain(*elements))
    return elements;
  // Launched lanes are worth more than one element after the other, unless there is little to do.
  if (holdsLanes(loop) && (!elements || elements->cycles > launchedCycles(loop) / 2))
    return lanes;
  if (elements && elements->staged && !isWorthCopying(loop, *elements))
    return elements->staged->why;
  return elements;
}

} // namespace acis::import
