// Loops over rows of the input stream whose reads the stream cannot serve as they come: beside an
// inner loop, or not from the front of the row to its end.
#pragma once

#include "passes/import/Plan.h"

namespace acis::import {

/// Makes the nest of `plan`, which has `staged`, read an array instead of the stream. Rows are
/// copied into it by a loop in front of the nest, which can be lanes; where they may be more than
/// it holds, a loop of the control code goes around both. Analyses are not kept up to date.
void stageRows(const NestPlan &plan, const FunctionAnalyses &analyses);

} // namespace acis::import
