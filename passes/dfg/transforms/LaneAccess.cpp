// Translation of accesses: which ones are whole beats, and where a lane of one is meant.
#include "passes/dfg/Ranges.h"
#include "passes/dfg/Refuse.h"
#include "passes/dfg/transforms/LaneBuilder.h"
#include "passes/dfg/transforms/NewAccess.h"

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

Position LaneBuilder::positionOf(const Steps &steps) {
  Position position = steps.rest;
  if (LoopOp rolled = shape.rolled)
    position.substitute(rolled.getIndex(), graph.getVpe(), 1, 0);
  bool twoLevels = steps.loops.size() == 2;
  if (twoLevels && steps.loops[1])
    position.terms.push_back({steps.loops[1], graph.getI0(), {}});
  if (!steps.loops.empty() && steps.loops[0])
    position.terms.push_back({steps.loops[0], graph.getI1(), {}});
  // Constants of the nest have to be visible in the graph.
  position.simplify();
  return position;
}

LogicalResult LaneBuilder::planStreams() {
  SmallVector<AccessOpInterface> readOps, writeOps;
  nest.walk([&](AccessOpInterface op) {
    if (mlir::isa<StreamReadOp>(op.getOperation()))
      readOps.push_back(op);
    else if (mlir::isa<StreamWriteOp>(op.getOperation()))
      writeOps.push_back(op);
  });
  FailureOr<StreamPlan> readPlan = planStream(readOps, shape);
  if (failed(readPlan))
    return failure();
  FailureOr<StreamPlan> writePlan = planStream(writeOps, shape);
  if (failed(writePlan))
    return failure();
  reads = std::move(*readPlan);
  writes = std::move(*writePlan);
  return success();
}

LogicalResult LaneBuilder::checkPlace(Operation *op) {
  if (shape.runsEachIteration(op->getBlock()) || mlir::isa<StreamReadOp>(op))
    return success();
  // A read outside of the inner loop may be repeated in it if nothing writes there.
  bool written = false;
  nest.walk([&](Operation *other) {
    written |= mlir::isa<MemReadOp>(op) && mlir::isa<MemWriteOp>(other);
    if (auto write = dyn_cast<VrfWriteOp>(other))
      written |= mlir::isa<VrfReadOp>(op) && arrayOf(write) == arrayOf(op);
  });
  if (mlir::isa<MemReadOp, VrfReadOp>(op) && !written)
    return success();
  return refuse(op->getLoc(), Refusal(Why::AccessBesideLanes));
}

LogicalResult LaneBuilder::access(AccessOpInterface op) {
  if (failed(checkPlace(op)))
    return failure();
  Operation *raw = op.getOperation();
  if (auto read = dyn_cast<StreamReadOp>(raw)) {
    if (beats.empty())
      for (StreamBeat &beat : reads.beats) {
        OperationState state =
            newAccess(beat.first.getLoc(), StreamReadOp::getOperationName(), builder);
        state.addTypes(beatOf(valueType(beat.first)));
        auto made = cast<StreamReadOp>(builder.create(state));
        AccessOpInterface first = beat.first;
        Steps steps = constantSteps(first.getPosition(), shape);
        steps.rest.offset = beat.offset;
        setUp(made, first, positionOf(steps), "origin");
        made.setSplat(reads.splat);
        beats.push_back(made);
      }
    StreamUse use = reads.uses.lookup(raw);
    LaneValue::Kind kind = reads.splat     ? LaneValue::All
                           : use.lane >= 0 ? LaneValue::One
                                           : LaneValue::Lanes;
    values[read.getResult()] = {kind, beats[use.beat], std::max(use.lane, 0)};
    return success();
  }
  if (auto write = dyn_cast<StreamWriteOp>(raw))
    return streamWrite(write);
  if (auto read = dyn_cast<MemReadOp>(raw))
    return memRead(read);
  if (auto write = dyn_cast<MemWriteOp>(raw))
    return memWrite(write);
  if (auto read = dyn_cast<VrfReadOp>(raw))
    return vrf(read);
  return vrf(cast<VrfWriteOp>(raw));
}

LogicalResult LaneBuilder::streamWrite(StreamWriteOp op) {
  FailureOr<LaneValue> value = valueOf(op.getValue());
  if (failed(value))
    return failure();
  OperationState state = newWrite(op.getLoc(), StreamWriteOp::getOperationName(),
                                  operand(*value, op.getLoc()), {}, builder);
  auto made = cast<StreamWriteOp>(builder.create(state));
  setUp(made, op, positionOf(constantSteps(op.getPosition(), shape)), "origin");
  return success();
}

LogicalResult LaneBuilder::memRead(MemReadOp op) {
  FailureOr<Steps> steps = stepsOf(op, shape);
  if (failed(steps))
    return failure();
  int64_t bytes = elementBytes(op);
  if (steps->lane != bytes && steps->lane != 0)
    return refuse(op.getLoc(), Refusal(Why::LanesReadApart, steps->lane, bytes));
  OperationState state = newAccess(op.getLoc(), MemReadOp::getOperationName(), builder);
  state.addTypes(beatOf(op.getType()));
  auto made = cast<MemReadOp>(builder.create(state));
  setUp(made, op, positionOf(*steps), "origin");
  made.setSplat(steps->lane == 0);
  values[op.getResult()] = {steps->lane ? LaneValue::Lanes : LaneValue::All, made};
  return success();
}

