// Runs the mapper on a graph and keeps its answer as attributes.
#include "passes/dfg/map/MapGraph.h"
#include "passes/dfg/Marks.h"
#include "passes/mapper/exact/Exact.h"

#include "mlir/IR/Builders.h"

using namespace mlir;

namespace acis::dfg {
namespace {

RouteAttr toAttr(MLIRContext *context, const std::vector<map::Step> &route, unsigned delay) {
  SmallVector<unsigned> words;
  for (const map::Step &step : route)
    words.append({step.pe, step.time, static_cast<unsigned>(step.place), step.index});
  return RouteAttr::get(context, words, delay);
}

void write(GraphOp graph, const GraphProblem &graphProblem, const map::Mapping &mapping) {
  MLIRContext *context = graph.getContext();
  const auto &edges = graphProblem.problem.edges;
  SmallVector<SmallVector<Attribute>> routes;
  for (Operation *op : graphProblem.nodes)
    routes.emplace_back(op->getNumOperands(), RouteAttr::get(context, {}, 0));
  for (auto [e, edge] : llvm::enumerate(edges))
    if (!edge.order)
      routes[edge.to][graphProblem.operands[e]] =
          toAttr(context, mapping.routes[e], mapping.delays[e]);
  for (auto [n, op] : llvm::enumerate(graphProblem.nodes)) {
    const map::Placement &at = mapping.places[n];
    op->setAttr("place", PlaceAttr::get(context, at.pe, at.time, at.port));
    op->setAttr("routes", ArrayAttr::get(context, routes[n]));
  }
}

void writeBounds(GraphOp graph, const map::Bounds &bounds) {
  Builder builder(graph.getContext());
  graph.setResMiiAttr(builder.getI32IntegerAttr(bounds.resMii));
  graph.setResReasonAttr(builder.getStringAttr(bounds.resReason));
  graph.setRecMiiAttr(builder.getI32IntegerAttr(bounds.recMii));
  graph.setRecReasonAttr(builder.getStringAttr(bounds.recReason));
}

/// What is proven beyond resources and recurrences: no mapping has a smaller interval.
void writeLowerBound(GraphOp graph, unsigned lowerBound, StringRef reason) {
  graph.removeLowerBoundAttr();
  graph.removeBoundReasonAttr();
  if (lowerBound <= std::max(*graph.getResMii(), *graph.getRecMii()))
    return;
  Builder builder(graph.getContext());
  graph.setLowerBoundAttr(builder.getI32IntegerAttr(lowerBound));
  graph.setBoundReasonAttr(builder.getStringAttr(reason));
}

/// Asks the solver for a mapping with a smaller interval, or a proof that there is none.
void improve(GraphOp graph, const map::Problem &problem, const Overlay &overlay,
             const MapSettings &settings, map::Mapping &mapping) {
  map::ExactOptions options;
  options.seconds = settings.seconds;
  options.minIi = settings.search.minIi;
  options.known = &mapping;
  Result<map::ExactResult, map::Unmapped> exact = map::mapExact(problem, overlay, options);
  if (!exact)
    return;
  writeLowerBound(graph, exact->lowerBound, exact->reason);
  mapping = exact->mapping;
}

/// Where dfg-spread-arrays found an interval, only smaller ones are looked for.
SearchedGraph searchBelowKnown(GraphOp graph, const Overlay &overlay, const map::Options &options) {
  auto known = graph->getAttrOfType<IntegerAttr>(FoundAttr);
  const unsigned interval = known ? unsigned(known.getInt()) : 0;
  if (interval < options.minIi || options.maxIi != 0)
    return searchGraph(graph, overlay, options);
  map::Options other = options;
  if (interval > options.minIi) {
    other.maxIi = interval - 1;
    other.patience = map::Patience::Usual;
    if (SearchedGraph found = searchGraph(graph, overlay, other); found.mapping)
      return found;
  }
  other.minIi = other.maxIi = interval;
  for (map::Patience patience : {map::Patience::Brief, map::Patience::Usual}) { // as the plans had
    other.patience = patience;
    if (SearchedGraph found = searchGraph(graph, overlay, other); found.mapping)
      return found;
  }
  return searchGraph(graph, overlay, options); // it was found with another seed
}

} // namespace

LogicalResult mapGraph(GraphOp graph, const Overlay &overlay, const MapSettings &settings) {
  if (graph.getVpes())
    return success();
  prepareCarries(graph);
  limitConstants(graph);
  map::Options search = settings.search;
  if (hasOtherWay(graph->getParentOfType<NestOp>()) && search.patience == map::Patience::Thorough)
    search.patience = map::Patience::Usual;
  // Each turn takes a constant away from a port, so there are few.
  while (true) {
    SearchedGraph found = searchBelowKnown(graph, overlay, search);
    const GraphProblem &graphProblem = found.graphProblem;
    writeBounds(graph, found.bounds);
    writeLowerBound(graph, found.bounds.mii(), found.bounds.reason());
    if (!found.mapping)
      return refuse(*found.refused);
    map::Mapping &mapping = *found.mapping;
    if (settings.exact && mapping.ii > std::max(found.bounds.mii(), settings.search.minIi))
      improve(graph, graphProblem.problem, overlay, settings, mapping);
    if (relieveSlot(graph, graphProblem, mapping))
      continue;
    if (Status good = map::verify(graphProblem.problem, overlay, mapping); !good)
      return refuse(graph.getLoc(), Refusal(Why::MappingWrong, good.error().str()));
    graph.setIiAttr(Builder(graph.getContext()).getI32IntegerAttr(mapping.ii));
    write(graph, graphProblem, mapping);
    return success();
  }
}

} // namespace acis::dfg
