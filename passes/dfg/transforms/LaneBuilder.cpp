// Translation of a nest: structure, values and operations. Accesses: LaneAccess.cpp.
#include "passes/dfg/transforms/LaneBuilder.h"
#include "passes/dfg/Refuse.h"

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

LogicalResult LaneBuilder::run() {
  if (failed(classifyAll()))
    return failure();
  openGraph();
  LoopOp outermost = about.rolled ? about.rolled : about.loops.front();
  if (failed(translateBlock(outermost.getBlock())) || failed(finish(graph)))
    return failure();
  return success();
}

// Numbers the updates of reductions; carried values of inner loops that are not passed
// in from the outermost one stay unknown and are refused where they are used.
LogicalResult LaneBuilder::classifyAll() {
  LoopOp outermost = about.loops.front();
  for (unsigned number = 0; number < outermost.getNumResults(); ++number) {
    FailureOr<Carried> kind = classify(outermost, number);
    if (failed(kind))
      return failure();
    if (kind->kind == Carried::Reduction)
      reductionOf[kind->update.getResult()] = number;
    carried.push_back(*kind);
  }
  return success();
}

void LaneBuilder::openGraph() {
  LoopOp first = lanes.sequencer.empty() ? LoopOp() : about.loops[lanes.sequencer[0].level];
  const bool stripOnly = lanes.sequencer.size() == 1 && lanes.hasStrips;
  SmallVector<Type> results;
  for (auto [kind, type] : llvm::zip(carried, LoopOp(about.loops.front()).getResultTypes()))
    if (kind.kind == Carried::Reduction)
      results.push_back(type);
  createGraph(first, lanes.innerCount(), stripOnly ? factor : 1, results);
}

LogicalResult LaneBuilder::translateBlock(Block *block) {
  for (Operation &op : block->without_terminator()) {
    if (auto loop = dyn_cast<LoopOp>(op)) {
      if (failed(translateBlock(loop.getBlock())))
        return failure();
    } else if (failed(translate(op))) {
      return failure();
    }
  }
  return success();
}

LogicalResult LaneBuilder::translate(Operation &op) {
  if (mlir::isa<ConstOp>(op) || !done.insert(&op).second)
    return success();
  if (auto node = dyn_cast<ComputeOp>(op))
    return compute(node);
  return access(cast<AccessOpInterface>(op));
}

// A carried value is needed before its operations had their turn; a read must not pass
// a write in front of it then.
LogicalResult LaneBuilder::checkEarly(Operation *op) {
  if (done.contains(op) || !mlir::isa<VrfReadOp, MemReadOp>(op))
    return success();
  for (Operation &before : *op->getBlock()) {
    if (&before == op)
      return success();
    bool writes = mlir::isa<MemReadOp>(op)
                      ? mlir::isa<MemWriteOp>(before)
                      : mlir::isa<VrfWriteOp>(before) && arrayOf(&before) == arrayOf(op);
    if (writes && !done.contains(&before))
      return refuse(op->getLoc(), Refusal(Why::ReadAfterWrite));
  }
  return success();
}

FailureOr<LaneValue> LaneBuilder::valueOf(Value value) {
  if (auto known = values.find(value); known != values.end())
    return known->second;
  LaneValue result;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *owner = argument.getOwner()->getParentOp();
    auto loop = dyn_cast<LoopOp>(owner);
    FailureOr<LaneValue> made =
        !loop ? FailureOr<LaneValue>(LaneValue{LaneValue::Scalar, value})
        : loop.getIndex() == argument
            ? indexValue(loop)
            : earlier(argument, loop.getInits()[argument.getArgNumber() - 1]);
    if (failed(made))
      return failure();
    result = *made;
  } else if (auto constant = value.getDefiningOp<ConstOp>()) {
    result = {LaneValue::Scalar, builder.clone(*constant)->getResult(0)};
  } else {
    Operation *from = value.getDefiningOp();
    if (mlir::isa<LoopOp>(from))
      return refuse(from->getLoc(), Refusal(Why::InnerResultUsed));
    if (failed(checkEarly(from)) || failed(translate(*from)))
      return failure();
    // An operation that is still being translated needs its own result.
    auto made = values.find(value);
    if (made == values.end())
      return refuse(value.getLoc(), Refusal(Why::ValueOfItself));
    return made->second;
  }
  values[value] = result;
  return result;
}

