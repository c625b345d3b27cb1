// A dfg.nest as the value that all ways to run it are judged by, and built from.
#pragma once

#include "passes/dfg/DfgDialect.h"
#include "passes/nest/LoopNest.h"

namespace acis::dfg {

struct DescribedNest {
  NestOp op;
  unsigned laneBits = 32;
  nest::LoopNest form;
  llvm::SmallVector<LoopOp, 4> loops;               ///< by level
  llvm::SmallVector<AccessOpInterface, 8> accesses; ///< by number
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  LoopOp rolled; ///< the loop over VPEs of a vector load, which is no level; or null

  const nest::Access &of(mlir::Operation *access) const {
    return form.accesses[numbers.lookup(access)];
  }
  /// An error at what the obstacle is about.
  mlir::LogicalResult refuse(const nest::Obstacle &obstacle) const;
};

DescribedNest describe(NestOp nest);

/// Whether the nest has one loop in each, and in all of them nothing but a read and a write of what
/// it reads.
bool isCopy(const DescribedNest &about);

/// Whether `inner` carries what `outer` carries and hands it back, and `outer` does nothing else
/// with it.
bool isPassedOn(LoopOp outer, LoopOp inner);
/// The same for one value.
bool isPassedOn(LoopOp outer, unsigned number, LoopOp inner, unsigned innerNumber);

/// Bytes of an element in the stream or memory.
int64_t elementBytes(AccessOpInterface access);
/// The type of the value that an access reads or writes.
mlir::Type valueType(AccessOpInterface access);

} // namespace acis::dfg
