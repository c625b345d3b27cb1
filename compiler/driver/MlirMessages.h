// Messages of MLIR passes as Diagnostic values.
#pragma once

#include "passes/llvm/Diagnostic.h"

#include "mlir/IR/Diagnostics.h"

namespace acis::driver {

/// While it lives, diagnostics of a context are added to a list instead of printed.
class MlirMessages {
public:
  MlirMessages(mlir::MLIRContext &context, Diagnostics &list);

private:
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace acis::driver
