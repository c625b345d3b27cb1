// Builds the graph of a nest whose iterations are one element each: what one iteration
// computes from the one before, single elements of arrays, single elements of streams.
#pragma once

#include "passes/dfg/transforms/GraphBuilder.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace acis::dfg {

class ElementBuilder : GraphBuilder {
public:
  explicit ElementBuilder(const DescribedNest &about) : GraphBuilder(about, /*factor=*/1) {
    chooseLevels();
  }

  /// What is in the way, if something is.
  acis::StatusOf<acis::nest::Obstacle> judge() const;

  /// Replaces the nest's loops by a scalar graph: the outermost loop, and the one in it if
  /// they are perfectly nested or it is marked `flatten`, become the sequencer's; loops
  /// further in are unrolled. Only of a nest that was judged before.
  void run();

private:
  using Value = mlir::Value;
  using Values = llvm::DenseMap<mlir::Value, mlir::Value>;

  // Structure
  void chooseLevels();
  void openGraph();
  void openCarried();
  void translateBlock(mlir::Block *block);
  void unroll(LoopOp loop);
  void finish();

  // Two loops as one, the outer one's parts under conditions: FlattenNest.cpp
  enum class Part { Before, Inside, After };
  void flatten();
  void openRow();
  void closeRow();
  void translatePart(Part which, mlir::Block::iterator begin, mlir::Block::iterator end);
  Value firstOfRow();
  Value lastOfRow();
  Value rowIndex();
  Value carry(mlir::Location loc, mlir::Type type, Value init, bool row);
  Value heldInRow(mlir::Location loc, Value value);
  Value guarded(mlir::Location loc, Value predicate);

  // Nodes
  void translate(mlir::Operation &op);
  void compute(ComputeOp op);
  void access(AccessOpInterface op);
  void streamRead(StreamReadOp op, const Position &position);
  template <typename OpT> OpT write(OpT op, const Position &position);
  template <typename OpT> void vrf(OpT op, Position position);
  Position positionOf(AccessOpInterface op);
  void fillStreamGaps();
  mlir::Value indexValue(LoopOp loop);
  mlir::Value valueOf(mlir::Value value);
  mlir::Value fold(ComputeOp op, llvm::ArrayRef<mlir::Value> inputs);
  unsigned row = acis::nest::None; ///< the level that the sequencer counts in the outermost one
  LoopOp outer, inner;             ///< of the sequencer; `inner` may be null
  bool isFlat = false;             ///< the outer loop has more in it than `inner`
  Part part = Part::Inside;
  Value isFirst, isLast, counter;                ///< of the row, once they are needed
  llvm::SmallVector<CarryOp> rowCarries;         ///< by carried value of `inner`; null: passed on
  llvm::StringSet<> changed;                     ///< arrays that a row writes before its end
  Values values;                                 ///< of the iteration being translated
  llvm::DenseMap<mlir::Value, int64_t> unrolled; ///< indices of unrolled loops
  llvm::SmallVector<CarryOp> carries;            ///< by carried value of `outer`
  llvm::SmallVector<Value> nexts;                ///< what they carry on
  llvm::SmallVector<StreamReadOp> reads;         ///< of the graph, one per position
};

} // namespace acis::dfg
