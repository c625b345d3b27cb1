// Refusals at operations, and in MLIR's diagnostics: beside the words stands the value.
#pragma once

#include "backend/support/Refusal.h"

#include "mlir/IR/Diagnostics.h"

#include <optional>

namespace acis::dfg {

/// A refusal at a place of the source.
struct Refused {
  mlir::Location at;
  Refusal refusal;
  std::optional<mlir::Location> elsewhere = {}; ///< the other place that it is about
  const char *there = "";                       ///< and what is there
};

/// An error that carries its refusal, which refusalOf() finds. Notes may be added.
mlir::InFlightDiagnostic refuse(mlir::Location at, const Refusal &refusal);
mlir::InFlightDiagnostic refuse(const Refused &refused);

/// What an error refuses. One that does not say, like those of MLIR's verifiers, is a fault.
Refusal refusalOf(mlir::Diagnostic &diagnostic);

} // namespace acis::dfg
