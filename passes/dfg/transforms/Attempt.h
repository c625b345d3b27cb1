// Something that may fail with errors which are then not the user's: there is another way.
#pragma once

#include "passes/dfg/DfgDialect.h"

#include "mlir/IR/Diagnostics.h"
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

/// On a nest whose iterations are one element each, with the reason why they are not lanes.
inline constexpr llvm::StringLiteral ScalarAttr = "scalar";
/// On arrays that several handlers use: dfg-share-arrays says so.
inline constexpr llvm::StringLiteral SharedAttr = "shared";

/// On a graph: an interval that dfg-spread-arrays found with a brief search.
inline constexpr llvm::StringLiteral FoundAttr = "found";

} // namespace acis::dfg
