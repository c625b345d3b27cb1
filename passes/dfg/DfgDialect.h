// The dfg dialect in C++: attributes, operations and the access interface.
#pragma once

#include "backend/isa/Context.h"
#include "backend/overlay/Overlay.h"
#include "passes/dfg/Position.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "passes/dfg/DfgEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "passes/dfg/DfgAttrs.h.inc"

#include "passes/dfg/DfgDialect.h.inc"

#include "passes/dfg/DfgInterfaces.h.inc"

#define GET_OP_CLASSES
#include "passes/dfg/DfgOps.h.inc"

namespace acis::dfg {

UnitClass unitOf(OpKind op);
/// What its unit has to be able to do, whatever the lanes.
Extras extrasOf(OpKind op);
/// Whether an access of an array in a graph has an index that may differ from lane to lane, or is
/// that of another lane than the first.
bool needsGather(mlir::Operation *access);
unsigned operandsOf(OpKind op);
bool isCompare(OpKind op);
/// The scalar type of a scalar or a beat.
mlir::Type elementOf(mlir::Type type);
/// Bits of a scalar or of an element of a beat.
unsigned bitsOf(mlir::Type type);
/// The constant that a dfg.const gives, or nothing.
std::optional<int64_t> constantOf(mlir::Value value);
/// The array that a VRF access names.
ArrayOp arrayOf(mlir::Operation *access);
/// Whether both accesses have the same index, fields and position on one PE.
bool sameAddress(VrfReadOp read, VrfWriteOp write);
/// The value behind dfg.carry operations: what an operand takes `distance` iterations
/// late, and `init` (null: zero) in the first iterations, or with `row` in the first of each
/// row. Carries one after the other have one initial value (dfg-map sees to it).
struct Carriage {
  mlir::Value value, init;
  unsigned distance = 0;
  bool row = false;
};
Carriage carriageOf(mlir::Value value);
/// A scalar constant of which all bits are 0.
bool isZero(mlir::Value value);
/// Name of the source variable if the location carries one, else `otherwise`.
llvm::StringRef nameOf(mlir::Location loc, llvm::StringRef otherwise);

} // namespace acis::dfg
