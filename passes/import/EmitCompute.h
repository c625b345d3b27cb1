// LLVM instructions as dfg.compute nodes.
#pragma once

#include "passes/dfg/DfgDialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Instruction;
class Loop;
class Type;
class Value;
} // namespace llvm

namespace acis::import {

mlir::Type convertType(const llvm::Type *type, mlir::MLIRContext *context);
mlir::Location convertLocation(const llvm::Instruction &inst, mlir::MLIRContext *context);

/// Where a loop starts.
mlir::Location convertLocation(const llvm::Loop &loop, mlir::MLIRContext *context);
/// The location with the name of the source's variable, for messages.
mlir::Location namedLocation(const llvm::Instruction &inst, mlir::MLIRContext *context);

/// Nodes at the insertion point of `builder`, which the caller moves.
class ComputeEmitter {
public:
  explicit ComputeEmitter(mlir::OpBuilder &builder) : builder(builder) {}

  mlir::Value op(mlir::Location loc, dfg::OpKind kind, mlir::Type type, mlir::ValueRange inputs);
  mlir::Value constant(mlir::Location loc, mlir::Type type, int64_t value);
  /// Zero-extended, truncated or reinterpreted; flags become 0 or 1.
  mlir::Value resize(mlir::Location loc, mlir::Value value, mlir::Type type);
  mlir::Value invert(mlir::Location loc, mlir::Value flag);

  /// An instruction that whyNotOffered() accepts; `operand` gives the node of a value.
  mlir::Value instruction(const llvm::Instruction &inst,
                          llvm::function_ref<mlir::Value(llvm::Value *)> operand);

private:
  mlir::Value cast(mlir::Location loc, unsigned opcode, mlir::Value value, mlir::Type type);
  mlir::Value compareFloat(mlir::Location loc, unsigned predicate, mlir::Value a, mlir::Value b);
  mlir::Value compareInt(mlir::Location loc, unsigned predicate, mlir::Value a, mlir::Value b);
  mlir::Value copySign(mlir::Location loc, mlir::Value magnitude, mlir::Value sign);

  mlir::OpBuilder &builder;
};

} // namespace acis::import
