// Two loops as one: iteration k of the graph is iteration k % inner of the inner loop. What
// stands before and after the inner loop is computed in every iteration; its writes take
// place in the first and the last iteration of a row, and what the inner loop carries starts
// anew with each row.
#include "passes/dfg/transforms/ElementBuilder.h"

using namespace mlir;
using namespace acis::dfg;

void ElementBuilder::flatten() {
  // What is read before the inner loop is read again in each iteration of the row, unless
  // the row may have overwritten it by then.
  for (Operation &op : *outer.getBlock()) {
    bool isAfter = inner->isBeforeInBlock(&op);
    op.walk([&](VrfWriteOp write) {
      if (!isAfter)
        changed.insert(write.getArray());
    });
  }
  Block *block = outer.getBlock();
  Block::iterator at(inner.getOperation());
  translatePart(Part::Before, block->begin(), at);
  openRow();
  Block *row = inner.getBlock();
  translatePart(Part::Inside, row->begin(), std::prev(row->end()));
  closeRow();
  translatePart(Part::After, std::next(at), std::prev(block->end()));
  for (auto [number, next] : llvm::enumerate(block->getTerminator()->getOperands())) {
    Value value = valueOf(next);
    bool passedOn = false;
    for (unsigned k = 0; k < inner.getInits().size(); ++k)
      passedOn |= isPassedOn(outer, number, inner, k);
    if (!passedOn)
      value = make(next.getLoc(), OpKind::Select, next.getType(),
                   {lastOfRow(), value, carries[number]});
    nexts.push_back(value);
  }
}

void ElementBuilder::translatePart(Part which, Block::iterator begin, Block::iterator end) {
  part = which;
  for (Operation &op : llvm::make_range(begin, end))
    if (auto loop = dyn_cast<LoopOp>(op))
      unroll(loop);
    else
      translate(op);
}

void ElementBuilder::openRow() {
  for (auto [k, argument] : llvm::enumerate(inner.getCarried())) {
    Location loc = argument.getLoc();
    rowCarries.push_back({});
    for (unsigned number = 0; number < outer.getInits().size(); ++number)
      if (isPassedOn(outer, number, inner, k))
        values[argument] = carries[number];
    if (values.contains(argument))
      continue;
    Value init = valueOf(inner.getInits()[k]);
    bool isConstant = !mlir::isa<VectorType>(init.getType());
    Value carried = carry(loc, argument.getType(), isConstant ? init : Value(), isConstant);
    rowCarries.back() = carried.getDefiningOp<CarryOp>();
    values[argument] =
        isConstant ? carried
                   : make(loc, OpKind::Select, argument.getType(), {firstOfRow(), init, carried});
  }
}

void ElementBuilder::closeRow() {
  auto yielded = inner.getBlock()->getTerminator()->getOperands();
  for (auto [k, next] : llvm::enumerate(yielded)) {
    values[inner.getResult(k)] = valueOf(next);
    if (rowCarries[k])
      rowCarries[k].getValueMutable().assign(valueOf(next));
  }
}

// Carries itself until its value is known. Without `init` it starts with zero.
Value ElementBuilder::carry(Location loc, Type type, Value init, bool row) {
  if (!init)
    init = ConstOp::create(builder, loc, cast<TypedAttr>(builder.getZeroAttr(type)));
  auto made = CarryOp::create(builder, loc, beatOf(type), init, init, 1);
  made.setRow(row);
  return made;
}

// The value of the row's first iteration.
Value ElementBuilder::heldInRow(Location loc, Value value) {
  Type type = elementOf(value.getType());
  Value carried = carry(loc, type, {}, /*row=*/false);
  Value held = make(loc, OpKind::Select, type, {firstOfRow(), value, carried});
  carried.getDefiningOp<CarryOp>().getValueMutable().assign(held);
  return held;
}

// A zero carried into all iterations of a row but the first, which has a one.
Value ElementBuilder::firstOfRow() {
  if (isFirst)
    return isFirst;
  Location loc = inner.getLoc();
  Type flag = builder.getI1Type();
  Value one = constant(loc, flag, 1);
  Value later = make(loc, OpKind::Mov, flag, constant(loc, flag, 0));
  auto first = CarryOp::create(builder, loc, beatOf(flag), later, one, 1);
  first.setRow(true);
  return isFirst = first;
}

Value ElementBuilder::lastOfRow() {
  if (isLast)
    return isLast;
  Location loc = inner.getLoc();
  Value end = constant(loc, builder.getI32Type(), int64_t(*inner.getConstantTrip()) - 1);
  return isLast = make(loc, OpKind::Eq, builder.getI1Type(), {rowIndex(), end});
}

// Counted in each row; of a power of two iterations, from the iteration's number.
Value ElementBuilder::rowIndex() {
  if (counter)
    return counter;
  Location loc = inner.getLoc();
  Type type = builder.getI32Type();
  uint64_t trip = *inner.getConstantTrip();
  if (llvm::isPowerOf2_64(trip))
    return counter = make(loc, OpKind::And, type,
                          {make(loc, OpKind::Iota, type, {}), constant(loc, type, trip - 1)});
  counter = carry(loc, type, {}, /*row=*/true);
  Value next = make(loc, OpKind::Add, type, {counter, constant(loc, type, 1)});
  counter.getDefiningOp<CarryOp>().getValueMutable().assign(next);
  return counter;
}

// What stands beside the inner loop is written once for each row.
Value ElementBuilder::guarded(Location loc, Value predicate) {
  if (!isFlat || part == Part::Inside)
    return predicate;
  Value now = part == Part::Before ? firstOfRow() : lastOfRow();
  return predicate ? make(loc, OpKind::And, builder.getI1Type(), {now, predicate}) : now;
}
