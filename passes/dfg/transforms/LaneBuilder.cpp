// Translation of a nest: structure, values and operations. Accesses: LaneAccess.cpp.
#include "passes/dfg/transforms/LaneBuilder.h"
#include "passes/dfg/Refuse.h"

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

LogicalResult LaneBuilder::run() {
  if (failed(classifyAll()) || failed(planStreams()))
    return failure();
  graph = createGraph();
  builder.setInsertionPointToEnd(graph.getBlock());
  LoopOp outermost = shape.rolled ? shape.rolled : shape.loops.front();
  if (failed(translateBlock(outermost.getBlock())) || failed(finish(graph)))
    return failure();
  return success();
}

// Numbers the updates of reductions; carried values of inner loops that are not passed
// in from the outermost one stay unknown and are refused where they are used.
LogicalResult LaneBuilder::classifyAll() {
  LoopOp outermost = shape.loops.front();
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

GraphOp LaneBuilder::createGraph() {
  OperationState state(nest.getLoc(), GraphOp::getOperationName());
  LoopOp first = shape.sequencer.empty() ? LoopOp() : shape.sequencer[0].loop;
  if (first && first.getTrip())
    state.addOperands(first.getTrip());
  else
    state.addAttribute("constant_trip",
                       builder.getI64IntegerAttr(first ? *first.getConstantTrip() : 1));
  if (IntegerAttr most = first ? first.getMostTripAttr() : IntegerAttr())
    state.addAttribute("most_trip", most);
  bool stripOnly = shape.sequencer.size() == 1 && shape.strip;
  state.addAttribute("inner", builder.getI32IntegerAttr(shape.innerCount()));
  state.addAttribute("per", builder.getI32IntegerAttr(stripOnly ? shape.vf : 1));
  state.addAttribute("vf", builder.getI32IntegerAttr(shape.vf));
  state.addAttribute("lane_bits", builder.getI32IntegerAttr(shape.laneBits));
  LoopOp outermost = shape.loops.front();
  state.addTypes(llvm::map_to_vector(
      llvm::make_filter_range(
          llvm::enumerate(outermost.getResultTypes()),
          [&](auto pair) { return carried[pair.index()].kind == Carried::Reduction; }),
      [](auto pair) { return Type(pair.value()); }));
  Block &block = state.addRegion()->emplaceBlock();
  block.addArguments({builder.getI32Type(), builder.getI32Type()}, {nest.getLoc(), nest.getLoc()});
  if (LoopOp rolled = shape.rolled) {
    block.addArgument(builder.getI32Type(), nest.getLoc());
    state.addAttribute("vpes", builder.getI32IntegerAttr(*rolled.getConstantTrip()));
  }
  builder.setInsertionPoint(nest.getBody().front().getTerminator());
  return cast<GraphOp>(builder.create(state));
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

Value LaneBuilder::constant(Location loc, Type type, int64_t value) {
  return ConstOp::create(builder, loc, builder.getIntegerAttr(type, value));
}

Value LaneBuilder::make(Location loc, OpKind kind, Type type, ValueRange inputs,
                        std::optional<int32_t> immediate) {
  auto op = ComputeOp::create(builder, loc, beatOf(type), kind, inputs);
  if (immediate)
    op.setImmediate(*immediate);
  return op;
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
  auto divide = [&](Value value, int64_t by, bool remainder) -> Value {
    if (by == 1 && !remainder)
      return value;
    if (llvm::isPowerOf2_64(by))
      return make(loc, remainder ? OpKind::And : OpKind::Lshr, type,
                  {value, constant(loc, type, remainder ? by - 1 : llvm::Log2_64(by))});
    return make(loc, remainder ? OpKind::Urem : OpKind::Udiv, type,
                {value, constant(loc, type, by)});
  };
  Value element = make(loc, OpKind::Iota, type, {});
  int64_t inner = shape.innerCount();
  bool twoLevels = shape.sequencer.size() == 2;
  if (loop == shape.laneLoop()) {
    if (shape.strip && !twoLevels)
      return LaneValue{LaneValue::Lanes, element};
    return LaneValue{LaneValue::Lanes, divide(element, shape.vf * (shape.strip ? inner : 1), true)};
  }
  for (auto [level, entry] : llvm::enumerate(shape.sequencer)) {
    if (entry.loop != loop || !entry.merged.empty())
      continue;
    Value iteration = divide(element, shape.vf, false);
    if (!twoLevels)
      return LaneValue{LaneValue::All, iteration};
    return LaneValue{LaneValue::All, divide(iteration, inner, /*remainder=*/level == 1)};
  }
  return refuse(loc, Refusal(Why::MergedIndexUsed));
}

// A carried value that is some value of the iteration before: the beat shifted by one
// lane, filled up from the beat before.
FailureOr<LaneValue> LaneBuilder::earlier(BlockArgument argument, Value init) {
  auto loop = cast<LoopOp>(argument.getOwner()->getParentOp());
  Location loc = argument.getLoc();
  StringRef name = nameOf(loc, "s");
  if (shape.loops.size() != 1 || !shape.strip)
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
  int32_t lanes = 1;
  auto constant = start->value.getDefiningOp<ConstOp>();
  bool zero = constant && constant.getValue() == builder.getZeroAttr(constant.getType());
  // A slide of a slide is a longer slide; only the zeros before the start stay zeros.
  auto slid = beat.getDefiningOp<ComputeOp>();
  if (zero && slid && slid.getOp() == OpKind::Slide && *slid.getImmediate() < shape.vf) {
    beat = slid.getInputs()[0];
    lanes = int32_t(*slid.getImmediate()) + 1;
  }
  auto slide = ComputeOp::create(builder, loc, beatOf(beat.getType()), OpKind::Slide,
                                 ValueRange{beat, beat});
  slide.setImmediate(lanes);
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
    if (!shape.runsEachIteration(op->getBlock()) || op->getBlock() != shape.laneLoop().getBlock())
      return refuse(op.getLoc(), Refusal(Why::ReductionBetween));
    // The order of a sum is that of the lanes.
    if (op.getOp() == OpKind::Fadd && bitsOf(op.getType()) < shape.laneBits)
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
  LoopOp outermost = shape.loops.front();
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
  LoopOp root = shape.rolled ? shape.rolled : outermost;
  root->erase();
  return success();
}
