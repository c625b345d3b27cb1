// Lower bounds on the initiation interval, with their causes.
#include "passes/cost/CostModel.h"
#include "passes/mapper/PlaceBound.h"
#include "passes/mapper/Timing.h"
#include "passes/mrrg/Mrrg.h"

#include <algorithm>

namespace acis::map {
namespace {

/// What a slot of each node asks; of pinned nodes the homes are PEs.
Demand demandOf(const Problem &problem, const Overlay &overlay) {
  Demand demand;
  demand.homes.resize(overlay.numPes());
  for (const Node &node : problem.nodes) {
    Demand::Home unpinned, &home = node.pe ? demand.homes[*node.pe] : unpinned;
    switch (node.kind) {
    case NodeKind::Compute:
      ++demand.operations[unsigned(node.unit)];
      ++home.operations;
      demand.countExtras(node.extras, demand.extraOperations);
      break;
    case NodeKind::VrfRead:
      ++demand.fileReads;
      ++home.reads;
      demand.countExtras(node.extras, demand.extraReads);
      break;
    case NodeKind::VrfWrite:
      ++demand.fileWrites;
      ++home.writes;
      break;
    case NodeKind::StreamIn:
      ++demand.streamReads;
      break;
    case NodeKind::StreamOut:
      ++demand.streamWrites;
      break;
    case NodeKind::MemRead:
      ++demand.memoryReads;
      break;
    case NodeKind::MemWrite:
      ++demand.memoryWrites;
      break;
    }
  }
  return demand;
}

/// Of units that lanes share: the operations that are pinned to them.
void boundSharedUnits(const Problem &problem, const Overlay &overlay, SlotBound &bound) {
  for (const Node &node : problem.nodes) {
    if (node.kind != NodeKind::Compute || !node.pe || busyOf(overlay.pes[*node.pe], node) == 1)
      continue;
    const unsigned others =
        unsigned(std::count_if(problem.nodes.begin(), problem.nodes.end(), [&](const Node &other) {
          return other.kind == NodeKind::Compute && other.pe == node.pe && other.unit == node.unit;
        }));
    const unsigned slots = busyOf(overlay.pes[*node.pe], node);
    bound.need(others * slots, std::to_string(others) + " operations on a unit of PE " +
                                   std::to_string(*node.pe) + " that takes one in " +
                                   std::to_string(slots) + " slots");
  }
}

/// Longest paths with edge weights latency - distance * ii: a cycle that can be
/// lengthened for ever does not fit into its iterations.
class CycleBound {
public:
  CycleBound(const Problem &problem, const Overlay &overlay) : problem(problem) {
    Mrrg mrrg(overlay, 1);
    for (const Edge &edge : problem.edges) {
      const Node &from = problem.nodes[edge.from], &to = problem.nodes[edge.to];
      unsigned cycles = cyclesOf(problem, edge, overlay);
      if (!edge.order && from.pe && to.pe)
        cycles += mrrg.hops(*from.pe, *to.pe);
      weight.push_back(int(std::min(cycles, Mrrg::Unreachable)));
    }
  }

  void run(Bounds &bounds) {
    unsigned low = 1, high = 1;
    for (int w : weight)
      high += unsigned(w);
    if (!tooSmall(low)) {
      bounds.recMii = 1;
      return;
    }
    while (high - low > 1) { // low is too small, high is not
      unsigned middle = low + (high - low) / 2;
      (tooSmall(middle) ? low : high) = middle;
    }
    bounds.recMii = high;
    nameCycle(low, bounds);
  }

private:
  bool tooSmall(unsigned ii) {
    last = problem.nodes.size();
    length.assign(problem.nodes.size(), 0);
    through.assign(problem.nodes.size(), 0);
    for (size_t round = 0; round <= problem.nodes.size(); ++round) {
      last = problem.nodes.size();
      for (size_t e = 0; e < problem.edges.size(); ++e) {
        const Edge &edge = problem.edges[e];
        long reach = length[edge.from] + weight[e] - long(edge.distance) * long(ii);
        if (reach > length[edge.to]) {
          length[edge.to] = reach;
          through[edge.to] = unsigned(e);
          last = edge.to;
        }
      }
      if (last == problem.nodes.size())
        return false;
    }
    return true;
  }

  void nameCycle(unsigned ii, Bounds &bounds) {
    tooSmall(ii);
    unsigned node = unsigned(last);
    for (size_t step = 0; step < problem.nodes.size(); ++step)
      node = problem.edges[through[node]].from; // now surely on the cycle
    std::vector<unsigned> cycle;
    unsigned at = node;
    long cycles = 0, distance = 0;
    do {
      cycle.push_back(at);
      cycles += weight[through[at]];
      distance += problem.edges[through[at]].distance;
      at = problem.edges[through[at]].from;
    } while (at != node);
    std::reverse(cycle.begin(), cycle.end());
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    std::string text;
    for (size_t i = 0; i < cycle.size() && i < 8; ++i)
      text += (i ? " -> " : "") + nameOf(problem, cycle[i]);
    if (cycle.size() > 8)
      text += " -> ...";
    bounds.recNode = cycle.front();
    bounds.recReason = text + ": " + std::to_string(cycles) + " cycles in " +
                       std::to_string(distance) + (distance == 1 ? " iteration" : " iterations");
  }

  const Problem &problem;
  std::vector<int> weight;
  std::vector<long> length;
  std::vector<unsigned> through;
  size_t last = 0;
};

} // namespace

void boundResources(const Problem &problem, const Overlay &overlay, Bounds &bounds) {
  SlotBound bound = CostModel(overlay).bound(demandOf(problem, overlay));
  boundSharedUnits(problem, overlay, bound);
  bounds.resMii = bound.slots;
  bounds.resReason = bound.reason;
}

Bounds bounds(const Problem &problem, const Overlay &overlay) {
  Bounds result;
  boundResources(problem, overlay, result);
  CycleBound(problem, overlay).run(result);
  boundPlaces(problem, overlay, std::max(result.resMii, result.recMii), result);
  return result;
}

} // namespace acis::map
