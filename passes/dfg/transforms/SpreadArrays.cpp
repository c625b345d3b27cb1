// dfg-spread-arrays: where arrays live, and how often, once it is known who reads them.
//
// How well a loop with many accesses can be routed is hard to foresee from their homes. Where
// the first plan leaves a loop above the interval that it could have with arrays everywhere, the
// others are tried on copies of the handler, each mapped in a hurry, and the best one is taken.
// Plans for the grids inside come last, so that a larger grid does not do worse than they.
#include "passes/dfg/Passes.h"
#include "passes/dfg/map/MapGraph.h"
#include "passes/dfg/transforms/ArrayHomes.h"
#include "passes/dfg/transforms/Attempt.h"
#include "passes/dfg/transforms/OverlayPass.h"

#include <numeric>
#include <set>

namespace acis::dfg {
#define GEN_PASS_DEF_SPREADARRAYSPASS
#include "passes/dfg/Passes.h.inc"
} // namespace acis::dfg

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

namespace {

/// Part of the usual patience for one trial, and for a second one of the first plan.
constexpr unsigned Haste = 16, SecondHaste = 2;

/// Tries plans on copies of a handler.
class Choice {
public:
  Choice(HandlerOp handler, const Overlay &overlay)
      : handler(handler), overlay(overlay), grids(map::subGrids(overlay)) {}

  HomePlan best();

private:
  std::vector<HomePlan> others() const;
  void setGoals();
  unsigned intervals(HandlerOp trial, unsigned below, unsigned haste);
  unsigned interval(GraphOp graph, unsigned number, unsigned most, unsigned haste);
  static std::vector<int64_t> homesOf(HandlerOp trial);

  HandlerOp handler;
  const Overlay &overlay;
  std::vector<map::SubGrid> grids;
  std::vector<unsigned> goals; ///< by graph: the interval with arrays everywhere; 0: no arrays
};

SmallVector<GraphOp> graphsOf(HandlerOp handler) {
  SmallVector<GraphOp> graphs;
  for (auto nest : handler.getOps<NestOp>())
    for (auto graph : nest.getBody().getOps<GraphOp>())
      graphs.push_back(graph);
  return graphs;
}

bool hasArrays(GraphOp graph) {
  return graph
      .walk([](Operation *op) {
        return mlir::isa<VrfReadOp, VrfWriteOp>(op) ? WalkResult::interrupt()
                                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

std::vector<HomePlan> Choice::others() const {
  std::vector<HomePlan> plans{{.order = HomePlan::Path},
                              {.order = HomePlan::Path, .onePort = true},
                              {.order = HomePlan::Spaced, .onePort = true},
                              {.order = HomePlan::Columns, .onePort = true},
                              {.order = HomePlan::Corners, .onePort = true}};
  for (const map::SubGrid &grid : llvm::reverse(grids))
    if (grid.pes.size() != overlay.numPes())
      plans.push_back({.grid = &grid});
  return plans;
}

void Choice::setGoals() {
  for (GraphOp graph : graphsOf(handler)) {
    if (graph.getVpes() || !hasArrays(graph)) {
      goals.push_back(0);
      continue;
    }
    GraphProblem graphProblem = toProblem(graph, overlay);
    Refusal refusal; // dfg-map says it again
    (void)attempt(graph.getContext(), refusal,
                  [&] { return addDependences(graph, overlay, graphProblem); });
    for (map::Node &node : graphProblem.problem.nodes)
      node.pe.reset();
    goals.push_back(map::bounds(graphProblem.problem, overlay).mii());
  }
}

/// The interval of a graph if it is at most `most`, else one that is larger.
unsigned Choice::interval(GraphOp graph, unsigned number, unsigned most, unsigned haste) {
  const unsigned none = std::max(overlay.contextSlots, most) + 1;
  prepareCarries(graph);
  limitConstants(graph);
  GraphProblem graphProblem = toProblem(graph, overlay);
  Refusal refusal;
  if (failed(attempt(graph.getContext(), refusal,
                     [&] { return addDependences(graph, overlay, graphProblem); })))
    return none;
  map::Options options;
  options.haste = haste;
  options.maxIi = std::min(most, overlay.contextSlots);
  Result<map::Mapping> mapping = map::map(graphProblem.problem, overlay, options);
  return mapping ? std::max(mapping->ii, goals[number]) : none;
}

/// The sum over all graphs with arrays, or something that is not below `below`.
unsigned Choice::intervals(HandlerOp trial, unsigned below, unsigned haste) {
  unsigned sum = 0, rest = std::accumulate(goals.begin(), goals.end(), 0u);
  for (auto [number, graph] : llvm::enumerate(graphsOf(trial))) {
    if (goals[number] == 0)
      continue;
    rest -= goals[number];
    if (sum + rest + goals[number] >= below)
      return below;
    sum += interval(graph, unsigned(number), below - 1 - sum - rest, haste);
  }
  return sum;
}

std::vector<int64_t> Choice::homesOf(HandlerOp trial) {
  std::vector<int64_t> homes;
  trial.walk([&](Operation *op) {
    if (auto pe = op->getAttrOfType<IntegerAttr>("pe"); pe && mlir::isa<VrfReadOp, VrfWriteOp>(op))
      homes.push_back(pe.getInt());
  });
  return homes;
}

HomePlan Choice::best() {
  HomePlan best;
  OwningOpRef<HandlerOp> first = handler.clone();
  if (!placeArrays(*first, overlay, best))
    return best;
  setGoals();
  const unsigned goal = std::accumulate(goals.begin(), goals.end(), 0u);
  std::set<std::vector<int64_t>> tried{homesOf(*first)};
  const unsigned usual = intervals(*first, ~0u, Haste);
  unsigned least = usual;
  for (const HomePlan &plan : others()) {
    if (least <= goal)
      break;
    OwningOpRef<HandlerOp> trial = handler.clone();
    placeArrays(*trial, overlay, plan);
    if (!tried.insert(homesOf(*trial)).second)
      continue;
    if (unsigned sum = intervals(*trial, least, Haste); sum < least) {
      least = sum;
      best = plan;
    }
  }
  // A large graph may have been given up too early, or wants fewer copies.
  if (usual <= overlay.contextSlots || least <= goal)
    return best;
  const HomePlan large[] = {{},
                            {.order = HomePlan::Columns, .ease = 2, .onePort = true},
                            {.order = HomePlan::Columns, .ease = 4, .onePort = true}};
  for (const HomePlan &plan : large) {
    OwningOpRef<HandlerOp> again = handler.clone();
    placeArrays(*again, overlay, plan);
    if (intervals(*again, least, SecondHaste) < least)
      return plan;
    if (least < usual)
      break;
  }
  return best;
}

class SpreadArrays : public acis::dfg::impl::SpreadArraysPassBase<SpreadArrays> {
public:
  using SpreadArraysPassBase::SpreadArraysPassBase;
  void useOverlay(const Overlay &given) { source.set(given); }

private:
  void runOnOperation() override {
    const Overlay *overlay = source.get(overlayFile, getOperation().getLoc());
    if (!overlay)
      return signalPassFailure();
    Choice choice(getOperation(), *overlay);
    placeArrays(getOperation(), *overlay, choice.best());
  }

  OverlaySource source;
};

} // namespace

std::unique_ptr<Pass> acis::dfg::createSpreadArraysPass(const Overlay &overlay) {
  auto pass = std::make_unique<SpreadArrays>();
  pass->useOverlay(overlay);
  return pass;
}
