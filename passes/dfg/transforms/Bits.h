// Tests of the last bit.
#pragma once

#include "passes/dfg/DfgDialect.h"

namespace acis::dfg {

/// (x & 1) != 0 becomes the truncation of x to one bit, and a select between two values that
/// asks for (x & 1) == 0 takes them the other way round: an operation less between x and what
/// depends on the bit.
void testBits(GraphOp graph);

} // namespace acis::dfg
