// Builds the graph of a nest: scalars of the innermost loop become beats, scalars of
// outer loops become one lane of a beat or the same in every lane.
#pragma once

#include "passes/dfg/transforms/Carried.h"
#include "passes/dfg/transforms/GraphBuilder.h"
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

  /// Replaces the nest's loops by a graph. Emits an error and fails where it cannot.
  mlir::LogicalResult run();

private:
  // LaneBuilder.cpp: structure, values, operations
  mlir::LogicalResult classifyAll();
  void openGraph();
  mlir::LogicalResult translateBlock(mlir::Block *block);
  mlir::LogicalResult translate(mlir::Operation &op);
  mlir::FailureOr<LaneValue> valueOf(mlir::Value value);
  mlir::LogicalResult checkEarly(mlir::Operation *op);
  mlir::FailureOr<LaneValue> indexValue(LoopOp loop);
  mlir::FailureOr<LaneValue> earlier(mlir::BlockArgument argument, mlir::Value init);
  mlir::LogicalResult compute(ComputeOp op);
  mlir::LogicalResult finish(GraphOp graph);
  mlir::FailureOr<mlir::Value> combine(Carried &carried, mlir::Value init, mlir::Value folded,
                                       ReduceOp reduce);

  // LaneAccess.cpp: accesses
  mlir::LogicalResult access(AccessOpInterface op);
  void streamRead(StreamReadOp op);
  void memRead(MemReadOp op);
  template <typename OpT> mlir::LogicalResult write(OpT op);
  template <typename OpT>
  mlir::LogicalResult written(OpT op, mlir::Value &data, mlir::Value &predicate);
  template <typename OpT> mlir::LogicalResult vrf(OpT op);
  /// That of the access in the graph, where the accesses of the lanes begin at `offset`.
  Position positionOf(AccessOpInterface op, int64_t offset);
  Position positionOf(AccessOpInterface op) { return positionOf(op, about.of(op).offset); }
  int64_t laneStep(mlir::Operation *op) const { return lanes.step(about.of(op)); }
  LoopOp laneLoop() const { return about.loops[lanes.level]; }

  /// The operand form: a beat or a scalar.
  mlir::Value operand(const LaneValue &value, mlir::Location loc);
  void copyOrigin(mlir::Operation *from, mlir::Operation *to);

  const acis::nest::Lanes &lanes;
  llvm::SmallVector<Carried> carried; ///< of the outermost loop
  llvm::DenseMap<mlir::Value, LaneValue> values;
  llvm::DenseSet<mlir::Operation *> done;
  llvm::DenseSet<mlir::Value> open;                  ///< carried values being translated
  llvm::DenseMap<mlir::Value, unsigned> reductionOf; ///< carried arguments, by number
  llvm::SmallVector<mlir::Value, 4> beats;           ///< of the input stream
};

} // namespace acis::dfg
