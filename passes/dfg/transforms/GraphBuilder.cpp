// See GraphBuilder.h.
#include "passes/dfg/transforms/GraphBuilder.h"

#include "passes/dfg/Ranges.h"

using namespace mlir;
using namespace acis::dfg;

GraphOp GraphBuilder::createGraph(LoopOp counted, uint64_t inner, unsigned per, TypeRange results) {
  OperationState state(nest.getLoc(), GraphOp::getOperationName());
  if (counted && counted.getTrip())
    state.addOperands(counted.getTrip());
  else
    state.addAttribute("constant_trip",
                       builder.getI64IntegerAttr(counted ? *counted.getConstantTrip() : 1));
  if (IntegerAttr most = counted ? counted.getMostTripAttr() : IntegerAttr())
    state.addAttribute("most_trip", most);
  state.addAttribute("inner", builder.getI32IntegerAttr(int32_t(inner)));
  state.addAttribute("per", builder.getI32IntegerAttr(int32_t(per)));
  state.addAttribute("vf", builder.getI32IntegerAttr(int32_t(factor)));
  state.addAttribute("lane_bits", builder.getI32IntegerAttr(int32_t(about.laneBits)));
  state.addTypes(results);
  Block &block = state.addRegion()->emplaceBlock();
  block.addArguments({builder.getI32Type(), builder.getI32Type()}, {nest.getLoc(), nest.getLoc()});
  if (LoopOp rolled = about.rolled) {
    block.addArgument(builder.getI32Type(), nest.getLoc());
    state.addAttribute("vpes", builder.getI32IntegerAttr(int32_t(*rolled.getConstantTrip())));
  }
  builder.setInsertionPoint(nest.getBody().front().getTerminator());
  graph = cast<GraphOp>(builder.create(state));
  builder.setInsertionPointToEnd(graph.getBlock());
  return graph;
}

Value GraphBuilder::make(Location loc, OpKind kind, Type type, ValueRange inputs,
                         std::optional<int32_t> immediate) {
  auto op = ComputeOp::create(builder, loc, beatOf(type), kind, inputs);
  if (immediate)
    op.setImmediate(*immediate);
  return op;
}

Value GraphBuilder::constant(Location loc, Type type, int64_t value) {
  return ConstOp::create(builder, loc,
                         cast<TypedAttr>(Attribute(builder.getIntegerAttr(type, value))));
}

Value GraphBuilder::divide(Location loc, Value value, int64_t by, bool remainder) {
  if (by == 1 && !remainder)
    return value;
  Type type = builder.getI32Type();
  if (llvm::isPowerOf2_64(by))
    return make(loc, remainder ? OpKind::And : OpKind::Lshr, type,
                {value, constant(loc, type, remainder ? by - 1 : llvm::Log2_64(by))});
  return make(loc, remainder ? OpKind::Urem : OpKind::Udiv, type, {value, constant(loc, type, by)});
}

Value GraphBuilder::scaled(Location loc, Value index, int64_t by) {
  Type type = elementOf(index.getType());
  if (by != 1) {
    const bool shift = by > 0 && llvm::isPowerOf2_64(uint64_t(by));
    index = make(loc, shift ? OpKind::Shl : OpKind::Mul, type,
                 {index, constant(loc, type, shift ? llvm::Log2_64(uint64_t(by)) : by)});
  } else if (!mlir::isa<VectorType>(index.getType())) {
    index = make(loc, OpKind::Mov, type, index);
  }
  return needsSign(index, about.laneBits) ? make(loc, OpKind::Sext, builder.getI64Type(), index)
                                          : index;
}