Value LaneBuilder::operand(const LaneValue &value, Location loc) {
  if (value.kind != LaneValue::One)
    return value.value;
  return make(loc, OpKind::Lane, value.value.getType(), value.value, value.lane);
}

void LaneBuilder::copyOrigin(Operation *from, Operation *to) {
  if (Attribute origin = from->getAttr("origin"))
    to->setAttr("origin", origin);
}

// The index of a loop as a value, from the element number iteration * vf + lane.
FailureOr<LaneValue> LaneBuilder::indexValue(LoopOp loop) {
  Location loc = loop.getLoc();
  Type type = builder.getI32Type();
  Value element = make(loc, OpKind::Iota, type, {});
  int64_t inner = int64_t(lanes.innerCount());
  bool twoLevels = lanes.sequencer.size() == 2;
  if (loop == laneLoop()) {
    if (lanes.hasStrips && !twoLevels)
      return LaneValue{LaneValue::Lanes, element};
    return LaneValue{LaneValue::Lanes,
                     divide(loc, element, int64_t(factor) * (lanes.hasStrips ? inner : 1), true)};
  }
  for (auto [level, entry] : llvm::enumerate(lanes.sequencer)) {
    if (about.loops[entry.level] != loop || !entry.merged.empty())
      continue;
    Value iteration = divide(loc, element, int64_t(factor), false);
    if (!twoLevels)
      return LaneValue{LaneValue::All, iteration};
    return LaneValue{LaneValue::All, divide(loc, iteration, inner, /*remainder=*/level == 1)};
  }
  return refuse(loc, Refusal(Why::MergedIndexUsed));
}

// A carried value that is some value of the iteration before: the beat shifted by one
// lane, filled up from the beat before.
FailureOr<LaneValue> LaneBuilder::earlier(BlockArgument argument, Value init) {
  auto loop = cast<LoopOp>(argument.getOwner()->getParentOp());
  Location loc = argument.getLoc();
  StringRef name = nameOf(loc, "s");
  if (about.loops.size() != 1 || !lanes.hasStrips)
    return refuse(loc, Refusal(Why::CarriedInNest, name));
  if (!open.insert(argument).second)
    return refuse(loc, Refusal(Why::DependsOnItself, name));
  FailureOr<LaneValue> next =
      valueOf(loop.getBlock()->getTerminator()->getOperand(argument.getArgNumber() - 1));
  open.erase(argument);
  FailureOr<LaneValue> start = valueOf(init);
  if (failed(next) || failed(start))
    return failure();
  Value beat = operand(*next, loc);
  if (!mlir::isa<VectorType>(beat.getType()))
    beat = make(loc, OpKind::Mov, beat.getType(), beat);
  int32_t distance = 1;
  auto constant = start->value.getDefiningOp<ConstOp>();
  bool zero = constant && constant.getValue() == builder.getZeroAttr(constant.getType());
  // A slide of a slide is a longer slide; only the zeros before the start stay zeros.
  auto slid = beat.getDefiningOp<ComputeOp>();
  if (zero && slid && slid.getOp() == OpKind::Slide && *slid.getImmediate() < int64_t(factor)) {
    beat = slid.getInputs()[0];
    distance = int32_t(*slid.getImmediate()) + 1;
  }
  auto slide = ComputeOp::create(builder, loc, beatOf(beat.getType()), OpKind::Slide,
                                 ValueRange{beat, beat});
  slide.setImmediate(distance);
  slide.setDistances(ArrayRef<int32_t>{0, 1});
  if (zero)
    return LaneValue{LaneValue::Lanes, slide};
  Type index = builder.getI32Type();
  Value element = make(loc, OpKind::Iota, index, {});
  Value isFirst =
      make(loc, OpKind::Eq, builder.getI1Type(), {element, this->constant(loc, index, 0)});
  return LaneValue{LaneValue::Lanes, make(loc, OpKind::Select, beat.getType(),
                                          {isFirst, operand(*start, loc), slide})};
}

