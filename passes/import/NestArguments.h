// The values that a nest takes from the control code.
#pragma once

#include "passes/dfg/DfgDialect.h"
#include "passes/import/LoopShape.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

namespace acis::import {

/// Block arguments of the nest, one per different value, in the order of first use.
class NestArguments {
public:
  NestArguments(mlir::Block &entry, mlir::Location loc, llvm::Loop &root,
                const FunctionAnalyses &analyses);

  /// A value from outside the nest, not a constant. Integers below 32 bits are
  /// zero-extended to 32.
  mlir::Value of(llvm::Value *value);
  /// An expression that does not change in the nest, computed in front of it.
  mlir::Value of(const llvm::SCEV *expression);
  /// Iterations of a loop of the nest that are not a constant.
  mlir::Value tripOf(const LoopShape &shape);

  llvm::ArrayRef<llvm::Value *> values() const { return list; }

private:
  mlir::Block &entry;
  mlir::Location loc;
  llvm::Instruction *before; ///< end of the block in front of the loop
  llvm::SCEVExpander expander;
  llvm::SmallVector<llvm::Value *, 8> list;
  llvm::DenseMap<llvm::Value *, mlir::Value> byValue;
};

} // namespace acis::import
