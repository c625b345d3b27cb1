// See Window.h.
#include "passes/mapper/exact/Window.h"
#include "backend/overlay/Fields.h"
#include "passes/mapper/exact/Cycles.h"
#include "passes/mapper/exact/Placement.h"
#include "passes/mrrg/Mrrg.h"

#include <algorithm>

namespace acis::map::exact {
namespace {

/// Most links from the first node: what can be further away is left out. The smallest window nearly
/// always proves what a larger one does.
constexpr unsigned Reaches[] = {1, 2};

/// Orders let their nodes be far apart, so only ways of values are looked at.
Problem valuesOf(const Problem &problem) {
  Problem values = problem;
  std::erase_if(values.edges, [](const Edge &edge) { return edge.order; });
  return values;
}

/// An edge without a value that keeps `cycles` between its nodes; they may be negative.
Edge orderOf(unsigned from, unsigned to, int cycles, unsigned ii) {
  const unsigned distance = cycles < 0 ? (unsigned(-cycles) + ii - 1) / ii : 0;
  return {from, to, 0, distance, /*order=*/true, unsigned(cycles + int(distance * ii))};
}

/// The nodes that are chosen, `root` first, and the edges between them. What the others do to their
/// times is kept.
Problem partOf(const Problem &values, const std::vector<bool> &isChosen, unsigned root,
               const Times &times, unsigned ii) {
  Problem part;
  part.nodes.push_back(values.nodes[root]);
  std::vector<unsigned> number(values.nodes.size(), ~0u);
  number[root] = 0;
  for (unsigned node = 0; node < values.nodes.size(); ++node)
    if (node != root && isChosen[node]) {
      number[node] = unsigned(part.nodes.size());
      part.nodes.push_back(values.nodes[node]);
      part.edges.push_back(orderOf(0, number[node], times.first[node], ii));
      part.edges.push_back(orderOf(number[node], 0, -times.last[node], ii));
    }
  for (Edge edge : values.edges)
    if (number[edge.from] != ~0u && number[edge.to] != ~0u) {
      edge.from = number[edge.from];
      edge.to = number[edge.to];
      part.edges.push_back(edge);
    }
  return part;
}

/// Nodes that are at most `reach` links from one of them, which is the first.
struct Core {
  Problem part;
  unsigned reach = 0;
};

/// The largest one in a component, with up to `most` links: there and back they take the cycles to
/// spare.
Core coreOf(const Problem &values, const Cycles &cycles, int component, const Overlay &overlay,
            unsigned ii, unsigned most) {
  Core best;
  for (unsigned root = 0; root < values.nodes.size(); ++root) {
    if (cycles.component[root] != component)
      continue;
    const Times times = timesAfter(values, overlay, ii, root);
    std::vector<bool> isClose(values.nodes.size(), false);
    unsigned reach = 0;
    for (unsigned node = 0; node < values.nodes.size(); ++node)
      if (times.isLimited(node)) {
        const unsigned links = unsigned(times.last[node] - times.first[node]) / 2;
        isClose[node] = links <= most;
        reach = std::max(reach, isClose[node] ? links : 0);
      }
    if (size_t(std::count(isClose.begin(), isClose.end(), true)) > best.part.nodes.size())
      best = {partOf(values, isClose, root, times, ii), reach};
  }
  return best;
}

/// Whether all of an unbounded grid looks alike to the nodes, and rings are too long to matter.
bool isUniform(const Problem &part, const Overlay &overlay, unsigned reach) {
  if (overlay.topology == Topology::Torus && 4 * reach > std::min(overlay.rows, overlay.cols))
    return false;
  return std::none_of(part.nodes.begin(), part.nodes.end(),
                      [](const Node &node) { return node.pe || node.kind == NodeKind::StreamIn; });
}

struct Window {
  Overlay overlay;
  unsigned middle = 0;
  /// By PE: further away, where nodes cannot be, but values on detours can.
  std::vector<bool> isOutside;
};

/// The PEs up to `reach` links from the one in the middle, and those that have a link to them.
Window windowOf(const Overlay &overlay, unsigned reach, unsigned ii) {
  Window window{overlay, 0, {}};
  Overlay &grid = window.overlay;
  const unsigned side = 2 * (reach + 1) * (overlay.topology == Topology::OneHop ? 2 : 1) + 1;
  if (overlay.topology == Topology::Torus)
    grid.topology = Topology::Mesh;
  grid.rows = overlay.topology == Topology::Chain ? 1 : side;
  grid.cols = side;
  grid.links = overlay::deriveLinks(grid.rows, grid.cols, grid.topology);
  grid.pes.assign(grid.numPes(), {});
  PeKind all; // with all extras that some PE has
  all.extras = 0;
  for (const PeKind &kind : overlay.pes) {
    for (unsigned c = 0; c < NumUnitClasses; ++c) {
      if (kind.units[c])
        all.every[c] = all.units[c] ? std::min(all.every[c], kind.every[c]) : kind.every[c];
      all.units[c] = all.units[c] || kind.units[c];
    }
    all.extras |= kind.extras;
    all.memory = all.memory || kind.memory;
    all.vrf = all.vrf || kind.vrf;
  }
  window.middle = grid.numPes() / 2;
  const Mrrg mrrg(grid, ii);
  for (unsigned pe = 0; pe < grid.numPes(); ++pe) {
    window.isOutside.push_back(mrrg.hops(window.middle, pe) > reach);
    if (!window.isOutside.back())
      grid.pes[pe] = all;
  }
  return window;
}

} // namespace

Answer mayCyclesBePlaced(const Problem &problem, const Overlay &overlay, unsigned ii,
                         Deadline deadline) {
  const Problem values = valuesOf(problem);
  const Cycles cycles = findCycles(values, overlay, ii);
  for (unsigned most : Reaches)
    for (int component = 0; component < int(cycles.numComponents); ++component) {
      if (std::chrono::steady_clock::now() >= deadline)
        return Answer::Unknown;
      Core core = coreOf(values, cycles, component, overlay, ii, most);
      if (core.part.nodes.size() < 3 || !isUniform(core.part, overlay, core.reach))
        continue;
      const Window window = windowOf(overlay, core.reach, ii);
      core.part.nodes.front().pe = window.middle;
      if (mayBePlaced(core.part, window.overlay, ii, deadline, window.isOutside) == Answer::No)
        return Answer::No;
    }
  return Answer::Yes;
}

} // namespace acis::map::exact
