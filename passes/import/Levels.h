// What the sequencer can step through besides the lanes: decides how far out a nest goes.
#pragma once

#include "passes/import/Plan.h"

namespace acis::import {

/// Accesses of the nest, in program order.
std::vector<const PlannedAccess *> inOrder(const NestPlan &plan);

/// Whether an iteration may read memory that an earlier one writes. Memory is read ahead, so both
/// have to be at one place, which every loop moves.
bool mayReadStale(const NestPlan &plan);

/// Refuses a nest with loops around its lanes that the sequencer cannot run; the loops inside may
/// be nests of their own then.
Verdict checkLevels(const NestPlan &plan, const ImportOptions &options);

/// The same for a nest whose iterations are one element each, in the first way that is not closed
/// and that it fits. Needs plan.needed; sets plan.way, plan.row, plan.staged and plan.cycles.
Verdict chooseElementLevels(NestPlan &plan, const ImportOptions &options, const ClosedWays &closed,
                            llvm::ScalarEvolution &evolution);

} // namespace acis::import
