// How large a value can be.
#pragma once

#include "passes/dfg/DfgDialect.h"

namespace acis::dfg {

/// An upper bound of an integer value, read as unsigned; of its whole type if nothing more is
/// known.
uint64_t greatest(mlir::Value value);

} // namespace acis::dfg
