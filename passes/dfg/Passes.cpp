// The pipelines, and registration for acis-opt.
#include "passes/dfg/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

namespace {

/// A pass that asks no overlay is the same in both pipelines.
template <std::unique_ptr<Pass> (*create)()> std::unique_ptr<Pass> always(const Overlay &) {
  return create();
}
template <std::unique_ptr<Pass> (*create)()> std::unique_ptr<Pass> named(const std::string &) {
  return create();
}
/// One that reads the overlay by itself: for text pipelines.
template <typename Options, std::unique_ptr<Pass> (*create)(Options)>
std::unique_ptr<Pass> reading(const std::string &file) {
  return create(Options{file});
}

constexpr DfgStep Steps[] = {
    {"the first, on all handlers: homes are the same in each", createShareArraysPass,
     reading<ShareArraysPassOptions, createShareArraysPass>},
    {"multiplications of indices are shifts, which the next passes know",
     always<createSimplifyPass>, named<createSimplifyPass>},
    {"", always<createCSEPass>, named<createCSEPass>},
    {"decides what can be lanes", always<createReducePass>, named<createReducePass>},
    {"one copy for each VPE, in front of lanes, which are inside of a VPE", createReplicatePass,
     reading<ReplicatePassOptions, createReplicatePass>},
    {"unrolled updates are chains now", always<createReducePass>, named<createReducePass>},
    {"reductions are known and loops over VPEs are gone", createLanesPass,
     reading<LanesPassOptions, createLanesPass>},
    {"", always<createCSEPass>, named<createCSEPass>},
    {"on graphs, where a recurrence is a cycle", createRebalancePass,
     reading<RebalancePassOptions, createRebalancePass>},
    {"behind dfg-rebalance, which cannot look into fused nodes", always<createFusePass>,
     named<createFusePass>},
    {"removes what was fused away", always<createCSEPass>, named<createCSEPass>},
    {"the last, as it counts the accesses that are left", createSpreadArraysPass,
     reading<SpreadArraysPassOptions, createSpreadArraysPass>},
};

template <typename Create> void addTransforms(OpPassManager &manager, Create create) {
  for (const DfgStep &step : Steps) {
    std::unique_ptr<Pass> pass = create(step);
    if (pass->getOpName() == HandlerOp::getOperationName() || !pass->getOpName())
      manager.nest<HandlerOp>().addPass(std::move(pass));
    else
      manager.addPass(std::move(pass));
  }
}

struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<std::string> overlay{*this, "overlay", llvm::cl::desc("the overlay's JSON description")};
};

void buildFromFile(OpPassManager &manager, const PipelineOptions &options, bool map) {
  addTransforms(manager, [&](const DfgStep &step) { return step.createFromFile(options.overlay); });
  if (map)
    manager.nest<HandlerOp>().addPass(createMapPass(MapPassOptions{options.overlay, 1}));
}

} // namespace

llvm::ArrayRef<DfgStep> dfg::dfgSteps() { return Steps; }

void dfg::buildDfgTransforms(OpPassManager &manager, const Overlay &overlay) {
  addTransforms(manager, [&](const DfgStep &step) { return step.create(overlay); });
}

void dfg::buildDfgPipeline(OpPassManager &manager, const Overlay &overlay) {
  buildDfgTransforms(manager, overlay);
  manager.nest<HandlerOp>().addPass(createMapPass(overlay));
}

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
