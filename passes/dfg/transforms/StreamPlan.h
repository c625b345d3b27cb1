// How the stream accesses of one iteration share beats.
#pragma once

#include "passes/dfg/transforms/Shape.h"

namespace acis::dfg {

/// One pop or push of an iteration, by increasing position.
struct StreamBeat {
  int64_t offset = 0; ///< bytes
  AccessOpInterface first;
};

struct StreamUse {
  unsigned beat = 0;
  int lane = -1; ///< element of the beat that every lane takes; -1: each its own
};

struct StreamPlan {
  bool splat = false; ///< one element per pop
  llvm::SmallVector<StreamBeat, 4> beats;
  llvm::DenseMap<mlir::Operation *, StreamUse> uses;
};

/// Plans all reads (or all writes) of a nest. Fails with an error at the access that
/// leaves a gap, goes back or is of another type.
mlir::FailureOr<StreamPlan> planStream(llvm::ArrayRef<AccessOpInterface> accesses,
                                       const Shape &shape);

/// Bytes of an element in the stream or memory.
int64_t elementBytes(AccessOpInterface access);
/// The type of the value that an access reads or writes.
mlir::Type valueType(AccessOpInterface access);

} // namespace acis::dfg
