// if and else on one operation.
#pragma once

#include "passes/dfg/DfgDialect.h"

namespace acis::dfg {

/// `c ? op(a, x) : op(a, y)` becomes `op(a, c ? x : y)`, one operation less: only one of the
/// two results was wanted. Not where the choice is part of a recurrence, which would then
/// hold one operation more, and not where a result has another use.
void shareBranches(GraphOp graph);

} // namespace acis::dfg
