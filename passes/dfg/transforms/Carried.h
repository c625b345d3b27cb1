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

/// Several updates of a carried value by one operation become one: (((s + a) + b) + c) is
/// s + ((a + b) + c).
void combineUpdates(LoopOp loop);

/// The x with op(x, v) = v for every v of so many bits, or of the format if op takes floating
/// point; none if loops cannot reduce by the operation. The one list of what they can.
std::optional<llvm::APInt> neutralBits(OpKind op, unsigned bits, const llvm::fltSemantics *format);

/// Operations whose operands may be regrouped and swapped whatever the program says.
bool isAssociative(OpKind op);

/// The same as a constant of the type, or null.
mlir::TypedAttr identityOf(OpKind op, mlir::Type type);

} // namespace acis::dfg
