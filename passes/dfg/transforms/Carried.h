// What a carried value of a loop nest is.
#pragma once

#include "passes/dfg/DfgDialect.h"

namespace acis::dfg {

struct Carried {
  enum Kind {
    Reduction, ///< updated by one associative operation, read by nothing else
    Previous,  ///< a value of the iteration before
  };
  Kind kind = Reduction;
  ComputeOp update;        ///< reductions: the operation, in the innermost loop
  mlir::Value contributed; ///< reductions: its other operand
};

/// Classifies carried value `number` of the outermost loop of its nest. Fails with an
/// error at the place that rules it out.
mlir::FailureOr<Carried> classify(LoopOp loop, unsigned number);

/// Integer operations whose operands may be regrouped and swapped.
bool isAssociative(OpKind op);

/// The constant x with op(x, v) = v of that type; null if the operation has none.
mlir::TypedAttr identityOf(OpKind op, mlir::Type type);

} // namespace acis::dfg
