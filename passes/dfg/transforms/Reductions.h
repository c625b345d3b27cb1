// Operations that loops reduce by.
#pragma once

#include "passes/dfg/DfgDialect.h"

namespace acis::dfg {

/// Several updates of a carried value by one operation become one: s + a + b - c, with the last
/// only under a condition, is s + ((a + b) - (condition ? c : 0)). A difference alone is one with
/// `mayNegate`.
void combineUpdates(LoopOp loop, bool mayNegate);

/// The x with op(x, v) = v for every v of so many bits, or of the format if op takes floating
/// point; none if loops cannot reduce by the operation. The one list of what they can.
std::optional<llvm::APInt> neutralBits(OpKind op, unsigned bits, const llvm::fltSemantics *format);

/// Operations whose operands may be regrouped and swapped whatever the program says.
bool isAssociative(OpKind op);

/// The same as a constant of the type, or null.
mlir::TypedAttr identityOf(OpKind op, mlir::Type type);

} // namespace acis::dfg
