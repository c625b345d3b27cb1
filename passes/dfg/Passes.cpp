// The pipelines, and registration for acis-opt.
#include "passes/dfg/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

void dfg::buildDfgTransforms(OpPassManager &manager, const Overlay &overlay) {
  manager.addPass(createShareArraysPass(overlay));
  OpPassManager &handlers = manager.nest<HandlerOp>();
  handlers.addPass(createSimplifyPass());
  handlers.addPass(createCSEPass());
  handlers.addPass(createReducePass());
  handlers.addPass(createReplicatePass(overlay));
  handlers.addPass(createReducePass()); // unrolled updates are chains now
  handlers.addPass(createLanesPass(overlay));
  handlers.addPass(createCSEPass());
  handlers.addPass(createRebalancePass(overlay));
  handlers.addPass(createFusePass());
  handlers.addPass(createCSEPass()); // removes what was fused away
  handlers.addPass(createSpreadArraysPass(overlay));
}

void dfg::buildDfgPipeline(OpPassManager &manager, const Overlay &overlay) {
  buildDfgTransforms(manager, overlay);
  manager.nest<HandlerOp>().addPass(createMapPass(overlay));
}

namespace {

struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<std::string> overlay{*this, "overlay", llvm::cl::desc("the overlay's JSON description")};
};

/// The same passes, each reading the overlay by itself: for text pipelines.
void buildFromFile(OpPassManager &manager, const PipelineOptions &options, bool map) {
  ReplicatePassOptions replicate{options.overlay};
  LanesPassOptions lanes{options.overlay};
  manager.addPass(createShareArraysPass(ShareArraysPassOptions{options.overlay}));
  OpPassManager &handlers = manager.nest<HandlerOp>();
  handlers.addPass(createSimplifyPass());
  handlers.addPass(createCSEPass());
  handlers.addPass(createReducePass());
  handlers.addPass(createReplicatePass(replicate));
  handlers.addPass(createReducePass());
  handlers.addPass(createLanesPass(lanes));
  handlers.addPass(createCSEPass());
  handlers.addPass(createRebalancePass(RebalancePassOptions{options.overlay}));
  handlers.addPass(createFusePass());
  handlers.addPass(createCSEPass());
  handlers.addPass(createSpreadArraysPass(SpreadArraysPassOptions{options.overlay}));
  if (map)
    handlers.addPass(createMapPass(MapPassOptions{options.overlay, 1}));
}

} // namespace

void dfg::registerDfgPasses() {
  registerAcisDfgPasses();
  static PassPipelineRegistration<PipelineOptions> transforms(
      "dfg-transforms", "every dfg pass before the mapper",
      [](OpPassManager &manager, const PipelineOptions &options) {
        buildFromFile(manager, options, /*map=*/false);
      });
  static PassPipelineRegistration<PipelineOptions> whole(
      "dfg-pipeline", "every dfg pass and the mapper",
      [](OpPassManager &manager, const PipelineOptions &options) {
        buildFromFile(manager, options, /*map=*/true);
      });
}
