// How large a value can be.
#pragma once

#include "passes/dfg/DfgDialect.h"

namespace acis::dfg {

/// An upper bound of an integer value, read as unsigned; of its whole type if nothing more is
/// known.
uint64_t greatest(mlir::Value value);

/// Whether an index of fewer bits than its lane may be negative. An address generator takes the
/// whole lane, above whose value there are zeros, so such an index has to be extended.
bool needsSign(mlir::Value index, unsigned laneBits);

} // namespace acis::dfg
