// What lanes and elements have in common when a graph is built of a described nest: the graph
// itself, nodes, and accesses that are copies of the nest's.
#pragma once

#include "passes/dfg/transforms/DescribeNest.h"

#include "mlir/IR/Builders.h"

namespace acis::dfg {

class GraphBuilder {
protected:
  /// `factor`: elements of a beat, 1 for elements.
  GraphBuilder(const DescribedNest &about, unsigned factor)
      : about(about), factor(factor), nest(about.op), builder(about.op) {}

  /// In front of the end of the nest. `counted` is the sequencer's outer loop, or null: one
  /// iteration; `per`: its iterations in one of the graph.
  GraphOp createGraph(LoopOp counted, uint64_t inner, unsigned per, mlir::TypeRange results);

  mlir::VectorType beatOf(mlir::Type type) const {
    return mlir::VectorType::get({int64_t(factor)}, elementOf(type));
  }
  mlir::Value make(mlir::Location loc, OpKind kind, mlir::Type type, mlir::ValueRange inputs,
                   std::optional<int32_t> immediate = {});
  mlir::Value constant(mlir::Location loc, mlir::Type type, int64_t value);
  /// `value` / `by`, or the remainder, by operations that cost little if `by` is a power of two.
  mlir::Value divide(mlir::Location loc, mlir::Value value, int64_t by, bool remainder);
  /// `index` * `by`, as an address generator takes it.
  mlir::Value scaled(mlir::Location loc, mlir::Value index, int64_t by);

  /// The access in the graph.
  template <typename OpT> OpT copy(OpT op, const Position &at);
  template <typename OpT>
  OpT copyWrite(OpT op, const Position &at, mlir::Value data, mlir::Value predicate);
  /// Makes a copy of an access of an array one that the graph knows: with `index`, if it is not
  /// null, and the PE.
  template <typename OpT> OpT onArray(OpT made, mlir::Value index);

  const DescribedNest &about;
  const unsigned factor;
  NestOp nest;
  mlir::OpBuilder builder;
  GraphOp graph;
};

template <typename OpT> OpT GraphBuilder::copy(OpT op, const Position &at) {
  auto made = cast<OpT>(builder.clone(*op));
  made.setPosition(at);
  if (made->getNumResults())
    made->getResult(0).setType(beatOf(valueType(op)));
  if (factor == 1) // elements are no copies for VPEs
    made->removeAttr("origin");
  return made;
}

template <typename OpT>
OpT GraphBuilder::copyWrite(OpT op, const Position &at, mlir::Value data, mlir::Value predicate) {
  OpT made = copy(op, at);
  made.getValueMutable().assign(data);
  made.getPredicateMutable().assign(predicate ? mlir::ValueRange(predicate) : mlir::ValueRange());
  return made;
}

template <typename OpT> OpT GraphBuilder::onArray(OpT made, mlir::Value index) {
  ArrayOp array = arrayOf(made);
  if (!about.rolled)
    made.setPe(array.getPerVpe() ? int32_t(*made.getVpeOffset()) : int32_t(*array.getHome()));
  made.getVpeMutable().clear();
  made.removeVpeOffsetAttr();
  made.getIndexMutable().assign(index ? mlir::ValueRange(index) : mlir::ValueRange());
  if (index)
    made.setIndexScale(factor);
  else
    made.removeIndexScaleAttr();
  return made;
}

} // namespace acis::dfg
