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

/// The same for a nest whose iterations are one element each. Two loops that are perfectly
/// nested are the sequencer's, what is further in is unrolled. If the outer one does more,
/// its loops are unrolled where the array holds that, else one of them becomes one loop with it
/// (plan.flattened), with what stands beside it in the first or last iteration of each row.
/// Needs plan.needed; sets plan.estimate.
Verdict chooseElementLevels(NestPlan &plan, const ImportOptions &options,
                            llvm::ScalarEvolution &evolution);

} // namespace acis::import
