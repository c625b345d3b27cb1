// Accesses of a loop that runs one element per iteration.
#include "passes/dfg/transforms/ElementBuilder.h"
#include "passes/nest/Elements.h"

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

// Sequencer loops become %i0 and %i1, unrolled ones numbers.
Position ElementBuilder::positionOf(AccessOpInterface op) {
  Position position = op.getPosition();
  for (LoopOp loop = op->getParentOfType<LoopOp>(); loop; loop = loop->getParentOfType<LoopOp>()) {
    Value index = loop.getIndex();
    if (auto number = unrolled.find(index);
        number != unrolled.end() && loop != outer && loop != inner) {
      position.substitute(index, {}, 0, number->second);
      continue;
    }
    position.substitute(index, loop == inner ? graph.getI0() : graph.getI1(), 1, 0);
  }
  position.simplify();
  return position;
}

// Two reads of one position are one pop.
void ElementBuilder::streamRead(StreamReadOp op, const Position &position) {
  for (StreamReadOp read : reads)
    if (read.getPosition() == position && elementOf(read.getType()) == op.getType() &&
        read.getElem() == op.getElem() && read.getIsSigned() == op.getIsSigned()) {
      values[op.getResult()] = read;
      return;
    }
  reads.push_back(copy(op, position));
  values[op.getResult()] = reads.back();
}

// Elements between those that the iteration wants are popped too.
void ElementBuilder::fillStreamGaps() {
  if (reads.empty())
    return;
  llvm::SmallDenseSet<int64_t> offsets;
  for (StreamReadOp read : reads)
    offsets.insert(read.getPosition().offset);
  const nest::Window window = *nest::windowOf(about.form, nest::Object::Input, row);
  Position position = reads[0].getPosition();
  for (position.offset = window.least; position.offset < window.most;
       position.offset += window.element)
    if (!offsets.contains(position.offset))
      cast<StreamReadOp>(builder.clone(*reads[0])).setPosition(position);
}

template <typename OpT> void ElementBuilder::vrf(OpT op, Position position) {
  Value index = op.getIndex() ? valueOf(op.getIndex()) : Value();
  if (std::optional<int64_t> number = index ? constantOf(index) : std::nullopt) {
    position.offset += *number * int64_t(*op.getIndexScale());
    index = {};
  }
  if (index)
    index = scaled(op.getLoc(), index, *op.getIndexScale());
  if constexpr (std::is_same_v<OpT, VrfReadOp>) {
    Value made = onArray(copy(op, position), index);
    values[op.getResult()] = part == Part::Before && changed.contains(op.getArray())
                                 ? heldInRow(op.getLoc(), made)
                                 : made;
  } else {
    onArray(write(op, position), index);
  }
}

template <typename OpT> OpT ElementBuilder::write(OpT op, const Position &position) {
  Value data = valueOf(op.getValue());
  Value predicate = guarded(op.getLoc(), op.getPredicate() ? valueOf(op.getPredicate()) : Value());
  return copyWrite(op, position, data, predicate);
}

void ElementBuilder::access(AccessOpInterface op) {
  const Position position = positionOf(op);
  Operation *raw = op.getOperation();
  if (auto read = dyn_cast<StreamReadOp>(raw))
    streamRead(read, position);
  else if (auto read = dyn_cast<VrfReadOp>(raw))
    vrf(read, position);
  else if (auto stored = dyn_cast<VrfWriteOp>(raw))
    vrf(stored, position);
  else if (auto read = dyn_cast<MemReadOp>(raw))
    values[read.getResult()] = copy(read, position);
  else if (auto sent = dyn_cast<StreamWriteOp>(raw))
    write(sent, position);
  else
    write(cast<MemWriteOp>(raw), position);
}
