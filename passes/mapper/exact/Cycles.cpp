// See Cycles.h.
#include "passes/mapper/exact/Cycles.h"
#include "passes/mapper/Timing.h"

namespace acis::map::exact {

int minCycles(const Problem &problem, const Overlay &overlay, const Edge &edge, unsigned ii) {
  unsigned cycles = edge.order ? edge.latency : latencyOf(problem.nodes[edge.from], overlay);
  return int(cycles) - int(edge.distance * ii);
}

static constexpr int Far = -(1 << 28);

/// Longest ways from `start`, along the edges or against them; Far where there is none.
static std::vector<int> longest(const Problem &problem, const Overlay &overlay, unsigned ii,
                                unsigned start, bool forward) {
  std::vector<int> length(problem.nodes.size(), Far);
  length[start] = 0;
  for (size_t round = 0; round < problem.nodes.size(); ++round) {
    bool changed = false;
    for (const Edge &edge : problem.edges) {
      unsigned from = forward ? edge.from : edge.to, to = forward ? edge.to : edge.from;
      if (length[from] == Far)
        continue;
      int reach = length[from] + minCycles(problem, overlay, edge, ii);
      if (reach > length[to]) {
        length[to] = reach;
        changed = true;
      }
    }
    if (!changed)
      break;
  }
  return length;
}

Cycles findCycles(const Problem &problem, const Overlay &overlay, unsigned ii) {
  Cycles cycles;
  size_t size = problem.nodes.size();
  cycles.component.assign(size, -1);
  cycles.first.assign(size, 0);
  cycles.last.assign(size, 0);
  std::vector<bool> selfEdge(size, false);
  for (const Edge &edge : problem.edges)
    if (edge.from == edge.to)
      selfEdge[edge.from] = true;
  for (unsigned node = 0; node < size; ++node) {
    if (cycles.component[node] >= 0)
      continue;
    std::vector<int> to = longest(problem, overlay, ii, node, /*forward=*/true);
    std::vector<int> from = longest(problem, overlay, ii, node, /*forward=*/false);
    std::vector<unsigned> members;
    for (unsigned other = 0; other < size; ++other)
      if (to[other] != Far && from[other] != Far)
        members.push_back(other);
    if (members.size() < 2 && !selfEdge[node])
      continue;
    for (unsigned member : members) {
      cycles.component[member] = int(cycles.numComponents);
      cycles.first[member] = to[member];
      cycles.last[member] = -from[member];
    }
    cycles.root.push_back(node);
    ++cycles.numComponents;
  }
  return cycles;
}

} // namespace acis::map::exact
