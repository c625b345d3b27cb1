// Builds the graph of a nest: scalars of the innermost loop become beats, scalars of
// outer loops become one lane of a beat or the same in every lane.
#pragma once

#include "passes/dfg/transforms/GraphBuilder.h"
#include "passes/dfg/transforms/Reductions.h"
#include "passes/nest/Lanes.h"

namespace acis::dfg {

/// What a scalar of the nest is in the graph.
struct LaneValue {
  enum Kind {
    Scalar, ///< nest argument or constant; scalar type
    All,    ///< a beat with the same value in every lane
    Lanes,  ///< a beat
    One,    ///< lane `lane` of a beat
  };
  Kind kind = Scalar;
  mlir::Value value;
  int lane = 0;
};

class LaneBuilder : GraphBuilder {
public:
  LaneBuilder(const DescribedNest &about, const acis::nest::Lanes &lanes)
      : GraphBuilder(about, lanes.factor), lanes(lanes) {}

  /// Replaces the nest's loops by a graph.
  void run();

private:
  // LaneBuilder.cpp: structure, values, operations
  void openGraph();
  void translateBlock(mlir::Block *block);
  void translate(mlir::Operation &op);
  LaneValue valueOf(mlir::Value value);
  LaneValue indexValue(LoopOp loop);
  LaneValue earlier(mlir::BlockArgument argument, mlir::Value init);
  void compute(ComputeOp op);
  void reduce(ComputeOp update);
  void finish();
  mlir::Value combine(const CarriedOps &carried, mlir::Value folded, ReduceOp reduce);

  // LaneAccess.cpp: accesses
  void access(AccessOpInterface op);
  void streamRead(StreamReadOp op);
  void memRead(MemReadOp op);
  template <typename OpT> OpT write(OpT op, const Position &at);
  template <typename OpT> void vrf(OpT op);
  /// That of the access in the graph, where the accesses of the lanes begin at `offset`.
  Position positionOf(AccessOpInterface op, int64_t offset);
  Position positionOf(AccessOpInterface op) { return positionOf(op, about.of(op).offset); }
  int64_t laneStep(mlir::Operation *op) const { return lanes.step(about.of(op)); }
  LoopOp laneLoop() const { return about.loops[lanes.level]; }

  /// The operand form: a beat or a scalar.
  mlir::Value operand(const LaneValue &value, mlir::Location loc);
  mlir::Value operand(mlir::Value value, mlir::Location loc) {
    return operand(valueOf(value), loc);
  }
  void copyOrigin(mlir::Operation *from, mlir::Operation *to);

  const acis::nest::Lanes &lanes;
  llvm::DenseMap<mlir::Value, LaneValue> values;
  llvm::DenseSet<mlir::Operation *> done;
  llvm::SmallVector<mlir::Value, 4> beats; ///< of the input stream
};

} // namespace acis::dfg
