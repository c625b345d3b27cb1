// dfg-map: maps every graph of a handler.
#include "passes/dfg/OverlayPass.h"
#include "passes/dfg/Passes.h"
#include "passes/dfg/map/MapGraph.h"

#include <chrono>
#include <ctime>

namespace acis::dfg {
#define GEN_PASS_DEF_MAPPASS
#include "passes/dfg/Passes.h.inc"
} // namespace acis::dfg

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

namespace {

class Map : public OverlayPass<acis::dfg::impl::MapPassBase<Map>> {
public:
  using OverlayPass::OverlayPass;
  void useTimer(MapTimer given) { timer = std::move(given); }

private:
  LogicalResult runWith(const Overlay &overlay) override {
    MapSettings settings;
    settings.search.minIi = minIi;
    settings.search.seed = seed;
    settings.search.threads = threads;
    if (persistent)
      settings.search.patience = map::Patience::Persistent;
    settings.exact = exact;
    settings.seconds = timeout;
    bool failedAny = false;
    for (auto nest : getOperation().getOps<NestOp>())
      for (auto graph : nest.getBody().getOps<GraphOp>())
        failedAny |= failed(mapTimed(graph, overlay, settings));
    return failure(failedAny);
  }

  /// Milliseconds of the processor, which other processes do not disturb; of the clock on the wall
  /// if several threads search.
  double now() const {
    if (threads == 1)
      return 1e3 * double(std::clock()) / CLOCKS_PER_SEC;
    return std::chrono::duration<double, std::milli>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }

  LogicalResult mapTimed(GraphOp graph, const Overlay &overlay, const MapSettings &settings) {
    double start = now();
    LogicalResult result = mapGraph(graph, overlay, settings);
    if (timer)
      timer(graph, now() - start);
    return result;
  }

  MapTimer timer;
};

} // namespace

std::unique_ptr<Pass> acis::dfg::createMapPass(const Overlay &overlay, const MapSettings &settings,
                                               MapTimer timer) {
  MapPassOptions options;
  options.minIi = settings.search.minIi;
  options.seed = settings.search.seed;
  options.threads = settings.search.threads;
  options.persistent = settings.search.patience == map::Patience::Persistent;
  options.exact = settings.exact;
  options.timeout = settings.seconds;
  auto pass = createWith<Map>(overlay, options);
  pass->useTimer(std::move(timer));
  return pass;
}
