// See Cycles.h.
#include "passes/mapper/exact/Cycles.h"
#include "passes/mapper/Timing.h"

namespace acis::map::exact {

int minCycles(const Problem &problem, const Overlay &overlay, const Edge &edge, unsigned ii) {
  return int(cyclesOf(problem, edge, overlay)) - int(edge.distance * ii);
}

/// Longest ways from `start`, along the edges or against them; Times::None where there is none.
static std::vector<int> longest(const Problem &problem, const Overlay &overlay, unsigned ii,
                                unsigned start, bool forward) {
  std::vector<int> length(problem.nodes.size(), Times::None);
  length[start] = 0;
  for (size_t round = 0; round < problem.nodes.size(); ++round) {
    bool changed = false;
    for (const Edge &edge : problem.edges) {
      unsigned from = forward ? edge.from : edge.to, to = forward ? edge.to : edge.from;
      if (length[from] == Times::None)
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

Times timesAfter(const Problem &problem, const Overlay &overlay, unsigned ii, unsigned root) {
  Times times{longest(problem, overlay, ii, root, /*forward=*/true),
              longest(problem, overlay, ii, root, /*forward=*/false)};
  for (int &last : times.last)
    last = -last;
  return times;
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
    const Times times = timesAfter(problem, overlay, ii, node);
    std::vector<unsigned> members;
    for (unsigned other = 0; other < size; ++other)
      if (times.isLimited(other))
        members.push_back(other);
    if (members.size() < 2 && !selfEdge[node])
      continue;
    for (unsigned member : members) {
      cycles.component[member] = int(cycles.numComponents);
      cycles.first[member] = times.first[member];
      cycles.last[member] = times.last[member];
    }
    cycles.root.push_back(node);
    ++cycles.numComponents;
  }
  return cycles;
}

} // namespace acis::map::exact
