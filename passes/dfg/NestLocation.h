// Locations that say which nest an operation came from, so that an error names its nest, whatever
// else the same place of the source became: two loops of one macro have one place.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace acis::dfg {

/// From here on the location of each operation in a nest names it.
void nameNests(mlir::ModuleOp module);

/// "handler/nest"; empty if the location names none.
std::string nestOf(mlir::Location location);

} // namespace acis::dfg
