// Something that may fail with errors which are then not the user's: there is another way.
#pragma once

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/LogicalResult.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <string>

namespace acis::dfg {

struct Refusal {
  std::optional<mlir::Location> loc;
  std::string why;
};

/// Runs `what` and keeps its errors to itself; the first of them is the refusal.
inline mlir::LogicalResult attempt(mlir::MLIRContext *context, Refusal &refusal,
                                   llvm::function_ref<mlir::LogicalResult()> what) {
  mlir::ScopedDiagnosticHandler handler(context, [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error && !refusal.loc)
      refusal = {diagnostic.getLocation(), diagnostic.str()};
    return mlir::success();
  });
  return what();
}

} // namespace acis::dfg
