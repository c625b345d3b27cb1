// Translation of a nest: structure, values and operations. Accesses: LaneAccess.cpp.
#include "passes/dfg/transforms/LaneBuilder.h"

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

void LaneBuilder::run() {
  openGraph();
  LoopOp outermost = about.rolled ? about.rolled : about.loops.front();
  translateBlock(outermost.getBlock());
  finish();
}

void LaneBuilder::openGraph() {
  LoopOp first = lanes.sequencer.empty() ? LoopOp() : about.loops[lanes.sequencer[0].level];
  const bool stripOnly = lanes.sequencer.size() == 1 && lanes.hasStrips;
  SmallVector<Type> results;
  for (const CarriedOps &carried : about.carried)
    if (carried.update)
      results.push_back(carried.result().getType());
  createGraph(first, lanes.innerCount(), stripOnly ? factor : 1, results);
}

void LaneBuilder::translateBlock(Block *block) {
  for (Operation &op : block->without_terminator()) {
    if (auto loop = dyn_cast<LoopOp>(op))
      translateBlock(loop.getBlock());
    else
      translate(op);
  }
}

void LaneBuilder::translate(Operation &op) {
  if (mlir::isa<ConstOp>(op) || !done.insert(&op).second)
    return;
  auto node = dyn_cast<ComputeOp>(op);
  if (!node)
    access(cast<AccessOpInterface>(op));
  else if (llvm::any_of(about.carried, [&](auto &carried) { return carried.update == node; }))
    reduce(node);
  else
    compute(node);
}

LaneValue LaneBuilder::valueOf(Value value) {
  if (auto known = values.find(value); known != values.end())
    return known->second;
  LaneValue result{LaneValue::Scalar, value};
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (auto loop = dyn_cast<LoopOp>(argument.getOwner()->getParentOp()))
      result = loop.getIndex() == argument
                   ? indexValue(loop)
                   : earlier(argument, loop.getInits()[argument.getArgNumber() - 1]);
  } else if (auto constant = value.getDefiningOp<ConstOp>()) {
    result.value = builder.clone(*constant)->getResult(0);
  } else {
    // Of an earlier iteration: it is needed before its operations have their turn.
    translate(*value.getDefiningOp());
    return values.at(value);
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
LaneValue LaneBuilder::indexValue(LoopOp loop) {
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
  Value iteration = divide(loc, element, int64_t(factor), false);
  if (!twoLevels)
    return LaneValue{LaneValue::All, iteration};
  const bool isInner = about.loops[lanes.sequencer[1].level] == loop;
  return LaneValue{LaneValue::All, divide(loc, iteration, inner, /*remainder=*/isInner)};
}

// A carried value that is some value of the iteration before: the beat shifted by one
// lane, filled up from the beat before.
LaneValue LaneBuilder::earlier(BlockArgument argument, Value init) {
  Location loc = argument.getLoc();
  Value beat =
      operand(argument.getOwner()->getTerminator()->getOperand(argument.getArgNumber() - 1), loc);
  Value start = operand(init, loc);
  if (!mlir::isa<VectorType>(beat.getType()))
    beat = make(loc, OpKind::Mov, beat.getType(), beat);
  int32_t distance = 1;
  auto constant = start.getDefiningOp<ConstOp>();
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
  return LaneValue{LaneValue::Lanes,
                   make(loc, OpKind::Select, beat.getType(), {isFirst, start, slide})};
}

void LaneBuilder::reduce(ComputeOp update) {
  Location loc = update.getLoc();
  // The term is the operand that is not carried.
  auto carried = llvm::find_if(about.carried, [&](auto &one) { return one.update == update; });
  auto made =
      ReduceOp::create(builder, loc, update.getType(), update.getOp(), operand(carried->term, loc),
                       identityOf(update.getOp(), update.getType()), {}, {}, {});
  values[update.getResult()] = {LaneValue::All, made.getResult()};
}

void LaneBuilder::compute(ComputeOp op) {
  SmallVector<LaneValue, 3> inputs;
  bool anyLanes = false, allSame = true, sameLane = true;
  int lane = -1;
  for (Value input : op.getInputs()) {
    const LaneValue value = valueOf(input);
    inputs.push_back(value);
    allSame &= value.kind != LaneValue::Lanes;
    anyLanes |= value.kind == LaneValue::Lanes || value.kind == LaneValue::All;
    if (value.kind != LaneValue::One)
      continue;
    sameLane &= lane < 0 || lane == value.lane;
    lane = value.lane;
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
}

// op(init, folded): in the identity, or after the graph on the scalar unit.
Value LaneBuilder::combine(const CarriedOps &carried, Value folded, ReduceOp reduce) {
  ComputeOp update = carried.update;
  const OpKind op = update.getOp();
  Value init = carried.init();
  auto start = init.getDefiningOp<ConstOp>();
  // Sums in floating point start at a zero.
  const bool isAny = op != OpKind::Add && op != OpKind::Mul && op != OpKind::Xor;
  if (!start || (start.getValue() != reduce.getIdentity() && !isAny))
    return ComputeOp::create(builder, update.getLoc(), folded.getType(), op,
                             ValueRange{init, folded});
  reduce.setIdentityAttr(start.getValue());
  return folded;
}

void LaneBuilder::finish() {
  SmallVector<Value> results;
  for (const CarriedOps &carried : about.carried)
    if (ComputeOp update = carried.update)
      results.push_back(values.at(update.getResult()).value);
  YieldOp::create(builder, graph.getLoc(), results);
  builder.setInsertionPointAfter(graph);
  unsigned next = 0;
  for (const CarriedOps &carried : about.carried) {
    if (!carried.update)
      continue;
    Value value = combine(carried, graph.getResult(next), results[next].getDefiningOp<ReduceOp>());
    ++next;
    carried.result().replaceAllUsesWith(value);
  }
  LoopOp root = about.rolled ? about.rolled : about.loops.front();
  root->erase();
}
