// dfg-lanes: each nest becomes one flat graph.
#include "passes/dfg/Marks.h"
#include "passes/dfg/OverlayPass.h"
#include "passes/dfg/Passes.h"
#include "passes/dfg/Refuse.h"
#include "passes/dfg/transforms/ElementBuilder.h"
#include "passes/dfg/transforms/LaneBuilder.h"
#include "passes/dfg/transforms/Reductions.h"

#include "mlir/IR/Builders.h"

namespace acis::dfg {
#define GEN_PASS_DEF_LANESPASS
#include "passes/dfg/Passes.h.inc"
} // namespace acis::dfg

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

namespace {

class Lanes : public OverlayPass<acis::dfg::impl::LanesPassBase<Lanes>> {
public:
  using OverlayPass::OverlayPass;

private:
  LogicalResult runWith(const Overlay &overlay) override {
    bool failedAny = false;
    for (auto nest : getOperation().getOps<NestOp>()) {
      if (nest.getBody().getOps<LoopOp>().empty())
        continue; // a graph already
      const bool mayBeLanes = !nest->hasAttr(ScalarAttr);
      nest.walk([&](LoopOp loop) { combineUpdates(loop, /*mayNegate=*/mayBeLanes); });
      failedAny |= failed(build(describe(nest), overlay.lanes));
    }
    return failure(failedAny);
  }

  /// Lanes if they are possible, else one element per iteration. What is judged to be possible can
  /// be built.
  LogicalResult build(const DescribedNest &about, unsigned lanes) {
    NestOp nest = about.op;
    if (nest->hasAttr(ScalarAttr))
      return buildElements(about);
    const nest::Judged<nest::Lanes> judged =
        nest::judgeLanes(about.form, lanes * 32 / about.laneBits);
    if (judged) {
      LaneBuilder(about, *judged).run();
      return success();
    }
    if (lanesOnly)
      return about.refuse(judged.error());
    const std::string why = textOf(judged.error().refusal);
    nest->setAttr(ScalarAttr, StringAttr::get(&getContext(), why));
    return buildElements(about, &judged.error());
  }

  static LogicalResult buildElements(const DescribedNest &about,
                                     const nest::Obstacle *whyNotLanes = nullptr) {
    ElementBuilder elements(about);
    const StatusOf<nest::Obstacle> verdict = elements.judge();
    if (verdict) {
      elements.run();
      return success();
    }
    const nest::Obstacle &obstacle = verdict.error();
    // A fault is no reason why the program cannot be run.
    if (!whyNotLanes || !mayTryElse(obstacle.refusal))
      return about.refuse(obstacle);
    InFlightDiagnostic error = about.refuse(*whyNotLanes);
    error.attachNote(about.placeOf(obstacle))
        << "nor can it run one element per iteration: " << textOf(obstacle.refusal);
    return error;
  }
};

} // namespace

std::unique_ptr<Pass> acis::dfg::createLanesPass(const Overlay &overlay) {
  return createWith<Lanes>(overlay);
}
