// Something that may be refused, where there is another way.
#pragma once

#include "passes/dfg/Refuse.h"

#include "mlir/Support/LogicalResult.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace acis::dfg {

/// What came of an attempt.
struct Attempt {
  bool succeeded = false;
  /// Of one that failed: the refusal, if something else may be tried. Without it the user has been
  /// told of an error.
  std::optional<Refused> refused;
};

/// Runs `what`. The first refusal that leaves another way is kept; other errors go on to the user.
inline Attempt attempt(mlir::MLIRContext *context, llvm::function_ref<mlir::LogicalResult()> what) {
  Attempt attempt;
  bool isTold = false;
  mlir::ScopedDiagnosticHandler handler(context, [&](mlir::Diagnostic &diagnostic) {
    const bool isError = diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error;
    Refusal refusal = refusalOf(diagnostic);
    if (!isError || !mayTryElse(refusal)) {
      isTold |= isError;
      return mlir::failure();
    }
    if (!attempt.refused)
      attempt.refused = Refused{diagnostic.getLocation(), std::move(refusal)};
    return mlir::success();
  });
  attempt.succeeded = mlir::succeeded(what());
  if (isTold)
    attempt.refused.reset();
  return attempt;
}

} // namespace acis::dfg
