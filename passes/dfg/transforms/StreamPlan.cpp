// Streams move forward without gaps: each iteration takes whole beats in order.
#include "passes/dfg/transforms/StreamPlan.h"

using namespace mlir;
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
        return mlir::emitError(access.op.getLoc())
               << "stream is accessed with two element types in one loop; use one, or one loop "
                  "for each";
      if (!access.steps.rest.sameTerms(accesses[0].steps.rest) ||
          access.steps.loops != accesses[0].steps.loops)
        return mlir::emitError(access.op.getLoc())
               << "two accesses of the stream in one loop move by different steps";
      if (access.steps.lane != bytes && (access.steps.lane != 0 || !isRead))
        return mlir::emitError(access.op.getLoc())
               << "stream position moves by " << access.steps.lane
               << " bytes from lane to lane, elements have " << bytes << "; "
               << (isRead ? "they have to be adjacent (or the same for all lanes)"
                          : "they have to be adjacent: collect single values in an array "
                            "and send it by a loop");
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
    InFlightDiagnostic diag = mlir::emitError(accesses[0].op.getLoc());
    if (!even)
      diag << "stream position moves by " << loops[0] << " bytes in the outer loop and " << advance
           << " in the inner one, which runs " << shape.innerCount() << " times: there is a gap";
    else
      diag << "stream position does not move forward in the loop; copy what is needed again to "
              "an array";
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
      return mlir::emitError(accesses[0].op.getLoc())
             << "loop " << (isRead ? "reads " : "writes ") << plan.beats.size() * step << " of "
             << advance << " bytes of the stream per iteration; "
             << (isRead ? "read all of them" : "write all of them");
    uint64_t full =
        plan.splat ? 1 : (shape.vf == 64 ? ~uint64_t(0) : (uint64_t(1) << shape.vf) - 1);
    for (auto [beat, lanes] : llvm::zip(plan.beats, covered))
      if ((lanes & full) != full)
        return mlir::emitError(beat.first.getLoc())
               << "loop uses " << llvm::popcount(lanes & full) << " of the " << shape.vf
               << " elements of a beat of the stream; use all of them";
    return success();
  }

  LogicalResult misplaced(Access &access, int64_t step) {
    return mlir::emitError(access.op.getLoc())
           << "stream access is " << access.steps.rest.offset - accesses[0].steps.rest.offset
           << " bytes after the first one of the iteration; expected the next multiple of " << step;
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
