// Structure, values and operations. Accesses: ElementAccess.cpp.
#include "passes/dfg/transforms/ElementBuilder.h"
#include "passes/cost/CostModel.h"
#include "passes/dfg/Marks.h"
#include "passes/nest/Elements.h"

#include "llvm/ADT/APInt.h"

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

/// Operations of an inner loop in all its iterations, up to which it is unrolled, not counted.
constexpr uint64_t MaxCopied = 8;

void ElementBuilder::run() {
  openGraph();
  openCarried();
  if (isFlat)
    flatten();
  else
    translateBlock(outer.getBlock());
  fillStreamGaps();
  finish();
}

void ElementBuilder::chooseLevels() {
  outer = about.loops.front();
  for (unsigned level : about.form.levelsIn(0))
    if (LoopOp loop = about.loops[level]; loop->hasAttr(FlattenAttr)) {
      row = level;
      isFlat = true;
    }
  if (!isFlat)
    row = nest::countedRow(about.form);
  if (row == nest::None)
    return;
  // A counter costs more than a few values.
  const nest::Level &level = about.form.levels[row];
  if (!isFlat && about.form.levelsIn(row).empty() && *level.trip * level.size <= MaxCopied)
    row = nest::None;
  else
    inner = about.loops[row];
}

StatusOf<nest::Obstacle> ElementBuilder::judge() const {
  if (about.form.levelsIn(nest::None).size() != 1)
    return nest::Obstacle{Refusal(Why::NoOuterLoop, NestOp(about.op).getSymName()), 0};
  if (auto verdict = nest::checkLevels(about.form); !verdict)
    return verdict;
  for (nest::Object stream : {nest::Object::Input, nest::Object::Output})
    if (auto verdict = nest::checkInOrder(about.form, stream, row); !verdict)
      return verdict;
  if (nest::unrolledSize(about.form, row, CostModel::MostNodes) <= CostModel::MostNodes)
    return {};
  for (unsigned level = 1; level < about.loops.size(); ++level)
    if (level != row)
      return nest::Obstacle{Refusal(Why::InnerTooLarge, CostModel::MostNodes), level};
  return nest::Obstacle{Refusal(Why::BodyTooLarge, CostModel::MostNodes), 0};
}

void ElementBuilder::openGraph() {
  SmallVector<Type> results;
  for (Value result : outer.getResults())
    if (!result.use_empty())
      results.push_back(result.getType());
  createGraph(outer, inner ? *inner.getConstantTrip() : 1, /*per=*/1, results);
  graph.setScalar(true);
}

// Each carried value stands for itself until the iteration's last value is known.
void ElementBuilder::openCarried() {
  for (auto [number, argument] : llvm::enumerate(outer.getCarried())) {
    Value init = outer.getInits()[number];
    if (auto literal = init.getDefiningOp<ConstOp>())
      init = builder.clone(*literal)->getResult(0);
    auto carry =
        CarryOp::create(builder, argument.getLoc(), beatOf(argument.getType()), init, init, 1);
    carries.push_back(carry);
    values[argument] = carry;
    if (inner && !isFlat)
      values[inner.getCarried()[number]] = carry;
  }
}

void ElementBuilder::translateBlock(Block *block) {
  for (Operation &op : block->without_terminator()) {
    auto loop = dyn_cast<LoopOp>(op);
    if (!loop) {
      translate(op);
    } else if (loop == inner) {
      translateBlock(inner.getBlock());
      for (auto [result, next] :
           llvm::zip(inner.getResults(), inner.getBlock()->getTerminator()->getOperands()))
        values[result] = valueOf(next);
    } else {
      unroll(loop);
    }
  }
}

void ElementBuilder::unroll(LoopOp loop) {
  SmallVector<Value> carried;
  for (Value init : loop.getInits())
    carried.push_back(valueOf(init));
  for (int64_t k = 0, trip = int64_t(*loop.getConstantTrip()); k < trip; ++k) {
    unrolled[loop.getIndex()] = k;
    values.erase(loop.getIndex());
    for (auto [argument, value] : llvm::zip(loop.getCarried(), carried))
      values[argument] = value;
    translateBlock(loop.getBlock());
    for (auto [value, next] : llvm::zip(carried, loop.getBlock()->getTerminator()->getOperands()))
      value = valueOf(next);
  }
  for (auto [result, value] : llvm::zip(loop.getResults(), carried))
    values[result] = value;
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
  const auto by = int64_t(*inner.getConstantTrip());
  const bool remainder = loop == inner;
  return by == 1 && remainder ? constant(loc, type, 0) : divide(loc, iteration, by, remainder);
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

/// An operation on integers.
static std::optional<APInt> evaluate(OpKind op, ArrayRef<APInt> in, unsigned bits) {
  auto amount = [&] { return unsigned(in[1].getZExtValue() % in[0].getBitWidth()); };
  switch (op) {
  case OpKind::Mov:
    return in[0].zextOrTrunc(bits);
  case OpKind::Sext:
    return in[0].sextOrTrunc(bits);
  case OpKind::Add:
    return in[0] + in[1];
  case OpKind::Sub:
    return in[0] - in[1];
  case OpKind::Mul:
    return in[0] * in[1];
  case OpKind::And:
    return in[0] & in[1];
  case OpKind::Or:
    return in[0] | in[1];
  case OpKind::Xor:
    return in[0] ^ in[1];
  case OpKind::Shl:
    return in[0].shl(amount());
  case OpKind::Lshr:
    return in[0].lshr(amount());
  case OpKind::Eq:
    return APInt(1, in[0] == in[1]);
  case OpKind::Ne:
    return APInt(1, in[0] != in[1]);
  case OpKind::Ult:
    return APInt(1, in[0].ult(in[1]));
  case OpKind::Slt:
    return APInt(1, in[0].slt(in[1]));
  default:
    return std::nullopt;
  }
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
  std::optional<APInt> result = evaluate(op.getOp(), in, bitsOf(op.getType()));
  if (!result)
    return {};
  return ConstOp::create(builder, op.getLoc(),
                         cast<TypedAttr>(Attribute(builder.getIntegerAttr(op.getType(), *result))));
}

void ElementBuilder::compute(ComputeOp op) {
  SmallVector<Value, 3> inputs;
  for (Value input : op.getInputs())
    inputs.push_back(valueOf(input));
  Value &result = values[op.getResult()];
  // A choice that unrolling has made.
  const std::optional<int64_t> flag =
      op.getOp() == OpKind::Select ? constantOf(inputs[0]) : std::nullopt;
  if ((result = flag ? inputs[*flag ? 1 : 2] : fold(op, inputs)))
    return;
  auto node = ComputeOp::create(builder, op.getLoc(), beatOf(op.getType()), op.getOp(), inputs);
  node.setReassoc(op.getReassoc());
  result = node;
}

void ElementBuilder::translate(Operation &op) {
  if (auto node = dyn_cast<ComputeOp>(op))
    compute(node);
  else if (!mlir::isa<ConstOp>(op))
    access(cast<AccessOpInterface>(op));
}
