// dfg-map: maps every graph of a handler.
#include "passes/dfg/Passes.h"
#include "passes/dfg/map/MapGraph.h"
#include "passes/dfg/transforms/OverlayPass.h"

#include <chrono>

namespace acis::dfg {
#define GEN_PASS_DEF_MAPPASS
#include "passes/dfg/Passes.h.inc"
} // namespace acis::dfg

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

namespace {

class Map : public acis::dfg::impl::MapPassBase<Map> {
public:
  using MapPassBase::MapPassBase;
  void useOverlay(const Overlay &given) { source.set(given); }
  void useTimer(MapTimer given) { timer = std::move(given); }

private:
  void runOnOperation() override {
    const Overlay *overlay = source.get(overlayFile, getOperation().getLoc());
    if (!overlay)
      return signalPassFailure();
    map::Options options;
    options.minIi = minIi;
    bool failedAny = false;
    for (auto nest : getOperation().getOps<NestOp>())
      for (auto graph : nest.getBody().getOps<GraphOp>())
        failedAny |= failed(mapTimed(graph, *overlay, options));
    if (failedAny)
      signalPassFailure();
  }

  LogicalResult mapTimed(GraphOp graph, const Overlay &overlay, const map::Options &options) {
    auto start = std::chrono::steady_clock::now();
    LogicalResult result = mapGraph(graph, overlay, options);
    std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    if (timer)
      timer(graph, time.count());
    return result;
  }

  OverlaySource source;
  MapTimer timer;
};

} // namespace

std::unique_ptr<Pass> acis::dfg::createMapPass(const Overlay &overlay, unsigned minIi,
                                               MapTimer timer) {
  MapPassOptions options;
  options.minIi = minIi;
  auto pass = std::make_unique<Map>(options);
  pass->useOverlay(overlay);
  pass->useTimer(std::move(timer));
  return pass;
}
