// Runs the mapper on a graph and keeps its answer as attributes.
#include "passes/dfg/map/MapGraph.h"

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

/// The mapper names nodes by their place in the problem, 'fadd#12'; the first one that
/// a message names gives its source line.
InFlightDiagnostic notMapped(GraphOp graph, const GraphProblem &graphProblem, StringRef reason) {
  Location loc = graph.getLoc();
  StringRef rest = reason.split('#').second;
  unsigned id = 0;
  if (reason.contains('#') && !rest.consumeInteger(10, id) && id < graphProblem.nodes.size())
    loc = graphProblem.nodes[id]->getLoc();
  return mlir::emitError(loc) << "loop not mapped: " << reason;
}

} // namespace

LogicalResult mapGraph(GraphOp graph, const Overlay &overlay, const map::Options &options) {
  if (graph.getVpes())
    return success();
  limitConstants(graph);
  // Each turn takes a constant away from a port, so there are few.
  while (true) {
    GraphProblem graphProblem = toProblem(graph, overlay);
    if (failed(addDependences(graph, overlay, graphProblem)))
      return failure();
    if (Status good = graphProblem.problem.check(overlay); !good)
      return notMapped(graph, graphProblem, good.error().str());
    writeBounds(graph, map::bounds(graphProblem.problem, overlay));
    Result<map::Mapping> mapping = map::map(graphProblem.problem, overlay, options);
    if (!mapping)
      return notMapped(graph, graphProblem, mapping.error().str());
    if (relieveSlot(graph, graphProblem, *mapping))
      continue;
    if (Status good = map::verify(graphProblem.problem, overlay, *mapping); !good)
      return graph.emitError("the mapper's answer does not hold: ") << good.error().str();
    graph.setIiAttr(Builder(graph.getContext()).getI32IntegerAttr(mapping->ii));
    write(graph, graphProblem, *mapping);
    return success();
  }
}

} // namespace acis::dfg
