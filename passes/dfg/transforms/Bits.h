// Tests of the last bit and for zero.
#pragma once

#include "passes/dfg/DfgDialect.h"

namespace acis::dfg {

/// (x & 1) != 0 becomes the truncation of x to one bit, and a select between two values that
/// asks for (x & 1) == 0 takes them the other way round; one that asks for x != 0 or x == 0 takes
/// x itself as its condition. That is an operation less between x and what depends on it.
void testBits(GraphOp graph);

} // namespace acis::dfg
