// Builds the graph of a nest: scalars of the innermost loop become beats, scalars of
// outer loops become one lane of a beat or the same in every lane.
#pragma once

#include "passes/dfg/transforms/Carried.h"
#include "passes/dfg/transforms/StreamPlan.h"

#include "mlir/IR/Builders.h"

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

class LaneBuilder {
public:
  LaneBuilder(NestOp nest, const Shape &shape) : nest(nest), shape(shape), builder(nest) {}

  /// Replaces the nest's loops by a graph. Emits an error and fails where it cannot.
  mlir::LogicalResult run();

private:
  // LaneBuilder.cpp: structure, values, operations
  mlir::LogicalResult classifyAll();
  GraphOp createGraph();
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
  mlir::LogicalResult planStreams();
  mlir::LogicalResult access(AccessOpInterface op);
  mlir::LogicalResult streamWrite(StreamWriteOp op);
  mlir::LogicalResult memRead(MemReadOp op);
  mlir::LogicalResult memWrite(MemWriteOp op);
  template <typename OpT>
  mlir::LogicalResult written(OpT op, mlir::Value &data, mlir::Value &predicate);
  template <typename OpT> mlir::LogicalResult vrf(OpT op);
  mlir::FailureOr<LaneValue> scaledIndex(mlir::Operation *op, mlir::Value index, int64_t scale);
  mlir::LogicalResult checkBeats(AccessOpInterface op, const Steps &steps, bool laneMayStand);
  mlir::LogicalResult checkPlace(mlir::Operation *op);
  Position positionOf(const Steps &steps);

  mlir::VectorType beatOf(mlir::Type type) const {
    return mlir::VectorType::get({int64_t(shape.vf)}, elementOf(type));
  }
  /// The operand form: a beat or a scalar.
  mlir::Value operand(const LaneValue &value, mlir::Location loc);
  mlir::Value make(mlir::Location loc, OpKind kind, mlir::Type type, mlir::ValueRange inputs,
                   std::optional<int32_t> immediate = {});
  mlir::Value constant(mlir::Location loc, mlir::Type type, int64_t value);
  void copyOrigin(mlir::Operation *from, mlir::Operation *to);

  NestOp nest;
  const Shape &shape;
  mlir::OpBuilder builder;
  GraphOp graph;
  llvm::SmallVector<Carried> carried; ///< of the outermost loop
  llvm::DenseMap<mlir::Value, LaneValue> values;
  llvm::DenseSet<mlir::Operation *> done;
  llvm::DenseSet<mlir::Value> open;                  ///< carried values being translated
  llvm::DenseMap<mlir::Value, unsigned> reductionOf; ///< carried arguments, by number
  StreamPlan reads, writes;
  llvm::SmallVector<mlir::Value, 4> beats; ///< of `reads`
};

} // namespace acis::dfg