/// What a write writes, and its condition, if it has one.
template <typename OpT> LogicalResult LaneBuilder::written(OpT op, Value &data, Value &predicate) {
  FailureOr<LaneValue> value = valueOf(op.getValue());
  if (failed(value))
    return failure();
  data = operand(*value, op.getLoc());
  if (!op.getPredicate())
    return success();
  FailureOr<LaneValue> flag = valueOf(op.getPredicate());
  if (failed(flag))
    return failure();
  predicate = operand(*flag, op.getLoc());
  return success();
}

LogicalResult LaneBuilder::memWrite(MemWriteOp op) {
  FailureOr<Steps> steps = stepsOf(op, shape);
  if (failed(steps))
    return failure();
  if (steps->lane != elementBytes(op))
    return refuse(op.getLoc(), Refusal(Why::LanesWriteApart, steps->lane, elementBytes(op)));
  Value data, predicate;
  if (failed(written(op, data, predicate)))
    return failure();
  OperationState state =
      newWrite(op.getLoc(), MemWriteOp::getOperationName(), data, predicate, builder);
  auto made = cast<MemWriteOp>(builder.create(state));
  setUp(made, op, positionOf(*steps), "origin");
  return success();
}

// Every access of an array is a beat: all steps but the lane's are multiples of vf.
LogicalResult LaneBuilder::checkBeats(AccessOpInterface op, const Steps &steps, bool laneMayStand) {
  ArrayOp array = arrayOf(op);
  StringRef name = array.getSymName();
  if (steps.lane != 1 && !(steps.lane == 0 && laneMayStand))
    return refuse(op.getLoc(),
                  Refusal(Why::LanesIndexApart, name, steps.lane,
                          laneMayStand ? " (adjacent) or 0 (one element)" : ": adjacent elements"));
  auto misaligned = [&](int64_t by) {
    return refuse(op.getLoc(), Refusal(Why::LanesMisaligned, name, by, shape.vf));
  };
  for (int64_t step : steps.loops)
    if (step % int64_t(shape.vf))
      return misaligned(step);
  for (const Term &term : steps.rest.terms)
    if (term.scale % int64_t(shape.vf))
      return misaligned(term.scale);
  if (steps.lane != 0 && steps.rest.offset % int64_t(shape.vf))
    return refuse(op.getLoc(), Refusal(Why::LanesBeginInBeat, name, steps.rest.offset, shape.vf));
  return success();
}

FailureOr<LaneValue> LaneBuilder::scaledIndex(Operation *op, Value index, int64_t scale) {
  FailureOr<LaneValue> value = valueOf(index);
  if (failed(value))
    return failure();
  int64_t vf = shape.vf;
  if (scale <= 0 || scale % vf)
    return refuse(op->getLoc(), Refusal(Why::LanesIndexed, arrayOf(op).getSymName(), scale, vf));
  int64_t beatsPerStep = scale / vf;
  if (value->kind == LaneValue::Scalar)
    *value = {LaneValue::All, make(op->getLoc(), OpKind::Mov, index.getType(), value->value)};
  if (beatsPerStep != 1) {
    bool shift = llvm::isPowerOf2_64(beatsPerStep);
    Value amount = constant(op->getLoc(), elementOf(value->value.getType()),
                            shift ? llvm::Log2_64(beatsPerStep) : beatsPerStep);
    value->value = make(op->getLoc(), shift ? OpKind::Shl : OpKind::Mul, value->value.getType(),
                        {value->value, amount});
  }
  if (needsSign(value->value, shape.laneBits))
    value->value = make(op->getLoc(), OpKind::Sext, builder.getI64Type(), value->value);
  return value;
}

template <typename OpT> LogicalResult LaneBuilder::vrf(OpT op) {
  constexpr bool isRead = std::is_same_v<OpT, VrfReadOp>;
  FailureOr<Steps> steps = stepsOf(op, shape);
  if (failed(steps) || failed(checkBeats(op, *steps, /*laneMayStand=*/isRead)))
    return failure();
  // One element for all lanes: its beat, and the lane that it is in.
  int64_t vf = shape.vf;
  int64_t element = ((steps->rest.offset % vf) + vf) % vf;
  if (steps->lane == 0)
    steps->rest.offset -= element;
  Location loc = op.getLoc();
  Value index, data, predicate;
  LaneValue indexIs;
  if (op.getIndex()) {
    FailureOr<LaneValue> scaled = scaledIndex(op, op.getIndex(), *op.getIndexScale());
    if (failed(scaled))
      return failure();
    indexIs = *scaled;
    index = scaled->value;
  }
  if constexpr (!isRead)
    if (failed(written(op, data, predicate)))
      return failure();
  ArrayOperands operands{{}, data, index, predicate};
  if constexpr (isRead)
    operands.read = beatOf(op.getType());
  OperationState state =
      newArrayAccess(loc, OpT::getOperationName(),
                     FlatSymbolRefAttr::get(op.getContext(), op.getArray()), operands, builder);
  ArrayOp array = arrayOf(op);
  if (!shape.rolled)
    state.addAttribute(
        "pe", builder.getI32IntegerAttr(array.getPerVpe() ? *op.getVpeOffset() : *array.getHome()));
  if (index) {
    state.addAttribute("index_scale", builder.getI64IntegerAttr(vf));
    if (indexIs.kind == LaneValue::One)
      state.addAttribute("lane", builder.getI32IntegerAttr(indexIs.lane));
    else if (indexIs.kind == LaneValue::All) // the same in each lane
      state.addAttribute("lane", builder.getI32IntegerAttr(0));
  }
  auto made = cast<OpT>(builder.create(state));
  setUp(made, op, positionOf(*steps), "origin");
  if constexpr (isRead)
    values[op.getResult()] = steps->lane ? LaneValue{LaneValue::Lanes, made}
                                         : LaneValue{LaneValue::One, made, int(element)};
  return success();
}
