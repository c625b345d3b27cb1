// Lower bounds on the initiation interval, with their causes.
#include "passes/mapper/PlaceBound.h"
#include "passes/mapper/Timing.h"
#include "passes/mrrg/Mrrg.h"

#include <algorithm>
#include <array>

namespace acis::map {
namespace {

class ResourceBound {
public:
  ResourceBound(const Problem &problem, const Overlay &overlay)
      : problem(problem), overlay(overlay) {}

  void run(Bounds &bounds) {
    global(NodeKind::StreamIn, "stream reads");
    global(NodeKind::StreamOut, "stream writes");
    unitClasses();
    extras();
    ports(NodeKind::VrfRead, std::min(overlay.vrfReadPorts, MaxReadPorts), "register-file reads");
    ports(NodeKind::VrfWrite, 1, "register-file writes");
    pinnedUnits();
    bounds.resMii = mii;
    bounds.resReason = reason;
  }

private:
  void offer(unsigned uses, unsigned capacity, const std::string &what, const std::string &on) {
    if (capacity != 0 && uses != 0)
      need((uses + capacity - 1) / capacity, std::to_string(uses) + " " + what + " on " + on);
  }
  void need(unsigned slots, const std::string &why) {
    if (slots > mii || reason.empty()) {
      mii = std::max(mii, slots);
      reason = why;
    }
  }

  void global(NodeKind kind, const char *what) {
    unsigned uses = 0;
    for (const Node &node : problem.nodes)
      uses += node.kind == kind;
    offer(uses, 1, what, "one port");
  }

  /// For every set of unit classes: the operations of these classes, on the PEs that
  /// have at least one of them.
  void unitClasses() {
    static const char *const names[] = {"integer", "conversion", "float", "divide"};
    for (unsigned set = 1; set < 1u << NumUnitClasses; ++set) {
      unsigned uses = 0, pes = 0, busiest = 1;
      for (const Node &node : problem.nodes)
        uses += node.kind == NodeKind::Compute && (set >> unsigned(node.unit) & 1);
      for (const PeKind &pe : overlay.pes) {
        bool has = false;
        for (unsigned c = 0; c < NumUnitClasses; ++c)
          if ((set >> c & 1) && pe.units[c]) {
            has = true;
            busiest = std::max(busiest, pe.every[c]);
          }
        pes += has;
      }
      std::string classes;
      for (unsigned c = 0; c < NumUnitClasses; ++c)
        if (set >> c & 1)
          classes += (classes.empty() ? "" : "/") + std::string(names[c]);
      if (uses == 0 || pes == 0)
        continue;
      const std::string shared = // the least interval is another one where lanes share units
          busiest > 1 ? " that take one in up to " + std::to_string(busiest) + " slots" : "";
      need(slotsFor(set, uses), std::to_string(uses) + " " + classes + " operations on " +
                                    std::to_string(pes) + " PEs" + shared);
    }
  }

  /// The least interval in which the PEs take so many operations of the classes.
  unsigned slotsFor(unsigned set, unsigned uses) const {
    for (unsigned ii = 1;; ++ii) {
      unsigned capacity = 0;
      for (const PeKind &pe : overlay.pes) {
        unsigned operations = 0;
        for (unsigned c = 0; c < NumUnitClasses; ++c)
          if ((set >> c & 1) && pe.units[c])
            operations += ii / pe.every[c];
        capacity += std::min(ii, operations);
      }
      if (capacity >= uses)
        return ii;
    }
  }

  /// Of what not every PE can do: the operations, and the accesses of register files with an index
  /// for each lane, over those that can.
  void extras() {
    for (Extras extra = 1; extra & extra::All; extra = Extras(extra << 1)) {
      unsigned operations = 0, reads = 0, pes = 0;
      for (const Node &node : problem.nodes) {
        operations += node.kind == NodeKind::Compute && (node.extras & extra);
        reads += node.kind == NodeKind::VrfRead && (node.extras & extra);
      }
      for (const PeKind &pe : overlay.pes)
        pes += !pe.lacks(extra);
      const unsigned perPe = std::min(overlay.vrfReadPorts, MaxReadPorts);
      offer(operations, pes, "operations with " + namesOf(extra), std::to_string(pes) + " PEs");
      offer(reads, pes * perPe, "register-file reads with " + namesOf(extra),
            std::to_string(pes * perPe) + " ports");
    }
  }

  void ports(NodeKind kind, unsigned perPe, const std::string &what) {
    unsigned uses = 0, pes = 0;
    std::vector<unsigned> pinned(overlay.numPes(), 0);
    for (const Node &node : problem.nodes)
      if (node.kind == kind) {
        ++uses;
        if (node.pe)
          ++pinned[*node.pe];
      }
    for (const PeKind &pe : overlay.pes)
      pes += pe.vrf;
    offer(uses, pes * perPe, what, std::to_string(pes * perPe) + " ports");
    for (unsigned pe = 0; pe < pinned.size(); ++pe)
      offer(pinned[pe], perPe, what, std::to_string(perPe) + " ports of PE " + std::to_string(pe));
  }

  void pinnedUnits() {
    std::vector<unsigned> pinned(overlay.numPes(), 0);
    for (const Node &node : problem.nodes)
      if (node.kind == NodeKind::Compute && node.pe)
        ++pinned[*node.pe];
    for (unsigned pe = 0; pe < pinned.size(); ++pe)
      offer(pinned[pe], 1, "operations", "PE " + std::to_string(pe));
    for (const Node &node : problem.nodes) {
      if (node.kind != NodeKind::Compute || !node.pe || busyOf(overlay.pes[*node.pe], node) == 1)
        continue;
      const unsigned others = unsigned(
          std::count_if(problem.nodes.begin(), problem.nodes.end(), [&](const Node &other) {
            return other.kind == NodeKind::Compute && other.pe == node.pe &&
                   other.unit == node.unit;
          }));
      const unsigned slots = busyOf(overlay.pes[*node.pe], node);
      need(others * slots, std::to_string(others) + " operations on a unit of PE " +
                               std::to_string(*node.pe) + " that takes one in " +
                               std::to_string(slots) + " slots");
    }
  }

  const Problem &problem;
  const Overlay &overlay;
  unsigned mii = 1;
  std::string reason;
};

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
  ResourceBound(problem, overlay).run(bounds);
}

Bounds bounds(const Problem &problem, const Overlay &overlay) {
  Bounds result;
  boundResources(problem, overlay, result);
  CycleBound(problem, overlay).run(result);
  boundPlaces(problem, overlay, std::max(result.resMii, result.recMii), result);
  return result;
}

} // namespace acis::map
