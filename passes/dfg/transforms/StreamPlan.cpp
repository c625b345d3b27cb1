// Streams move forward without gaps: each iteration takes whole beats in order.
#include "passes/dfg/transforms/StreamPlan.h"
#include "passes/dfg/Refuse.h"

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

Type acis::dfg::valueType(AccessOpInterface access) {
  if (access->getNumResults())
    return access->getResult(0).getType();
  return access->getOperand(0).getType();
}

int64_t acis::dfg::elementBytes(AccessOpInterface access) {
  auto elem = access->getAttrOfType<TypeAttr>("elem");
  return bitsOf(elem ? elem.getValue() : valueType(access)) / 8;
}

namespace {

struct Access {
  AccessOpInterface op;
  Steps steps;
  size_t number = 0; ///< in program order
};

class Planner {
public:
  Planner(ArrayRef<AccessOpInterface> ops, const Shape &shape) : ops(ops), shape(shape) {}

  FailureOr<StreamPlan> run() {
    if (failed(collect()) || failed(checkAdvance()))
      return failure();
    int64_t beat = int64_t(shape.vf) * bytes;
    bool allUniform =
        llvm::all_of(accesses, [](const Access &access) { return access.steps.lane == 0; });
    plan.splat = isRead && allUniform && iterates && advance % beat != 0;
    if (failed(assign(plan.splat ? bytes : beat)))
      return failure();
    return std::move(plan);
  }

private:
  LogicalResult collect() {
    AccessOpInterface head = ops.front();
    isRead = mlir::isa<StreamReadOp>(head.getOperation());
    for (AccessOpInterface op : ops) {
      FailureOr<Steps> steps = stepsOf(op, shape);
      if (failed(steps))
        return failure();
      accesses.push_back({op, *steps, accesses.size()});
    }
    llvm::sort(accesses, [](const Access &x, const Access &y) {
      return std::pair(x.steps.rest.offset, x.number) < std::pair(y.steps.rest.offset, y.number);
    });
    bytes = elementBytes(accesses[0].op);
    for (Access &access : accesses) {
      if (elementBytes(access.op) != bytes || valueType(access.op) != valueType(accesses[0].op))
        return refuse(access.op.getLoc(), Refusal(Why::StreamOfTwoTypes));
      if (!access.steps.rest.sameTerms(accesses[0].steps.rest) ||
          access.steps.loops != accesses[0].steps.loops)
        return refuse(access.op.getLoc(), Refusal(Why::StreamOfTwoSteps));
      if (access.steps.lane != bytes && (access.steps.lane != 0 || !isRead))
        return refuse(access.op.getLoc(),
                      Refusal(isRead ? Why::StreamLanesApart : Why::SentLanesApart,
                              access.steps.lane, bytes));
    }
    return success();
  }

  // Bytes per sequencer iteration, the same from every iteration to the next.
  LogicalResult checkAdvance() {
    ArrayRef<int64_t> loops = accesses[0].steps.loops;
    iterates = !loops.empty();
    if (!iterates)
      return success();
    advance = loops.back();
    bool even = loops.size() < 2 || loops[0] == advance * shape.innerCount();
    if (advance > 0 && even)
      return success();
    InFlightDiagnostic diag =
        refuse(accesses[0].op.getLoc(),
               even ? Refusal(Why::StreamStands)
                    : Refusal(Why::StreamGapOfRows, loops[0], advance, shape.innerCount()));
    return diag;
  }

  LogicalResult assign(int64_t step) {
    int64_t base = accesses[0].steps.rest.offset;
    for (Access &access : accesses) {
      int64_t distance = access.steps.rest.offset - base;
      bool uniform = access.steps.lane == 0;
      unsigned number = unsigned(distance / step);
      if ((!uniform && distance % step) || distance % bytes)
        return misplaced(access, step);
      if (number == plan.beats.size())
        plan.beats.push_back({base + number * step, access.op});
      else if (number + 1 != plan.beats.size())
        return misplaced(access, step);
      covered.resize(plan.beats.size());
      int lane = uniform ? int(distance % step / bytes) : -1;
      covered[number] |= uniform ? uint64_t(1) << lane : ~uint64_t(0);
      plan.uses[access.op] = {number, plan.splat || !uniform ? -1 : lane};
    }
    return checkCover(step);
  }

  // Every byte that passes is read: a beat cannot be skipped inside a loop.
  LogicalResult checkCover(int64_t step) {
    if (iterates && int64_t(plan.beats.size()) * step != advance)
      return refuse(accesses[0].op.getLoc(),
                    Refusal(isRead ? Why::LanesReadPart : Why::LanesWritePart,
                            plan.beats.size() * step, advance));
    uint64_t full =
        plan.splat ? 1 : (shape.vf == 64 ? ~uint64_t(0) : (uint64_t(1) << shape.vf) - 1);
    for (auto [beat, lanes] : llvm::zip(plan.beats, covered))
      if ((lanes & full) != full)
        return refuse(beat.first.getLoc(),
                      Refusal(Why::BeatUsedInPart, llvm::popcount(lanes & full), shape.vf));
    return success();
  }

  LogicalResult misplaced(Access &access, int64_t step) {
    return refuse(access.op.getLoc(),
                  Refusal(Why::StreamMisplaced,
                          access.steps.rest.offset - accesses[0].steps.rest.offset, step));
  }

  ArrayRef<AccessOpInterface> ops;
  const Shape &shape;
  SmallVector<Access> accesses;
  SmallVector<uint64_t> covered;
  StreamPlan plan;
  bool isRead = true, iterates = true;
  int64_t bytes = 4, advance = 0;
};

} // namespace

FailureOr<StreamPlan> acis::dfg::planStream(ArrayRef<AccessOpInterface> accesses,
                                            const Shape &shape) {
  if (accesses.empty())
    return StreamPlan();
  return Planner(accesses, shape).run();
}
