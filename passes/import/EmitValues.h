// Values of a nest as nodes: constants, live-ins, expressions over the indices of its loops.
#pragma once

#include "passes/import/EmitCompute.h"
#include "passes/import/NestArguments.h"
#include "passes/import/Plan.h"

namespace acis::import {

/// Nodes come at the insertion point of `builder`, which the caller moves. What cannot be expressed
/// is a refusal, which stays; a value stands in its place.
class ValueEmitter {
public:
  ValueEmitter(const NestPlan &plan, dfg::NestOp nest, const FunctionAnalyses &analyses);

  /// Makes the node of a value known.
  mlir::Value &operator[](const llvm::Value *value) { return values[value]; }
  bool isKnown(const llvm::Value *value) const { return values.contains(value); }
  /// Null: not known, or only in a loop further in.
  mlir::Value visible(const llvm::Value *value) const;
  mlir::Value constant(llvm::Constant *value);
  mlir::Value operand(llvm::Value *value, mlir::Location loc);
  /// All conditions together; null if there is none.
  mlir::Value condition(const Predicate *predicate, mlir::Location loc);
  /// The computed part of a position; null if there is none.
  mlir::Value index(const PlannedAccess &planned, mlir::Location loc);

  mlir::Type type(const llvm::Type *of) const { return convertType(of, context); }
  void refuse(Diagnostic why) {
    if (!refused)
      refused = std::move(why);
  }
  const std::optional<Diagnostic> &refusal() const { return refused; }

  mlir::OpBuilder builder;
  ComputeEmitter compute;
  NestArguments arguments;
  llvm::DenseMap<const llvm::Loop *, mlir::Value> indices;

private:
  llvm::Type *containerOf(const llvm::SCEV *scev) const;
  mlir::Value exact(const llvm::SCEV *scev, bool isSigned, mlir::Location loc);
  mlir::Value fold(dfg::OpKind kind, const llvm::SCEV *scev, mlir::Location loc);
  mlir::Value quotient(const llvm::SCEV *scev, mlir::Location loc);
  mlir::Value zeroExtend(const llvm::SCEV *scev, mlir::Location loc);
  mlir::Value recurrence(const llvm::SCEV *scev, mlir::Location loc);
  mlir::Value expression(const llvm::SCEV *scev, mlir::Location loc);
  mlir::Value unknown(llvm::Instruction &value, Why why);

  const NestPlan &plan;
  dfg::NestOp nest;
  llvm::ScalarEvolution &evolution;
  mlir::MLIRContext *context;
  llvm::DenseMap<const llvm::Value *, mlir::Value> values;
  llvm::DenseMap<llvm::Constant *, mlir::Value> constants;
  /// Values that are parts of the index at hand.
  const llvm::SmallDenseMap<const llvm::SCEV *, llvm::Value *, 4> *knownParts = nullptr;
  std::optional<Diagnostic> refused;
};

} // namespace acis::import
