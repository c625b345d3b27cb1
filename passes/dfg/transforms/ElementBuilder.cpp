// Structure, values and operations. Accesses: ElementAccess.cpp.
#include "passes/dfg/transforms/ElementBuilder.h"
#include "passes/cost/CostModel.h"
#include "passes/dfg/Refuse.h"

#include "passes/dfg/Marks.h"

#include "llvm/ADT/APInt.h"

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

LogicalResult ElementBuilder::run() {
  if (failed(chooseLevels()) || failed(checkSize()))
    return failure();
  graph = createGraph();
  builder.setInsertionPointToEnd(graph.getBlock());
  if (failed(openCarried()) || failed(isFlat ? flatten() : translateBlock(outer.getBlock())) ||
      failed(fillStreamGaps()) || failed(checkStreamWrites()))
    return failure();
  finish();
  return success();
}

// What the outer loop carries goes into the inner one and comes from it, and nothing else.
bool ElementBuilder::isPassedOn(LoopOp outer, LoopOp inner) const {
  if (inner.getInits().size() != outer.getInits().size())
    return false;
  auto yielded = outer.getBlock()->getTerminator()->getOperands();
  for (auto [argument, init, result, next] :
       llvm::zip(outer.getCarried(), inner.getInits(), inner.getResults(), yielded))
    if (init != Value(argument) || next != Value(result) || !argument.hasOneUse())
      return false;
  return true;
}

LogicalResult ElementBuilder::chooseLevels() {
  auto loops = nest.getBody().getOps<LoopOp>();
  if (!llvm::hasSingleElement(loops))
    return refuse(nest.getLoc(), Refusal(Why::NoOuterLoop, nest.getSymName()));
  outer = *loops.begin();
  auto found = outer.getBlock()->getOps<LoopOp>();
  for (LoopOp loop : found)
    if (loop->hasAttr(FlattenAttr)) {
      inner = loop;
      isFlat = true;
      return success();
    }
  if (!llvm::hasSingleElement(found))
    return success();
  LoopOp candidate = *found.begin();
  // What stands before the inner loop is done again in each of its iterations.
  for (Operation &op : outer.getBlock()->without_terminator())
    if (&op != candidate && !mlir::isa<ConstOp, ComputeOp>(op))
      return success();
  std::optional<uint64_t> trip = candidate.getConstantTrip();
  bool fewValues = trip && *trip * size_t(std::distance(candidate.getBlock()->begin(),
                                                        candidate.getBlock()->end())) <=
                               8;
  if (trip && *trip >= 1 && *trip <= CostModel::MostInner && !fewValues &&
      isPassedOn(outer, candidate))
    inner = candidate;
  return success();
}

// Nodes of a block with its loops, but for `inner`, unrolled.
static int64_t unrolledSize(Block *block, LoopOp inner) {
  int64_t size = 0;
  for (Operation &op : *block) {
    auto loop = dyn_cast<LoopOp>(op);
    if (!loop) {
      ++size;
      continue;
    }
    int64_t trip = int64_t(loop.getConstantTrip().value_or(MaxUnrolledNodes + 1));
    if (loop == inner)
      trip = 1;
    size += std::min(trip, MaxUnrolledNodes + 1) * unrolledSize(loop.getBlock(), inner);
    size = std::min(size, MaxUnrolledNodes + 1);
  }
  return size;
}

LogicalResult ElementBuilder::checkSize() {
  Block *block = inner && !isFlat ? inner.getBlock() : outer.getBlock();
  for (auto loop : block->getOps<LoopOp>())
    if (!loop.getConstantTrip())
      return refuse(loop.getLoc(), Refusal(Why::InnerCountChanges));
  if (unrolledSize(block, inner) <= MaxUnrolledNodes)
    return success();
  auto loops = block->getOps<LoopOp>();
  if (loops.empty())
    return refuse(outer.getLoc(), Refusal(Why::BodyTooLarge, MaxUnrolledNodes));
  return refuse((*loops.begin()).getLoc(), Refusal(Why::InnerTooLarge, MaxUnrolledNodes));
}

