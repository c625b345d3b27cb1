// Messages of MLIR passes as Diagnostic values.
#pragma once

#include "passes/llvm/Diagnostic.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"

namespace acis::driver {

/// The first place that a location, which may be made of others, has in a file.
mlir::FileLineColLoc placeOf(mlir::Location location);

/// While it lives, diagnostics of a context are added to a list instead of printed.
class MlirMessages {
public:
  MlirMessages(mlir::MLIRContext &context, Diagnostics &list);

private:
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace acis::driver
