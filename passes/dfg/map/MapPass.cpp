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
    MapSettings settings;
    settings.search.minIi = minIi;
    settings.search.seed = seed;
    settings.search.threads = threads;
    settings.exact = exact;
    settings.seconds = timeout;
    bool failedAny = false;
    for (auto nest : getOperation().getOps<NestOp>())
      for (auto graph : nest.getBody().getOps<GraphOp>())
        failedAny |= failed(mapTimed(graph, *overlay, settings));
    if (failedAny)
      signalPassFailure();
  }

  LogicalResult mapTimed(GraphOp graph, const Overlay &overlay, const MapSettings &settings) {
    auto start = std::chrono::steady_clock::now();
    LogicalResult result = mapGraph(graph, overlay, settings);
    std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    if (timer)
      timer(graph, time.count());
    return result;
  }

  OverlaySource source;
  MapTimer timer;
};

} // namespace

std::unique_ptr<Pass> acis::dfg::createMapPass(const Overlay &overlay, const MapSettings &settings,
                                               MapTimer timer) {
  MapPassOptions options;
  options.minIi = settings.search.minIi;
  options.seed = settings.search.seed;
  options.threads = settings.search.threads;
  options.exact = settings.exact;
  options.timeout = settings.seconds;
  auto pass = std::make_unique<Map>(options);
  pass->useOverlay(overlay);
  pass->useTimer(std::move(timer));
  return pass;
}
