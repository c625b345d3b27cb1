// dfg-lanes: each nest becomes one flat graph.
#include "passes/dfg/Marks.h"
#include "passes/dfg/OverlayPass.h"
#include "passes/dfg/Passes.h"
#include "passes/dfg/Refuse.h"
#include "passes/dfg/transforms/Carried.h"
#include "passes/dfg/transforms/ElementBuilder.h"
#include "passes/dfg/transforms/LaneBuilder.h"

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

/// What came of an attempt.
struct Attempt {
  bool succeeded = false;
  /// Of one that failed: the refusal, if something else may be tried. Without it the user has been
  /// told of an error.
  std::optional<Refused> refused;
};

/// Runs `what`. The first refusal that leaves another way is kept; other errors go on to the user.
Attempt attempt(MLIRContext *context, llvm::function_ref<LogicalResult()> what) {
  Attempt attempt;
  bool isTold = false;
  ScopedDiagnosticHandler handler(context, [&](mlir::Diagnostic &diagnostic) {
    const bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
    Refusal refusal = refusalOf(diagnostic);
    if (!isError || !mayTryElse(refusal)) {
      isTold |= isError;
      return failure();
    }
    if (!attempt.refused)
      attempt.refused = Refused{diagnostic.getLocation(), std::move(refusal)};
    return success();
  });
  attempt.succeeded = succeeded(what());
  if (isTold)
    attempt.refused.reset();
  return attempt;
}

class Lanes : public OverlayPass<acis::dfg::impl::LanesPassBase<Lanes>> {
public:
  using OverlayPass::OverlayPass;

private:
  LogicalResult runWith(const Overlay &overlay) override {
    bool failedAny = false;
    for (auto nest : getOperation().getOps<NestOp>()) {
      auto loops = nest.getBody().getOps<LoopOp>();
      if (loops.empty())
        continue; // a graph already
      nest.walk([](LoopOp loop) { combineUpdates(loop); });
      failedAny |= failed(build(nest, overlay.lanes));
    }
    return failure(failedAny);
  }

  static LogicalResult buildElements(NestOp nest) {
    const DescribedNest about = describe(nest);
    return ElementBuilder(about).run();
  }

  /// Lanes if they are possible, else one element per iteration.
  LogicalResult build(NestOp nest, unsigned lanes) {
    if (nest->hasAttr(ScalarAttr))
      return buildElements(nest);
    auto buildLanes = [&]() -> LogicalResult {
      const DescribedNest about = describe(nest);
      if (about.loops.empty())
        return refuse(nest.getLoc(), Refusal(Why::NoLaneLoop, nest.getSymName()));
      const nest::Judged<nest::Lanes> judged =
          nest::judgeLanes(about.form, lanes * 32 / about.laneBits);
      return judged ? LaneBuilder(about, *judged).run() : about.refuse(judged.error());
    };
    if (lanesOnly)
      return buildLanes();
    OwningOpRef<NestOp> before = nest.clone();
    const Attempt asLanes = attempt(&getContext(), buildLanes);
    if (!asLanes.refused)
      return success(asLanes.succeeded);
    nest.getBody().takeBody(before->getBody());
    nest->setAttr(ScalarAttr, StringAttr::get(&getContext(), textOf(asLanes.refused->refusal)));
    const Attempt asElements = attempt(&getContext(), [&] { return buildElements(nest); });
    if (!asElements.refused)
      return success(asElements.succeeded);
    InFlightDiagnostic error = refuse(*asLanes.refused);
    error.attachNote(asElements.refused->at)
        << "nor can it run one element per iteration: " << textOf(asElements.refused->refusal);
    return failure();
  }
};

} // namespace

std::unique_ptr<Pass> acis::dfg::createLanesPass(const Overlay &overlay) {
  return createWith<Lanes>(overlay);
}
