// Shortest ways through a graph, the same each time.
#pragma once

#include "runtime/sim/platform/Graph.h"

#include <cstdint>
#include <span>
#include <vector>

namespace acis::cluster {

class Routing {
public:
  /// `graph` outlives this. Hosts have one link each (checked by Platform::read).
  explicit Routing(const Graph &graph);

  static constexpr uint32_t Unreachable = ~uint32_t(0);
  /// Links on the way between two nodes; Unreachable if there is none.
  uint32_t distance(uint32_t from, uint32_t to) const;

  /// A link in one direction: 2 * link, or one more from its second node to its first.
  using Hop = uint32_t;
  /// Appends the hops between two nodes that reach each other; hosts do not forward.
  void route(uint32_t from, uint32_t to, std::vector<Hop> &hops) const;
  /// The node above or below at the end of a hop.
  uint32_t target(Hop hop) const;

  struct Neighbour {
    uint32_t node;
    Hop hop;
  };
  std::span<const Neighbour> neighbours(uint32_t node) const { return near[node]; }

private:
  /// `turn`: which of several ways that are equally short, by turns.
  void toSwitch(uint32_t from, uint32_t to, uint32_t turn, std::vector<Hop> &hops) const;
  const std::vector<uint32_t> &distancesTo(uint32_t node) const;

  const Graph &graph;
  std::vector<std::vector<Neighbour>> near;
  mutable std::vector<std::vector<uint32_t>> distances; ///< by destination; empty: not yet asked
};

} // namespace acis::cluster
