// The parts of dfg-fuse that concern address generators of the register file.
#pragma once

#include "passes/dfg/DfgDialect.h"

namespace acis::dfg {

/// idx < K ? x[idx] : 0 with a guarded read becomes a read with zero_limit K, and
/// if (idx < K) x[idx] = v a write with it.
void fuseGuards(GraphOp graph);
/// (w >> s) & (2^b - 1) as an index becomes index w with shift s and bits b.
void fuseIndexFields(GraphOp graph);
/// Marks writes whose value depends on a read of the same indexed address.
void markInterlocks(GraphOp graph);

} // namespace acis::dfg
