// dfg-spread-arrays: where arrays live, and how often, once it is known who reads them.
//
// How well a loop with many accesses can be routed is hard to foresee from their homes. So some
// plans are tried on copies of the handler, with one attempt of the mapper each: all plans at the
// intervals that the loops could have with arrays everywhere, then all at larger intervals, and the
// first one that can be mapped is taken. Grids inside have their plans in the same race, with the
// attempts that they have by themselves, so that a larger grid does not do worse than they.
#include "passes/dfg/Marks.h"
#include "passes/dfg/OverlayPass.h"
#include "passes/dfg/Passes.h"
#include "passes/dfg/map/MapGraph.h"
#include "passes/dfg/transforms/ArrayHomes.h"
#include "passes/mapper/PlaceBound.h"

#include "mlir/IR/Builders.h"

#include <set>

namespace acis::dfg {
#define GEN_PASS_DEF_SPREADARRAYSPASS
#include "passes/dfg/Passes.h.inc"
} // namespace acis::dfg

using namespace mlir;
using namespace acis;
using namespace acis::dfg;

namespace {

/// What the attempts on one grid may take, in states of the mapper; a million is 10 to 20 ms.
constexpr unsigned long MostWork = 40'000'000;
/// Grids inside with fewer PEs are left out: they hardly ever do better.
constexpr unsigned FewPes = 16;
/// What the intervals are above those with arrays everywhere, step by step, in eighths.
constexpr unsigned Steps[] = {0, 1, 4, 8, 12, 24};
/// The one at which a graph that could be run in another way is asked for a mapping before the
/// steps, and with how many plans.
constexpr unsigned Asked = 24, AskedPlans = 3;
/// From this step on attempts are as patient as they are elsewhere: few loops come that far. So is
/// the second one at an interval, where steps are less than a cycle.
constexpr unsigned LateStep = 4;

/// Of twelve plans those that, together, did best on 62 of 63 loops to which plans made a
/// difference.
constexpr HomePlan Plans[] = {{HomePlan::Corners, HomePlan::Few},
                              {HomePlan::Path, HomePlan::Many},
                              {HomePlan::Path, HomePlan::OnePort},
                              {HomePlan::Spaced, HomePlan::Many},
                              {HomePlan::Corners, HomePlan::Many},
                              {HomePlan::Path, HomePlan::Few},
                              {HomePlan::Corners, HomePlan::Few, /*together=*/true}};

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

/// A graph if arrays were everywhere.
struct FreeGraph {
  map::Problem problem; ///< without nodes for graphs whose homes do not matter
  std::vector<ArrayGroup> groups;
  unsigned recurrences = 1; ///< bound on the interval that no grid changes

