// The smallest interval of a graph as it is, with nodes for values that wait for long, or with a
// read of memory for each of its uses.
#include "passes/dfg/map/MapGraph.h"

using namespace mlir;

namespace acis::dfg {
namespace {

/// Graphs that are mapped in a moment: what fails does not take long.
constexpr size_t Small = 100;

/// At the node that it is about.
Refused refusedAt(const GraphProblem &problem, GraphOp graph, const map::Unmapped &why) {
  return {why.node ? problem.nodes[*why.node]->getLoc() : graph.getLoc(), why.refusal};
}

/// The graph as a problem with its bounds, or why it is none.
SearchedGraph describe(GraphOp graph, const Overlay &overlay) {
  SearchedGraph result;
  GraphProblem &problem = result.graphProblem = toProblem(graph, overlay);
  if (StatusOf<Refused> good = addDependences(graph, overlay, problem); !good)
    result.refused = good.error();
  else if (StatusOf<map::Unmapped> good = problem.problem.check(overlay); !good)
    result.refused = refusedAt(problem, graph, good.error());
  else
    result.bounds = map::bounds(problem.problem, overlay);
  return result;
}

void search(SearchedGraph &searched, GraphOp graph, const Overlay &overlay,
            const map::Options &options) {
  Result<map::Mapping, map::Unmapped> mapping =
      map::map(searched.graphProblem.problem, overlay, options);
  if (mapping)
    searched.mapping = std::move(*mapping);
  else
    searched.refused = refusedAt(searched.graphProblem, graph, mapping.error());
}

/// As it is, or with relays.
SearchedGraph searchRelayed(GraphOp graph, const Overlay &overlay, const map::Options &options) {
  SearchedGraph asItIs = describe(graph, overlay);
  if (asItIs.refused)
    return asItIs;
  const unsigned least = std::max(asItIs.bounds.mii(), options.minIi);
  const unsigned most = options.maxIi != 0 ? options.maxIi : overlay.contextSlots;
  SmallVector<Operation *> relays;
  if (least <= most)
    relays = addRelays(graph, asItIs.graphProblem, overlay, least);
  if (relays.empty()) {
    search(asItIs, graph, overlay, options);
    return asItIs;
  }
  // Where values have to wait for long nothing else helps, but at the bound they may not have to.
  map::Options here = options;
  if (options.patience != map::Patience::Brief ||
      asItIs.graphProblem.problem.nodes.size() <= Small) {
    here.patience = std::min(options.patience, map::Patience::Usual);
    here.maxIi = least;
    search(asItIs, graph, overlay, here);
  }
  if (asItIs.mapping) {
    removeRelays(relays);
    return asItIs;
  }
  SearchedGraph relayed = describe(graph, overlay);
  if (!relayed.refused)
    search(relayed, graph, overlay, options);
  const bool found = relayed.mapping.has_value();
  here.minIi = least + 1;
  here.maxIi = found ? relayed.mapping->ii - 1 : most;
  const bool isThorough = !found && options.patience >= map::Patience::Thorough;
  here.patience = isThorough ? options.patience : map::Patience::Brief;
  if (here.minIi <= here.maxIi)
    search(asItIs, graph, overlay, here);
  if (asItIs.mapping || !found) {
    removeRelays(relays);
    return asItIs;
  }
  relayed.bounds = asItIs.bounds;
  return relayed;
}

} // namespace

SearchedGraph searchGraph(GraphOp graph, const Overlay &overlay, const map::Options &options) {
  SearchedGraph shared = searchRelayed(graph, overlay, options);
  map::Options below = options;
  below.minIi = std::max(shared.bounds.mii(), options.minIi);
  if (options.patience != map::Patience::Persistent)
    below.patience = std::min(options.patience, map::Patience::Usual);
  if (shared.mapping) {
    if (shared.mapping->ii <= below.minIi)
      return shared;
    below.maxIi = shared.mapping->ii - 1;
  }
  const SmallVector<ReadCopy> copies = copyReads(graph, overlay);
  if (copies.empty())
    return shared;
  SearchedGraph apart = describe(graph, overlay);
  if (!apart.refused)
    search(apart, graph, overlay, below);
  if (!apart.mapping) {
    removeCopies(copies);
    return shared;
  }
  apart.bounds = shared.bounds;
  return apart;
}

} // namespace acis::dfg
