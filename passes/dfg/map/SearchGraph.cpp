// The smallest interval of a graph as it is, with nodes for values that wait for long, or with a
// read of memory for each of its uses.
#include "passes/dfg/map/MapGraph.h"

using namespace mlir;

namespace acis::dfg {
namespace {

/// Graphs that are mapped in a moment: what fails does not take long.
constexpr size_t Small = 100;

/// The graph as a problem with its bounds, or the reason why it is none.
FailureOr<SearchedGraph> describe(GraphOp graph, const Overlay &overlay) {
  SearchedGraph result;
  result.graphProblem = toProblem(graph, overlay);
  if (failed(addDependences(graph, overlay, result.graphProblem)))
    return failure();
  if (Status good = result.graphProblem.problem.check(overlay); !good)
    result.refusal = good.error().str();
  else
    result.bounds = map::bounds(result.graphProblem.problem, overlay);
  return result;
}

void search(SearchedGraph &graph, const Overlay &overlay, const map::Options &options) {
  Result<map::Mapping> mapping = map::map(graph.graphProblem.problem, overlay, options);
  if (mapping)
    graph.mapping = std::move(*mapping);
  else
    graph.refusal = mapping.error().str();
}

/// As it is, or with relays.
FailureOr<SearchedGraph> searchRelayed(GraphOp graph, const Overlay &overlay,
                                       const map::Options &options) {
  FailureOr<SearchedGraph> asItIs = describe(graph, overlay);
  if (failed(asItIs) || !asItIs->refusal.empty())
    return asItIs;
  const unsigned least = std::max(asItIs->bounds.mii(), options.minIi);
  const unsigned most = options.maxIi != 0 ? options.maxIi : overlay.contextSlots;
  SmallVector<Operation *> relays;
  if (least <= most)
    relays = addRelays(graph, asItIs->graphProblem, overlay, least);
  if (relays.empty()) {
    search(*asItIs, overlay, options);
    return asItIs;
  }
  // Where values have to wait for long nothing else helps, but at the bound they may not have to.
  map::Options here = options;
  if (options.patience != map::Patience::Brief ||
      asItIs->graphProblem.problem.nodes.size() <= Small) {
    here.patience = std::min(options.patience, map::Patience::Usual);
    here.maxIi = least;
    search(*asItIs, overlay, here);
  }
  if (asItIs->mapping) {
    removeRelays(relays);
    return asItIs;
  }
  FailureOr<SearchedGraph> relayed = describe(graph, overlay);
  if (succeeded(relayed) && relayed->refusal.empty())
    search(*relayed, overlay, options);
  const bool found = succeeded(relayed) && relayed->mapping;
  here.minIi = least + 1;
  here.maxIi = found ? relayed->mapping->ii - 1 : most;
  here.patience = found ? map::Patience::Brief : options.patience;
  if (here.minIi <= here.maxIi)
    search(*asItIs, overlay, here);
  if (asItIs->mapping || !found) {
    removeRelays(relays);
    return asItIs;
  }
  relayed->bounds = asItIs->bounds;
  return relayed;
}

} // namespace

FailureOr<SearchedGraph> searchGraph(GraphOp graph, const Overlay &overlay,
                                     const map::Options &options) {
  FailureOr<SearchedGraph> shared = searchRelayed(graph, overlay, options);
  if (failed(shared))
    return shared;
  map::Options below = options;
  below.minIi = std::max(shared->bounds.mii(), options.minIi);
  if (options.patience != map::Patience::Persistent)
    below.patience = std::min(options.patience, map::Patience::Usual);
  if (shared->mapping) {
    if (shared->mapping->ii <= below.minIi)
      return shared;
    below.maxIi = shared->mapping->ii - 1;
  }
  const SmallVector<ReadCopy> copies = copyReads(graph, overlay);
  if (copies.empty())
    return shared;
  FailureOr<SearchedGraph> apart = describe(graph, overlay);
  if (succeeded(apart) && apart->refusal.empty())
    search(*apart, overlay, below);
  if (failed(apart) || !apart->mapping) {
    removeCopies(copies);
    return shared;
  }
  apart->bounds = shared->bounds;
  return apart;
}

} // namespace acis::dfg
