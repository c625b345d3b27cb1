// Translation of accesses: which ones are whole beats, and where a lane of one is meant.
#include "passes/dfg/transforms/LaneBuilder.h"

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

Position LaneBuilder::positionOf(AccessOpInterface op, int64_t offset) {
  const nest::Access &access = about.of(op);
  Position position = op.getPosition();
  position.simplify();
  position.offset = offset;
  for (LoopOp loop : about.loops)
    position.remove(loop.getIndex());
  if (LoopOp rolled = about.rolled)
    position.substitute(rolled.getIndex(), graph.getVpe(), 1, 0);
  const std::vector<int64_t> steps = lanes.steps(access);
  if (steps.size() == 2 && steps[1])
    position.terms.push_back({steps[1], graph.getI0(), {}});
  if (!steps.empty() && steps[0])
    position.terms.push_back({steps[0], graph.getI1(), {}});
  // Constants of the nest have to be visible in the graph.
  position.simplify();
  return position;
}

void LaneBuilder::streamRead(StreamReadOp op) {
  if (beats.empty())
    for (const nest::Beats::Beat &beat : lanes.reads.beats) {
      AccessOpInterface first = about.accesses[beat.first];
      auto made = copy(cast<StreamReadOp>(first.getOperation()), positionOf(first, beat.offset));
      made.setSplat(lanes.reads.isSplat);
      beats.push_back(made);
    }
  const nest::BeatUse use = lanes.reads.uses[about.numbers.lookup(op)];
  const LaneValue::Kind kind = lanes.reads.isSplat ? LaneValue::All
                               : use.lane >= 0     ? LaneValue::One
                                                   : LaneValue::Lanes;
  values[op.getResult()] = {kind, beats[use.beat], std::max(use.lane, 0)};
}

void LaneBuilder::memRead(MemReadOp op) {
  auto made = copy(op, positionOf(op));
  made.setSplat(laneStep(op) == 0);
  values[op.getResult()] = {made.getSplat() ? LaneValue::All : LaneValue::Lanes, made};
}

void LaneBuilder::access(AccessOpInterface op) {
  Operation *raw = op.getOperation();
  if (auto read = dyn_cast<StreamReadOp>(raw))
    streamRead(read);
  else if (auto read = dyn_cast<MemReadOp>(raw))
    memRead(read);
  else if (auto sent = dyn_cast<StreamWriteOp>(raw))
    write(sent, positionOf(sent));
  else if (auto stored = dyn_cast<MemWriteOp>(raw))
    write(stored, positionOf(stored));
  else if (auto read = dyn_cast<VrfReadOp>(raw))
    vrf(read);
  else
    vrf(cast<VrfWriteOp>(raw));
}

template <typename OpT> OpT LaneBuilder::write(OpT op, const Position &at) {
  Value data = operand(op.getValue(), op.getLoc());
  Value predicate = op.getPredicate() ? operand(op.getPredicate(), op.getLoc()) : Value();
  return copyWrite(op, at, data, predicate);
}

template <typename OpT> void LaneBuilder::vrf(OpT op) {
  // One element for all lanes: its beat, and the lane that it is in.
  const int64_t step = laneStep(op), size = factor, offset = about.of(op).offset;
  const int64_t element = ((offset % size) + size) % size;
  const Position at = positionOf(op, step ? offset : offset - element);
  Value index;
  std::optional<int> lane; // of the index; none: each lane has its own
  if (op.getIndex()) {
    const LaneValue value = valueOf(op.getIndex());
    if (value.kind != LaneValue::Lanes)
      lane = value.kind == LaneValue::One ? value.lane : 0;
    index = scaled(op.getLoc(), value.value, int64_t(*op.getIndexScale()) / size);
  }
  OpT made;
  if constexpr (std::is_same_v<OpT, VrfReadOp>) {
    made = onArray(copy(op, at), index);
    values[op.getResult()] =
        step ? LaneValue{LaneValue::Lanes, made} : LaneValue{LaneValue::One, made, int(element)};
  } else {
    made = onArray(write(op, at), index);
  }
  if (lane)
    made.setLane(*lane);
}