GraphOp ElementBuilder::createGraph() {
  OperationState state(nest.getLoc(), GraphOp::getOperationName());
  if (outer.getTrip())
    state.addOperands(outer.getTrip());
  else
    state.addAttribute("constant_trip", builder.getI64IntegerAttr(*outer.getConstantTrip()));
  if (IntegerAttr most = outer.getMostTripAttr())
    state.addAttribute("most_trip", most);
  state.addAttribute("inner",
                     builder.getI32IntegerAttr(inner ? int32_t(*inner.getConstantTrip()) : 1));
  state.addAttribute("per", builder.getI32IntegerAttr(1));
  state.addAttribute("vf", builder.getI32IntegerAttr(1));
  state.addAttribute("lane_bits", builder.getI32IntegerAttr(laneBits));
  state.addAttribute("scalar", builder.getUnitAttr());
  for (Value result : outer.getResults())
    if (!result.use_empty())
      state.addTypes(result.getType());
  Block &block = state.addRegion()->emplaceBlock();
  block.addArguments({builder.getI32Type(), builder.getI32Type()}, {nest.getLoc(), nest.getLoc()});
  builder.setInsertionPoint(nest.getBody().front().getTerminator());
  return cast<GraphOp>(builder.create(state));
}

// Each carried value stands for itself until the iteration's last value is known.
LogicalResult ElementBuilder::openCarried() {
  for (auto [number, argument] : llvm::enumerate(outer.getCarried())) {
    Value init = outer.getInits()[number];
    if (auto literal = init.getDefiningOp<ConstOp>())
      init = builder.clone(*literal)->getResult(0);
    auto carry =
        CarryOp::create(builder, argument.getLoc(), elementOf(argument.getType()), init, init, 1);
    carries.push_back(carry);
    values[argument] = carry;
    if (inner && !isFlat)
      values[inner.getCarried()[number]] = carry;
  }
  return success();
}

LogicalResult ElementBuilder::translateBlock(Block *block) {
  for (Operation &op : block->without_terminator()) {
    auto loop = dyn_cast<LoopOp>(op);
    if (!loop) {
      if (failed(translate(op)))
        return failure();
    } else if (loop == inner) {
      if (failed(translateBlock(inner.getBlock())))
        return failure();
      for (auto [result, next] :
           llvm::zip(inner.getResults(), inner.getBlock()->getTerminator()->getOperands()))
        values[result] = valueOf(next);
    } else if (failed(unroll(loop))) {
      return failure();
    }
  }
  return success();
}

LogicalResult ElementBuilder::unroll(LoopOp loop) {
  SmallVector<Value> carried;
  for (Value init : loop.getInits())
    carried.push_back(valueOf(init));
  for (int64_t k = 0, trip = int64_t(*loop.getConstantTrip()); k < trip; ++k) {
    unrolled[loop.getIndex()] = k;
    values.erase(loop.getIndex());
    for (auto [argument, value] : llvm::zip(loop.getCarried(), carried))
      values[argument] = value;
    if (failed(translateBlock(loop.getBlock())))
      return failure();
    for (auto [value, next] : llvm::zip(carried, loop.getBlock()->getTerminator()->getOperands()))
      value = valueOf(next);
  }
  for (auto [result, value] : llvm::zip(loop.getResults(), carried))
    values[result] = value;
  return success();
}

void ElementBuilder::finish() {
  SmallVector<Value> results;
  auto yielded = outer.getBlock()->getTerminator()->getOperands();
  for (auto [number, next] : llvm::enumerate(yielded)) {
    Value value = isFlat ? nexts[number] : valueOf(next);
    carries[number].getValueMutable().assign(value);
    if (!outer.getResult(number).use_empty())
      results.push_back(LastOp::create(builder, next.getLoc(), next.getType(), value));
  }
  YieldOp::create(builder, graph.getLoc(), results);
  unsigned used = 0;
  for (Value result : outer.getResults())
    if (!result.use_empty())
      result.replaceAllUsesWith(graph.getResult(used++));
  outer->erase();
  // A value that is carried and not used keeps itself alive.
  for (CarryOp carry : llvm::concat<CarryOp>(carries, rowCarries))
    if (carry && carry->use_empty())
      carry->erase();
}

Value ElementBuilder::constant(Location loc, Type type, int64_t value) {
  return ConstOp::create(builder, loc,
                         cast<TypedAttr>(Attribute(builder.getIntegerAttr(type, value))));
}

Value ElementBuilder::make(Location loc, OpKind kind, Type type, ValueRange inputs) {
  return ComputeOp::create(builder, loc, elementOf(type), kind, inputs);
}

