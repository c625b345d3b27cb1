// What a new access of a graph has before its position is known, for the builders that make graphs
// anew: by element, by lane.
#pragma once

#include "passes/dfg/DfgDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace acis::dfg {

/// At position 0, without terms.
mlir::OperationState newAccess(mlir::Location loc, mlir::StringRef name, mlir::OpBuilder &builder);

/// Of an array: a read that gives `read`, or a write of `data` if there is one.
struct ArrayOperands {
  mlir::Type read;
  mlir::Value data, index, predicate; ///< the last two may be null; no predicate of a read
};
mlir::OperationState newArrayAccess(mlir::Location loc, mlir::StringRef name,
                                    mlir::FlatSymbolRefAttr array, const ArrayOperands &operands,
                                    mlir::OpBuilder &builder);

/// Of a stream or of the memory: a write of `data`; the predicate may be null.
mlir::OperationState newWrite(mlir::Location loc, mlir::StringRef name, mlir::Value data,
                              mlir::Value predicate, mlir::OpBuilder &builder);

/// Fills in a new access: its position, and what it has of the one that it is made of, with `also`.
void setUp(AccessOpInterface made, AccessOpInterface from, const Position &at,
           mlir::StringRef also);

} // namespace acis::dfg