LogicalResult LaneBuilder::compute(ComputeOp op) {
  if (auto number = reductionOf.find(op.getResult()); number != reductionOf.end()) {
    Carried &kind = carried[number->second];
    FailureOr<LaneValue> value = valueOf(kind.contributed);
    if (failed(value))
      return failure();
    if (op->getBlock() != laneLoop().getBlock())
      return refuse(op.getLoc(), Refusal(Why::ReductionBetween));
    // The order of a sum is that of the lanes.
    if (op.getOp() == OpKind::Fadd && bitsOf(op.getType()) < about.laneBits)
      return refuse(op.getLoc(), Refusal(Why::SumOfNarrow));
    auto reduce = ReduceOp::create(builder, op.getLoc(), op.getType(), op.getOp(),
                                   operand(*value, op.getLoc()),
                                   identityOf(op.getOp(), op.getType()), {}, {}, {});
    values[op.getResult()] = {LaneValue::All, reduce.getResult()};
    return success();
  }
  SmallVector<LaneValue, 3> inputs;
  bool anyLanes = false, allSame = true, sameLane = true;
  int lane = -1;
  for (Value input : op.getInputs()) {
    FailureOr<LaneValue> value = valueOf(input);
    if (failed(value))
      return failure();
    inputs.push_back(*value);
    allSame &= value->kind != LaneValue::Lanes;
    anyLanes |= value->kind == LaneValue::Lanes || value->kind == LaneValue::All;
    if (value->kind != LaneValue::One)
      continue;
    sameLane &= lane < 0 || lane == value->lane;
    lane = value->lane;
  }
  // Work on whole beats as long as the operands are in one lane or scalars: copies for
  // other lanes of the same beat are then the same node.
  bool inOneLane = !anyLanes && lane >= 0 && sameLane;
  SmallVector<Value, 3> operands;
  for (const LaneValue &input : inputs)
    operands.push_back(inOneLane ? input.value : operand(input, op.getLoc()));
  auto node = ComputeOp::create(builder, op.getLoc(), beatOf(op.getType()), op.getOp(), operands);
  node.setReassoc(op.getReassoc());
  copyOrigin(op, node);
  values[op.getResult()] = {inOneLane ? LaneValue::One
                            : allSame ? LaneValue::All
                                      : LaneValue::Lanes,
                            node, inOneLane ? lane : 0};
  return success();
}

// op(init, folded): in the identity, or after the graph on the scalar unit.
FailureOr<Value> LaneBuilder::combine(Carried &kind, Value init, Value folded, ReduceOp reduce) {
  OpKind op = kind.update.getOp();
  auto start = init.getDefiningOp<ConstOp>();
  bool idempotent = op != OpKind::Add && op != OpKind::Mul && op != OpKind::Xor;
  auto number = start ? dyn_cast<FloatAttr>(start.getValue()) : FloatAttr();
  if (op == OpKind::Fadd) {
    if (!number || !number.getValue().isZero())
      return refuse(kind.update.getLoc(), Refusal(Why::SumNotFromZero));
    reduce.setIdentityAttr(number);
    return folded;
  }
  if (start && (start.getValue() == reduce.getIdentity() || idempotent)) {
    reduce.setIdentityAttr(start.getValue());
    return folded;
  }
  return Value(ComputeOp::create(builder, kind.update.getLoc(), folded.getType(), op,
                                 ValueRange{init, folded}));
}

LogicalResult LaneBuilder::finish(GraphOp graph) {
  SmallVector<Value> results;
  LoopOp outermost = about.loops.front();
  for (Carried &kind : carried)
    if (kind.kind == Carried::Reduction)
      results.push_back(values.lookup(kind.update.getResult()).value);
  YieldOp::create(builder, graph.getLoc(), results);
  builder.setInsertionPointAfter(graph);
  unsigned next = 0;
  for (auto [number, kind] : llvm::enumerate(carried)) {
    if (kind.kind != Carried::Reduction)
      continue;
    FailureOr<Value> value = combine(kind, outermost.getInits()[number], graph.getResult(next),
                                     results[next].getDefiningOp<ReduceOp>());
    if (failed(value))
      return failure();
    ++next;
    outermost.getResult(number).replaceAllUsesWith(*value);
  }
  LoopOp root = about.rolled ? about.rolled : outermost;
  root->erase();
  return success();
}
