// Choice of lane loop and sequencer loops.
#include "passes/dfg/transforms/Shape.h"
#include "passes/cost/CostModel.h"
#include "passes/dfg/Refuse.h"
#include "passes/dfg/transforms/Transfer.h"

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

int64_t Shape::innerCount() const {
  if (sequencer.size() < 2)
    return 1;
  LoopOp loop = sequencer[1].loop;
  int64_t count = *loop.getConstantTrip();
  if (sequencer[1].strip)
    count /= vf;
  for (LoopOp merged : sequencer[1].merged)
    count *= *merged.getConstantTrip();
  return count;
}

bool Shape::runsEachIteration(Block *block) const {
  if (block == laneLoop().getBlock())
    return true;
  if (strip)
    return false;
  return block == laneLoop()->getBlock();
}

// The loops from the outside in; each holds at most one other.
static LogicalResult collectLoops(NestOp nest, Shape &shape) {
  Block *block = &nest.getBody().front();
  while (true) {
    auto inner = block->getOps<LoopOp>();
    if (inner.empty())
      break;
    LoopOp loop = *inner.begin();
    if (std::next(inner.begin()) != inner.end())
      return refuse((*std::next(inner.begin())).getLoc(), Refusal(Why::SecondSideBySide));
    if (loop->hasAttr("rolled"))
      shape.rolled = loop;
    else
      shape.loops.push_back(loop);
    block = loop.getBlock();
  }
  if (shape.loops.empty())
    return refuse(nest.getLoc(), Refusal(Why::NoLaneLoop, nest.getSymName()));
  return success();
}

static LogicalResult checkTrips(const Shape &shape) {
  for (LoopOp loop : llvm::drop_begin(shape.loops))
    if (!loop.getConstantTrip())
      return refuse(loop.getLoc(), Refusal(Why::LaneCountUnknown));
  LoopOp lane = shape.laneLoop();
  if (shape.strip && shape.loops.size() > 1 && *lane.getConstantTrip() % shape.vf)
    return refuse(lane.getLoc(),
                  Refusal(Why::LaneCountNotWhole, *lane.getConstantTrip(), shape.vf));
  return success();
}

Steps acis::dfg::constantSteps(const Position &position, const Shape &shape) {
  Steps steps;
  steps.rest = position;
  LoopOp lane = shape.laneLoop();
  steps.lane = position.coefficient(lane.getIndex());
  for (const SequencerLoop &level : shape.sequencer) {
    LoopOp loop = level.loop;
    steps.loops.push_back(position.coefficient(loop.getIndex()) * (level.strip ? shape.vf : 1));
  }
  for (LoopOp loop : shape.loops)
    steps.rest.remove(loop.getIndex());
  return steps;
}

FailureOr<Steps> acis::dfg::stepsOf(AccessOpInterface access, const Shape &shape) {
  Position position = access.getPosition();
  for (LoopOp loop : shape.loops)
    if (position.productWith(loop.getIndex()))
      return refuse(access.getLoc(), Refusal(Why::StepOutsideVpes));
  return constantSteps(position, shape);
}

// Two loops are one if every access steps through both without a gap and nothing else
// looks at their indices.
static bool canMerge(NestOp nest, const Shape &shape, size_t outer) {
  const SequencerLoop &inner = shape.sequencer[outer + 1];
  LoopOp innerLoop = inner.loop, outerLoop = shape.sequencer[outer].loop;
  int64_t trip = *innerLoop.getConstantTrip() / (inner.strip ? int64_t(shape.vf) : 1);
  for (LoopOp merged : inner.merged)
    trip *= *merged.getConstantTrip();
  for (LoopOp loop : {innerLoop, outerLoop})
    for (OpOperand &use : loop.getIndex().getUses())
      if (!mlir::isa<AccessOpInterface>(use.getOwner()))
        return false;
  WalkResult result = nest.walk([&](AccessOpInterface access) {
    Steps steps = constantSteps(access.getPosition(), shape);
    return steps.loops[outer] == steps.loops[outer + 1] * trip ? WalkResult::advance()
                                                               : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

static LogicalResult chooseSequencer(NestOp nest, Shape &shape) {
  for (LoopOp loop : ArrayRef(shape.loops).drop_back())
    shape.sequencer.push_back({loop, false, {}});
  if (shape.strip)
    shape.sequencer.push_back({shape.laneLoop(), true, {}});
  while (shape.sequencer.size() > 2) {
    size_t outer = 0;
    // The innermost pair whose outer loop is constant; the outermost may not be.
    for (outer = shape.sequencer.size() - 2; outer > 0; --outer)
      if (canMerge(nest, shape, outer))
        break;
    if (outer == 0)
      return refuse(shape.sequencer[0].loop->getLoc(),
                    Refusal(Why::TooManyLevels, shape.sequencer.size()));
    SequencerLoop &kept = shape.sequencer[outer + 1];
    kept.merged.push_back(shape.sequencer[outer].loop);
    shape.sequencer.erase(shape.sequencer.begin() + outer);
  }
  if (shape.innerCount() > int64_t(CostModel::MostInner))
    return refuse(shape.sequencer[1].loop->getLoc(),
                  Refusal(Why::InnerCountTooLarge, shape.innerCount(), CostModel::MostInner));
  return success();
}

FailureOr<Shape> acis::dfg::shapeOf(NestOp nest, unsigned lanes) {
  Shape shape;
  if (failed(collectLoops(nest, shape)))
    return failure();
  shape.laneBits = laneBitsOf(nest);
  shape.vf = lanes * 32 / shape.laneBits;
  LoopOp lane = shape.laneLoop();
  shape.strip = lane.getConstantTrip() != std::optional<uint64_t>(shape.vf);
  if (failed(checkTrips(shape)) || failed(chooseSequencer(nest, shape)))
    return failure();
  return shape;
}
