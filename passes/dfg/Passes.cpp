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

std::unique_ptr<Pass> mapWith(const Overlay &overlay) { return createMapPass(overlay); }

constexpr Properties None = Properties::None;

constexpr DfgStep Steps[] = {
    {"the first, on all handlers: homes are the same in each", None, Properties::OneHome,
     createShareArraysPass, reading<ShareArraysPassOptions, createShareArraysPass>},
    {"multiplications of indices are shifts, which the next passes know", None, None,
     always<createSimplifyPass>, named<createSimplifyPass>},
    {"what was replaced may be there already", None, None, always<createCSEPass>,
     named<createCSEPass>},
    {"one copy for each VPE, in front of lanes, which are inside of a VPE", Properties::OneHome,
     Properties::PlacedArrays, createReplicatePass,
     reading<ReplicatePassOptions, createReplicatePass>},
    {"loops over VPEs are gone, and their updates are chains", Properties::PlacedArrays,
     Properties::FlatGraphs, createLanesPass, reading<LanesPassOptions, createLanesPass>},
    {"copies for lanes and unrolled iterations compute the same addresses", Properties::FlatGraphs,
     None, always<createCSEPass>, named<createCSEPass>},
    {"on graphs, where a recurrence is a cycle", Properties::FlatGraphs, None, createRebalancePass,
     reading<RebalancePassOptions, createRebalancePass>},
    {"behind dfg-rebalance, which cannot look into fused nodes", Properties::FlatGraphs, None,
     always<createFusePass>, named<createFusePass>},
    {"removes what was fused away", None, None, always<createCSEPass>, named<createCSEPass>},
    {"the last, as it counts the accesses that are left",
     Properties::PlacedArrays | Properties::FlatGraphs, None, createSpreadArraysPass,
     reading<SpreadArraysPassOptions, createSpreadArraysPass>},
};

constexpr DfgStep MapStep = {"nothing changes a graph once its nodes have places",
                             Properties::PlacedArrays | Properties::FlatGraphs,
                             Properties::MappedGraphs, mapWith,
                             reading<MapPassOptions, createMapPass>};

/// Adds steps one by one, with checks round them if that is asked for.
class StepAdder {
public:
  StepAdder(OpPassManager &manager, bool verify, Properties holding = None)
      : manager(manager), holding(holding), verify(verify) {}

  void add(const DfgStep &step, std::unique_ptr<Pass> pass) {
    const std::string name = pass->getArgument().str();
    check(step.needs, "in front of " + name);
    if (pass->getOpName() == HandlerOp::getOperationName() || !pass->getOpName())
      manager.nest<HandlerOp>().addPass(std::move(pass));
    else
      manager.addPass(std::move(pass));
    holding |= step.gives;
    check(holding, "behind " + name);
  }

private:
  void check(Properties properties, std::string where) {
    if (verify && properties != None)
      manager.addPass(createVerifyPropertiesPass(properties, std::move(where)));
  }

  OpPassManager &manager;
  Properties holding;
  bool verify;
};

struct PipelineOptions : PassPipelineOptions<PipelineOptions> {
  Option<std::string> overlay{*this, "overlay", llvm::cl::desc("the overlay's JSON description")};
};

void buildFromFile(OpPassManager &manager, const PipelineOptions &options, bool map) {
  StepAdder adder(manager, /*verify=*/true);
  for (const DfgStep &step : Steps)
    adder.add(step, step.createFromFile(options.overlay));
  if (map)
    adder.add(MapStep, MapStep.createFromFile(options.overlay));
}

} // namespace

llvm::ArrayRef<DfgStep> dfg::dfgSteps() { return Steps; }
const DfgStep &dfg::mapStep() { return MapStep; }

void dfg::buildDfgTransforms(OpPassManager &manager, const Overlay &overlay, bool verify) {
  StepAdder adder(manager, verify);
  for (const DfgStep &step : Steps)
    adder.add(step, step.create(overlay));
}

void dfg::buildMapping(OpPassManager &manager, const Overlay &overlay, const MapSettings &settings,
                       MapTimer timer, bool verify) {
  StepAdder(manager, verify,
            Properties::OneHome | Properties::PlacedArrays | Properties::FlatGraphs)
      .add(MapStep, createMapPass(overlay, settings, std::move(timer)));
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
  static PassPipelineRegistration<> check(
      "dfg-verify-mapped", "check all properties that hold behind the mapper",
      [](OpPassManager &manager) {
        manager.addPass(createVerifyPropertiesPass(Properties::OneHome | Properties::PlacedArrays |
                                                       Properties::FlatGraphs |
                                                       Properties::MappedGraphs,
                                                   "behind dfg-map"));
      });
}
