// Nodes that lie on cycles, and how far apart in time they can be.
#pragma once

#include "passes/mapper/Problem.h"

#include <vector>

namespace acis::map::exact {

struct Cycles {
  /// By node: its strongly connected component, or -1 if it is on no cycle.
  std::vector<int> component;
  unsigned numComponents = 0;
  /// By node of a component: least and most cycles after the component's first node.
  std::vector<int> first, last;
  std::vector<unsigned> root; ///< by component: its node of the lowest number
};

/// Cycles between the times of an edge's nodes on one PE.
int minCycles(const Problem &problem, const Overlay &overlay, const Edge &edge, unsigned ii);

/// By node: least and most cycles after `root`; no limit for those on no cycle with it.
struct Times {
  std::vector<int> first, last;
  bool isLimited(unsigned node) const { return first[node] != None && last[node] != -None; }
  static constexpr int None = -(1 << 28);
};

/// `ii` is at least the RecMII.
Times timesAfter(const Problem &problem, const Overlay &overlay, unsigned ii, unsigned root);
Cycles findCycles(const Problem &problem, const Overlay &overlay, unsigned ii);

} // namespace acis::map::exact