// The index of a loop as a value; iota is the number of the iteration.
Value ElementBuilder::indexValue(LoopOp loop) {
  Location loc = loop.getLoc();
  Type type = builder.getI32Type();
  if (auto known = unrolled.find(loop.getIndex()); known != unrolled.end())
    return constant(loc, type, known->second);
  if (isFlat && loop == inner)
    return rowIndex();
  Value iteration = make(loc, OpKind::Iota, type, {});
  if (!inner)
    return iteration;
  int64_t by = int64_t(*inner.getConstantTrip());
  bool remainder = loop == inner;
  if (by == 1)
    return remainder ? constant(loc, type, 0) : iteration;
  if (llvm::isPowerOf2_64(uint64_t(by)))
    return make(loc, remainder ? OpKind::And : OpKind::Lshr, type,
                {iteration, constant(loc, type, remainder ? by - 1 : llvm::Log2_64(by))});
  return make(loc, remainder ? OpKind::Urem : OpKind::Udiv, type,
              {iteration, constant(loc, type, by)});
}

Value ElementBuilder::valueOf(Value value) {
  if (Value known = values.lookup(value))
    return known;
  Value &result = values[value];
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<LoopOp>(argument.getOwner()->getParentOp());
    Value made = loop ? indexValue(loop) : value;
    return values[value] = made;
  }
  if (auto literal = value.getDefiningOp<ConstOp>())
    return result = builder.clone(*literal)->getResult(0);
  return result = value; // computed in front of the loops
}

// Integer operations on constants, as unrolling leaves them.
Value ElementBuilder::fold(ComputeOp op, ArrayRef<Value> inputs) {
  SmallVector<APInt, 3> in;
  for (Value input : inputs) {
    auto literal = input.getDefiningOp<ConstOp>();
    auto integer = literal ? dyn_cast<IntegerAttr>(literal.getValue()) : IntegerAttr();
    if (!integer)
      return {};
    in.push_back(integer.getValue());
  }
  if (!op.getType().isInteger() || in.empty())
    return {};
  unsigned bits = bitsOf(op.getType());
  auto amount = [&] { return unsigned(in[1].getZExtValue() % in[0].getBitWidth()); };
  std::optional<APInt> result;
  switch (op.getOp()) {
  case OpKind::Mov:
    result = in[0].zextOrTrunc(bits);
    break;
  case OpKind::Sext:
    result = in[0].sextOrTrunc(bits);
    break;
  case OpKind::Add:
    result = in[0] + in[1];
    break;
  case OpKind::Sub:
    result = in[0] - in[1];
    break;
  case OpKind::Mul:
    result = in[0] * in[1];
    break;
  case OpKind::And:
    result = in[0] & in[1];
    break;
  case OpKind::Or:
    result = in[0] | in[1];
    break;
  case OpKind::Xor:
    result = in[0] ^ in[1];
    break;
  case OpKind::Shl:
    result = in[0].shl(amount());
    break;
  case OpKind::Lshr:
    result = in[0].lshr(amount());
    break;
  case OpKind::Eq:
    result = APInt(1, in[0] == in[1]);
    break;
  case OpKind::Ne:
    result = APInt(1, in[0] != in[1]);
    break;
  case OpKind::Ult:
    result = APInt(1, in[0].ult(in[1]));
    break;
  case OpKind::Slt:
    result = APInt(1, in[0].slt(in[1]));
    break;
  default:
    return {};
  }
  return ConstOp::create(builder, op.getLoc(),
                         cast<TypedAttr>(Attribute(builder.getIntegerAttr(op.getType(), *result))));
}

LogicalResult ElementBuilder::compute(ComputeOp op) {
  if (op.getReassoc() && op.getOp() == OpKind::Fadd &&
      llvm::any_of(op.getInputs(), [](Value input) { return mlir::isa<BlockArgument>(input); }))
    return refuse(op.getLoc(), Refusal(Why::SumOverLanes));
  SmallVector<Value, 3> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(valueOf(input));
  if (Value folded = fold(op, inputs)) {
    values[op.getResult()] = folded;
    return success();
  }
  // A choice that unrolling has made.
  if (op.getOp() == OpKind::Select)
    if (std::optional<int64_t> flag = constantOf(inputs[0])) {
      values[op.getResult()] = inputs[*flag ? 1 : 2];
      return success();
    }
  auto node = ComputeOp::create(builder, op.getLoc(), elementOf(op.getType()), op.getOp(), inputs);
  node.setReassoc(op.getReassoc());
  values[op.getResult()] = node;
  return success();
}

LogicalResult ElementBuilder::translate(Operation &op) {
  if (mlir::isa<ConstOp>(op))
    return success();
  if (auto node = dyn_cast<ComputeOp>(op))
    return compute(node);
  return access(cast<AccessOpInterface>(op));
}
