// A dfg.nest as the value that all ways to run it are judged by, and built from.
#pragma once

#include "passes/dfg/DfgDialect.h"
#include "passes/nest/LoopNest.h"

namespace acis::dfg {

/// The operations of a carried value.
struct CarriedOps {
  LoopOp loop;         ///< the outermost that carries it
  unsigned number = 0; ///< there
  mlir::Value next;    ///< in the innermost
  ComputeOp update;    ///< of a reduction: what computes it
  mlir::Value term;    ///< that it takes beside the carried value

  mlir::Value init() const { return LoopOp(loop).getInits()[number]; }
  mlir::Value result() const { return LoopOp(loop).getResult(number); }
};

struct DescribedNest {
  NestOp op;
  unsigned laneBits = 32;
  nest::LoopNest form;
  llvm::SmallVector<LoopOp, 4> loops;               ///< by level
  llvm::SmallVector<AccessOpInterface, 8> accesses; ///< by number
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  llvm::SmallVector<CarriedOps, 2> carried; ///< by number
  LoopOp rolled; ///< the loop over VPEs of a vector load, which is no level; or null

  const nest::Access &of(mlir::Operation *access) const {
    return form.accesses[numbers.lookup(access)];
  }
  /// What the obstacle is about, and an error there.
  mlir::Location placeOf(const nest::Obstacle &obstacle) const;
  mlir::InFlightDiagnostic refuse(const nest::Obstacle &obstacle) const;
};

DescribedNest describe(NestOp nest);

/// Whether the nest has one loop in each, and in all of them nothing but a read and a write of what
/// it reads.
bool isCopy(const DescribedNest &about);

/// Whether `inner` carries a value that `outer` carries and hands it back, and `outer` does nothing
/// else with it.
bool isPassedOn(LoopOp outer, unsigned number, LoopOp inner, unsigned innerNumber);

/// Whether `value` is computed from `argument`, which a loop carries, in this iteration or an
/// earlier one; what a loop in it hands on is. `seen`: all that it is computed from.
bool dependsOn(mlir::Value value, mlir::BlockArgument argument, llvm::DenseSet<mlir::Value> &seen);

/// Bytes of an element in the stream or memory.
int64_t elementBytes(AccessOpInterface access);
/// The type of the value that an access reads or writes.
mlir::Type valueType(AccessOpInterface access);

} // namespace acis::dfg
