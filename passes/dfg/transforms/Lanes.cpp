// dfg-lanes: each nest becomes one flat graph.
#include "passes/dfg/Passes.h"
#include "passes/dfg/transforms/LaneBuilder.h"
#include "passes/dfg/transforms/OverlayPass.h"

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
      FailureOr<Shape> shape = shapeOf(nest, overlay->lanes);
      failedAny |= failed(shape) || failed(LaneBuilder(nest, *shape).run());
    }
    if (failedAny)
      signalPassFailure();
  }

  OverlaySource source;
};

} // namespace

std::unique_ptr<Pass> acis::dfg::createLanesPass(const Overlay &overlay) {
  auto pass = std::make_unique<Lanes>();
  pass->useOverlay(overlay);
  return pass;
}
