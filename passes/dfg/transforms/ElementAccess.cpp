// Accesses of a loop that runs one element per iteration.
#include "passes/dfg/Ranges.h"
#include "passes/dfg/Refuse.h"
#include "passes/dfg/transforms/ElementBuilder.h"
#include "passes/dfg/transforms/NewAccess.h"
#include "passes/dfg/transforms/StreamPlan.h"

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

constexpr int64_t MaxStreamElements = 64; ///< that one iteration reads

// Sequencer loops become %i0 and %i1, unrolled ones numbers.
FailureOr<Position> ElementBuilder::positionOf(AccessOpInterface op) {
  Position position = op.getPosition();
  for (LoopOp loop = op->getParentOfType<LoopOp>(); loop; loop = loop->getParentOfType<LoopOp>()) {
    Value index = loop.getIndex();
    if (auto number = unrolled.find(index);
        number != unrolled.end() && loop != outer && loop != inner) {
      position.substitute(index, {}, 0, number->second);
      continue;
    }
    if (position.productWith(index))
      return refuse(op.getLoc(), Refusal(Why::StrideNotConstant));
    position.substitute(index, loop == inner ? graph.getI0() : graph.getI1(), 1, 0);
  }
  position.simplify();
  return position;
}

// Two reads of one position are one pop.
LogicalResult ElementBuilder::streamRead(StreamReadOp op, const Position &position) {
  for (StreamReadOp read : reads)
    if (read.getPosition() == position && acis::dfg::elementOf(read.getType()) == op.getType() &&
        read.getElem() == op.getElem() && read.getIsSigned() == op.getIsSigned()) {
      values[op.getResult()] = read;
      return success();
    }
  OperationState state = newAccess(op.getLoc(), StreamReadOp::getOperationName(), builder);
  state.addTypes(elementOf(op.getType()));
  auto made = cast<StreamReadOp>(builder.create(state));
  setUp(made, op, position, "append");
  reads.push_back(made);
  values[op.getResult()] = made;
  return success();
}

// An iteration has to write as much as the position moves by.
LogicalResult ElementBuilder::checkStreamWrites() {
  if (!lastWrite || isOnce() || writeStep == written)
    return success();
  return refuse(*lastWrite, Refusal(Why::WritesPart, writeStep, written));
}

// Elements between those that the iteration wants are popped too; behind the last one the
// packet may end.
LogicalResult ElementBuilder::fillStreamGaps() {
  if (reads.empty())
    return success();
  llvm::SmallDenseSet<int64_t> offsets;
  int64_t least = INT64_MAX, most = INT64_MIN, bytes = elementBytes(reads[0]);
  for (StreamReadOp read : reads) {
    int64_t offset = read.getPosition().offset;
    offsets.insert(offset);
    least = std::min(least, offset);
    most = std::max(most, offset);
  }
  Position first = reads[0].getPosition();
  int64_t step = first.coefficient(inner ? Value(graph.getI0()) : Value(graph.getI1()));
  if (isOnce())
    step = most + bytes - least;
  if (step != most + bytes - least || step % bytes || step / bytes > MaxStreamElements)
    return refuse(reads[0].getLoc(), Refusal(Why::ReadsPart, step, most + bytes - least));
  for (int64_t at = least; at < least + step; at += bytes) {
    if (offsets.contains(at))
      continue;
    auto copy = cast<StreamReadOp>(builder.clone(*reads[0]));
    Position position = first;
    position.offset = at;
    copy.setPosition(position);
  }
  return success();
}

template <typename OpT> LogicalResult ElementBuilder::vrf(OpT op, Position position) {
  constexpr bool isRead = std::is_same_v<OpT, VrfReadOp>;
  Location loc = op.getLoc();
  Value data, predicate, index;
  if (op.getIndex()) {
    index = valueOf(op.getIndex());
    int64_t scale = *op.getIndexScale();
    if (std::optional<int64_t> number = constantOf(index)) {
      position.offset += *number * scale;
      index = {};
    } else if (scale != 1) {
      Type type = acis::dfg::elementOf(index.getType());
      bool shift = scale > 0 && llvm::isPowerOf2_64(uint64_t(scale));
      index = make(loc, shift ? OpKind::Shl : OpKind::Mul, type,
                   {index, constant(loc, type, shift ? llvm::Log2_64(scale) : scale)});
    } else if (!mlir::isa<VectorType>(index.getType())) {
      index = make(loc, OpKind::Mov, index.getType(), index);
    }
    if (index && needsSign(index, laneBits))
      index = make(loc, OpKind::Sext, builder.getI64Type(), index);
  }
  if constexpr (!isRead) {
    data = valueOf(op.getValue());
    predicate = guarded(loc, op.getPredicate() ? valueOf(op.getPredicate()) : Value());
  }
  ArrayOperands operands{{}, data, index, predicate};
  if constexpr (isRead)
    operands.read = elementOf(op.getType());
  OperationState state =
      newArrayAccess(loc, OpT::getOperationName(),
                     FlatSymbolRefAttr::get(op.getContext(), op.getArray()), operands, builder);
  ArrayOp array = arrayOf(op);
  state.addAttribute("pe", builder.getI32IntegerAttr(
                               int32_t(array.getPerVpe() ? *op.getVpeOffset() : *array.getHome())));
  if (index)
    state.addAttribute("index_scale", builder.getI64IntegerAttr(1));
  auto made = cast<OpT>(builder.create(state));
  setUp(made, op, position, "append");
  if constexpr (isRead)
    values[op.getResult()] = part == Part::Before && changed.contains(op.getArray())
                                 ? heldInRow(loc, made)
                                 : Value(made);
  return success();
}

void ElementBuilder::streamWrite(StreamWriteOp op, const Position &position) {
  if (!op.getAppend()) {
    written += elementBytes(op);
    writeStep = position.coefficient(inner ? Value(graph.getI0()) : Value(graph.getI1()));
    lastWrite = op.getLoc();
  }
  write(op, position);
}

/// A stream or the memory.
template <typename OpT> void ElementBuilder::write(OpT op, const Position &position) {
  Value data = valueOf(op.getValue());
  Value predicate = guarded(op.getLoc(), op.getPredicate() ? valueOf(op.getPredicate()) : Value());
  OperationState state = newWrite(op.getLoc(), OpT::getOperationName(), data, predicate, builder);
  setUp(cast<OpT>(builder.create(state)), op, position, "append");
}

LogicalResult ElementBuilder::access(AccessOpInterface op) {
  FailureOr<Position> position = positionOf(op);
  if (failed(position))
    return failure();
  Operation *raw = op.getOperation();
  if (auto read = dyn_cast<StreamReadOp>(raw))
    return streamRead(read, *position);
  if (auto read = dyn_cast<VrfReadOp>(raw))
    return vrf(read, *position);
  if (auto write = dyn_cast<VrfWriteOp>(raw))
    return vrf(write, *position);
  if (auto read = dyn_cast<MemReadOp>(raw)) {
    OperationState state = newAccess(op.getLoc(), MemReadOp::getOperationName(), builder);
    state.addTypes(elementOf(read.getType()));
    auto made = cast<MemReadOp>(builder.create(state));
    setUp(made, op, *position, "append");
    values[read.getResult()] = made;
    return success();
  }
  if (auto sent = dyn_cast<StreamWriteOp>(raw))
    streamWrite(sent, *position);
  else
    write(cast<MemWriteOp>(raw), *position);
  return success();
}
