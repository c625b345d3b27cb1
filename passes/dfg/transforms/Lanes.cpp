// dfg-lanes: each nest becomes one flat graph.
#include "passes/dfg/Marks.h"
#include "passes/dfg/OverlayPass.h"
#include "passes/dfg/Passes.h"
#include "passes/dfg/transforms/Attempt.h"
#include "passes/dfg/transforms/ElementBuilder.h"
#include "passes/dfg/transforms/LaneBuilder.h"
#include "passes/dfg/transforms/Transfer.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace acis::dfg {
#define GEN_PASS_DEF_LANESPASS
#include "passes/dfg/Passes.h.inc"
} // namespace acis::dfg

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

namespace {

class Lanes : public acis::dfg::impl::LanesPassBase<Lanes> {
public:
  using LanesPassBase::LanesPassBase;
  void useOverlay(const Overlay &given) { source.set(given); }

private:
  void runOnOperation() override {
    const Overlay *overlay = source.get(overlayFile, getOperation().getLoc());
    if (!overlay)
      return signalPassFailure();
    bool failedAny = false;
    for (auto nest : getOperation().getOps<NestOp>()) {
      auto loops = nest.getBody().getOps<LoopOp>();
      if (loops.empty())
        continue; // a graph already
      failedAny |= failed(build(nest, overlay->lanes));
    }
    if (failedAny)
      signalPassFailure();
  }

  /// Lanes if they are possible, else one element per iteration.
  LogicalResult build(NestOp nest, unsigned lanes) {
    if (nest->hasAttr(ScalarAttr))
      return ElementBuilder(nest, laneBitsOf(nest)).run();
    auto buildLanes = [&]() -> LogicalResult {
      FailureOr<Shape> shape = shapeOf(nest, lanes);
      return failed(shape) ? failure() : LaneBuilder(nest, *shape).run();
    };
    if (lanesOnly)
      return buildLanes();
    OwningOpRef<NestOp> before = nest.clone();
    const Attempt asLanes = attempt(&getContext(), buildLanes);
    if (!asLanes.refused)
      return success(asLanes.succeeded);
    nest.getBody().takeBody(before->getBody());
    nest->setAttr(ScalarAttr, StringAttr::get(&getContext(), textOf(asLanes.refused->refusal)));
    const Attempt asElements =
        attempt(&getContext(), [&] { return ElementBuilder(nest, laneBitsOf(nest)).run(); });
    if (!asElements.refused)
      return success(asElements.succeeded);
    InFlightDiagnostic error = refuse(*asLanes.refused);
    error.attachNote(asElements.refused->at)
        << "nor can it run one element per iteration: " << textOf(asElements.refused->refusal);
    return failure();
  }

  OverlaySource source;
};

} // namespace

std::unique_ptr<Pass> acis::dfg::createLanesPass(const Overlay &overlay) {
  auto pass = std::make_unique<Lanes>();
  pass->useOverlay(overlay);
  return pass;
}
