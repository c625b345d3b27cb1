// Builds the graph of a nest whose iterations are one element each: what one iteration
// computes from the one before, single elements of arrays, single elements of streams.
#pragma once

#include "passes/dfg/DfgDialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace acis::dfg {

/// Nodes of one graph beyond which inner loops are not unrolled.
inline constexpr int64_t MaxUnrolledNodes = 768;

class ElementBuilder {
public:
  /// `laneBits`: width of the containers of the nest's arrays and values.
  ElementBuilder(NestOp nest, unsigned laneBits) : nest(nest), laneBits(laneBits), builder(nest) {}

  /// Replaces the nest's loops by a scalar graph: the outermost loop, and the one in it if
  /// they are perfectly nested or it is marked `flatten`, become the sequencer's; loops
  /// further in are unrolled. Emits an error and fails where it cannot.
  mlir::LogicalResult run();

private:
  using Value = mlir::Value;
  using Values = llvm::DenseMap<mlir::Value, mlir::Value>;

  // Structure
  mlir::LogicalResult chooseLevels();
  bool isPassedOn(LoopOp outer, LoopOp inner) const;
  mlir::LogicalResult checkSize();
  GraphOp createGraph();
  mlir::LogicalResult openCarried();
  mlir::LogicalResult translateBlock(mlir::Block *block);
  mlir::LogicalResult unroll(LoopOp loop);
  void finish();

  // Two loops as one, the outer one's parts under conditions: FlattenNest.cpp
  enum class Part { Before, Inside, After };
  mlir::LogicalResult flatten();
  void openRow();
  void closeRow();
  mlir::LogicalResult translatePart(Part which, mlir::Block::iterator begin,
                                    mlir::Block::iterator end);
  Value firstOfRow();
  Value lastOfRow();
  Value rowIndex();
  Value carry(mlir::Location loc, mlir::Type type, Value init, bool row);
  Value heldInRow(mlir::Location loc, Value value);
  Value guarded(mlir::Location loc, Value predicate);
  bool isPassedOn(unsigned number, unsigned innerNumber);

  /// Whether the graph has one iteration.
  bool isOnce() { return !inner && outer.getConstantTrip().value_or(2) <= 1; }

  // Nodes
  mlir::LogicalResult translate(mlir::Operation &op);
  mlir::LogicalResult compute(ComputeOp op);
  mlir::LogicalResult access(AccessOpInterface op);
  mlir::LogicalResult streamRead(StreamReadOp op, const Position &position);
  void streamWrite(StreamWriteOp op, const Position &position);
  template <typename OpT> void write(OpT op, const Position &position);
  template <typename OpT> mlir::LogicalResult vrf(OpT op, Position position);
  mlir::FailureOr<Position> positionOf(AccessOpInterface op);
  mlir::LogicalResult fillStreamGaps();
  mlir::LogicalResult checkStreamWrites();
  mlir::Value indexValue(LoopOp loop);
  mlir::Value valueOf(mlir::Value value);
  mlir::Value fold(ComputeOp op, llvm::ArrayRef<mlir::Value> inputs);
  mlir::Value make(mlir::Location loc, OpKind kind, mlir::Type type, mlir::ValueRange inputs);
  mlir::Value constant(mlir::Location loc, mlir::Type type, int64_t value);
  mlir::VectorType elementOf(mlir::Type type) const { return mlir::VectorType::get({1}, type); }

  NestOp nest;
  unsigned laneBits;
  mlir::OpBuilder builder;
  LoopOp outer, inner; ///< of the sequencer; `inner` may be null
  bool isFlat = false; ///< the outer loop has more in it than `inner`
  Part part = Part::Inside;
  Value isFirst, isLast, counter;        ///< of the row, once they are needed
  llvm::SmallVector<CarryOp> rowCarries; ///< by carried value of `inner`; null: passed on
  llvm::StringSet<> changed;             ///< arrays that a row writes before its end
  GraphOp graph;
  Values values;                                 ///< of the iteration being translated
  llvm::DenseMap<mlir::Value, int64_t> unrolled; ///< indices of unrolled loops
  llvm::SmallVector<CarryOp> carries;            ///< by carried value of `outer`
  llvm::SmallVector<Value> nexts;                ///< what they carry on
  llvm::SmallVector<StreamReadOp> reads;         ///< of the graph, one per position
  int64_t written = 0, writeStep = 0;            ///< bytes of the output stream
  std::optional<mlir::Location> lastWrite;
};

} // namespace acis::dfg
