// What the sequencer can step through besides the lanes: decides how far out a nest goes.
#pragma once

#include "passes/import/Plan.h"

namespace acis::import {

/// False and `why` if the nest has loops around its lanes that the sequencer cannot run;
/// the loops inside may be nests of their own then.
bool checkLevels(const NestPlan &plan, const ImportOptions &options, Diagnostic &why);

/// The same for a nest whose iterations are one element each: two loops that are perfectly
/// nested, what is further in is unrolled.
bool checkElementLevels(const NestPlan &plan, Diagnostic &why);

} // namespace acis::import