  unsigned intervalOn(const Overlay &overlay) const {
    map::Bounds bounds;
    map::boundResources(problem, overlay, bounds);
    return std::max(bounds.resMii, recurrences);
  }
};

/// The arrays of each recurrence that leads through several.
std::vector<ArrayGroup> groupsOf(const GraphProblem &graph) {
  std::vector<ArrayGroup> groups;
  for (const std::vector<unsigned> &component : map::componentsOf(graph.problem)) {
    ArrayGroup group;
    for (unsigned node : component)
      if (ArrayOp array = mlir::isa<VrfReadOp, VrfWriteOp>(graph.nodes[node])
                              ? arrayOf(graph.nodes[node])
                              : ArrayOp())
        if (!llvm::is_contained(group, array.getSymName()))
          group.push_back(array.getSymName());
    if (group.size() > 1)
      groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<FreeGraph> freeGraphs(HandlerOp handler, const Overlay &overlay) {
  std::vector<FreeGraph> result;
  for (GraphOp graph : graphsOf(handler)) {
    FreeGraph &free = result.emplace_back();
    if (graph.getVpes() || !hasArrays(graph))
      continue;
    GraphProblem graphProblem = toProblem(graph, overlay);
    (void)addDependences(graph, overlay, graphProblem); // dfg-map refuses
    for (map::Node &node : graphProblem.problem.nodes)
      node.pe.reset();
    free.groups = groupsOf(graphProblem);
    free.problem = std::move(graphProblem.problem);
    map::Bounds bounds = map::bounds(free.problem, overlay);
    free.recurrences = std::max(bounds.recMii, bounds.placeMii);
  }
  return result;
}

/// Intervals of 0 are of graphs where homes do not matter.
FreeArrays goalsOn(const std::vector<FreeGraph> &graphs, const Overlay &overlay) {
  FreeArrays goals;
  for (const FreeGraph &graph : graphs) {
    goals.intervals.push_back(graph.problem.nodes.empty() ? 0 : graph.intervalOn(overlay));
    llvm::append_range(goals.groups, graph.groups);
  }
  return goals;
}

/// A plan on a copy of the handler.
struct Trial {
  HomePlan plan;
  OwningOpRef<HandlerOp> handler;
  SmallVector<GraphOp> graphs;
  std::vector<unsigned> found; ///< by graph: its interval; 0: none yet
  std::vector<unsigned> tried; ///< by graph: the interval that could not be had, 0 for none
  std::vector<bool> isPatient; ///< by graph: with many attempts
};

/// The plans on one grid.
class Race {
public:
  /// `handler` is not changed.
  Race(HandlerOp handler, const Overlay &overlay, const std::vector<FreeGraph> &graphs);

  /// Whether one of the first plans has a mapping of the graph at an interval well above its goal.
  bool isHopeful(size_t graph);
  /// The sum of the intervals that are tried next; the largest number if none are.
  unsigned next() const;
  /// Tries them. Whether a plan can be mapped.
  bool run();
  /// After a success: the plan, and by graph the interval, 0 without arrays.
  const HomePlan &plan() const { return trials[winner].plan; }
  const std::vector<unsigned> &intervals() const { return trials[winner].found; }

private:
  void addTrials();
  unsigned intervalOf(size_t graph, unsigned eighths) const;
  unsigned intervalOf(size_t graph) const { return intervalOf(graph, Steps[step]); }
  unsigned expected(size_t graph) const;
  bool canMap(Trial &trial);
  bool canMap(Trial &trial, size_t graph, unsigned interval);
  bool canMap(GraphOp graph, unsigned interval, map::Patience patience);

  HandlerOp handler;
  const Overlay &overlay;
  FreeArrays free; ///< its intervals are the goals
  std::vector<Trial> trials;
  unsigned step = 0;
  unsigned long work = 0;
  size_t winner = 0;
};

Race::Race(HandlerOp handler, const Overlay &overlay, const std::vector<FreeGraph> &graphs)
    : handler(handler), overlay(overlay), free(goalsOn(graphs, overlay)) {}

std::vector<int64_t> homesOf(HandlerOp trial) {
  std::vector<int64_t> homes;
  trial.walk([&](Operation *op) {
    if (auto pe = op->getAttrOfType<IntegerAttr>("pe"); pe && mlir::isa<VrfReadOp, VrfWriteOp>(op))
      homes.push_back(pe.getInt());
  });
  return homes;
}

/// Plans that give the same homes are one, and those with copies that leave other arrays no room
/// are none.
void Race::addTrials() {
  std::set<std::vector<int64_t>> known;
  for (const HomePlan &plan : Plans) {
    std::vector<unsigned> none(free.intervals.size(), 0);
    Trial trial{
        plan, handler.clone(), {}, none, none, std::vector<bool>(free.intervals.size(), false)};
    if (!placeArrays(*trial.handler, overlay, plan, free).fits)
      continue;
    if (!known.insert(homesOf(*trial.handler)).second)
      continue;
    trial.graphs = graphsOf(*trial.handler);
    for (auto [number, graph] : llvm::enumerate(trial.graphs))
      if (free.intervals[number] != 0) {
        prepareCarries(graph);
        limitConstants(graph);
      }
    trials.push_back(std::move(trial));
  }
}

unsigned Race::intervalOf(size_t graph, unsigned eighths) const {
  return std::min(free.intervals[graph] + (free.intervals[graph] * eighths + 7) / 8,
                  overlay.contextSlots);
}

/// The interval of a graph at the next step, as far as is known: its goal until that failed, and no
/// more than some plan has had.
unsigned Race::expected(size_t graph) const {
  unsigned interval = intervalOf(graph);
  bool hasFailed = false;
  for (const Trial &trial : trials) {
    hasFailed |= trial.found[graph] == 0 && trial.tried[graph] != 0;
    if (trial.found[graph] != 0)
      interval = std::min(interval, trial.found[graph]);
  }
  return hasFailed ? interval : free.intervals[graph];
}

unsigned Race::next() const {
  if (work > MostWork || step == std::size(Steps))
    return ~0u;
  unsigned sum = 0;
  for (size_t graph = 0; graph < free.intervals.size(); ++graph)
    sum += expected(graph);
  return sum;
}

bool Race::canMap(GraphOp graph, unsigned interval, map::Patience patience) {
  map::Options options;
  options.patience = patience;
  options.minIi = options.maxIi = interval;
  options.work = &work;
  return searchGraph(graph, overlay, options).mapping.has_value();
}

bool Race::canMap(Trial &trial, size_t graph, unsigned interval) {
  const bool isKnown = trial.tried[graph] == interval;
  if (isKnown && trial.isPatient[graph])
    return false;
  trial.isPatient[graph] = isKnown || step >= LateStep;
  trial.tried[graph] = interval;
  if (!canMap(trial.graphs[graph], interval,
              trial.isPatient[graph] ? map::Patience::Usual : map::Patience::Brief))
    return false;
  trial.found[graph] = interval;
  return true;
}

bool Race::canMap(Trial &trial) {
  for (size_t graph = 0; graph < free.intervals.size(); ++graph) {
    if (free.intervals[graph] == 0 || trial.found[graph] != 0)
      continue;
    // An earlier graph may have kept this one from the steps before.
    const bool isNew = trial.tried[graph] == 0 && free.intervals[graph] < intervalOf(graph);
    if (!(isNew && canMap(trial, graph, free.intervals[graph])) &&
        !canMap(trial, graph, intervalOf(graph)))
      return false;
  }
  return true;
}

bool Race::isHopeful(size_t graph) {
  if (trials.empty())
    addTrials();
  return free.intervals[graph] == 0 ||
         llvm::any_of(ArrayRef(trials).take_front(AskedPlans), [&](const Trial &trial) {
           OwningOpRef<HandlerOp> copy = trial.handler.get().clone(); // a mapping adds nodes
           return canMap(graphsOf(*copy)[graph], intervalOf(graph, Asked), map::Patience::Brief);
         });
}

bool Race::run() {
  if (trials.empty())
    addTrials();
  for (winner = 0; winner < trials.size() && work <= MostWork; ++winner)
    if (canMap(trials[winner]))
      return true;
  ++step;
  return false;
}

class SpreadArrays : public OverlayPass<acis::dfg::impl::SpreadArraysPassBase<SpreadArrays>> {
public:
  using OverlayPass::OverlayPass;

private:
  LogicalResult runWith(const Overlay &overlay) override {
    choose(overlay);
    return success();
  }

  /// Whether all graphs that could be run in another way have a mapping that is easily found. Those
  /// are no longer marked: it is worth while to look for the best one.
  bool askOfOtherWays(Race &race) {
    bool areHopeful = true;
    for (auto [number, graph] : llvm::enumerate(graphsOf(getOperation())))
      if (Operation *nest = graph->getParentOp(); hasOtherWay(nest)) {
        if (race.isHopeful(number))
          nest->removeAttr(UnrolledAttr);
        else
          areHopeful = false;
      }
    return areHopeful;
  }

  /// The grid whose next intervals are the smallest goes on; of equal ones the largest grid.
  void choose(const Overlay &overlay) {
    HandlerOp handler = getOperation();
    const std::vector<FreeGraph> graphs = freeGraphs(handler, overlay);
    std::vector<Race> races;
    races.emplace_back(handler, overlay, graphs);
    OwningOpRef<HandlerOp> first = handler.clone();
    if (!askOfOtherWays(races.front()) ||
        !placeArrays(*first, overlay, {}, goalsOn(graphs, overlay)).isChoice)
      return place(overlay, graphs, {});
    std::vector<map::SubGrid> parts = map::subGrids(overlay);
    llvm::erase_if(parts, [](const map::SubGrid &part) { return part.pes.size() < FewPes; });
    for (const map::SubGrid &part : llvm::reverse(parts))
      races.emplace_back(handler, part.overlay, graphs);
    while (true) {
      auto race = std::min_element(races.begin(), races.end(), [](const Race &a, const Race &b) {
        return a.next() < b.next();
      });
      if (race->next() == ~0u)
        return place(overlay, graphs, {});
      if (race->run()) {
        HomePlan plan = race->plan();
        if (race != races.begin())
          plan.grid = &parts[parts.size() - size_t(race - races.begin())];
        return place(overlay, graphs, plan, race->intervals());
      }
    }
  }

  /// `found`: by graph the interval that it can have with the plan, if that is known.
  void place(const Overlay &overlay, const std::vector<FreeGraph> &graphs, const HomePlan &plan,
             ArrayRef<unsigned> found = {}) {
    placeArrays(getOperation(), overlay, plan,
                goalsOn(graphs, plan.grid ? plan.grid->overlay : overlay));
    for (auto [graph, interval] : llvm::zip(graphsOf(getOperation()), found))
      if (interval != 0)
        graph->setAttr(FoundAttr, Builder(&getContext()).getI32IntegerAttr(interval));
  }
};

} // namespace

std::unique_ptr<Pass> acis::dfg::createSpreadArraysPass(const Overlay &overlay) {
  return createWith<SpreadArrays>(overlay);
}
