// A cluster as a graph: hosts, switches and the links between them. What a platform file says, or
// what is made of the few numbers of a torus, a spine-leaf network or a fat tree.
#pragma once

#include "runtime/switch/direct/Fabric.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace acis::cluster {

/// Hosts come before switches in the numbering of nodes.
struct Graph {
  std::vector<std::string> hosts, switches;
  /// Pairs of nodes; each link carries both directions at once.
  std::vector<std::pair<uint32_t, uint32_t>> links;
  /// Where several neighbours are equally near, the first is taken, as dimension-order routing of a
  /// torus does; else they take turns by destination, as in a fat tree.
  bool dimensionOrder = false;
  /// A torus or a mesh, which has one switch for each host: its sizes; else empty.
  std::vector<uint32_t> sizes;
  /// Its switches are the engines of this direct network, one for each host.
  std::optional<direct::Fabric> fabric;

  uint32_t nodes() const { return uint32_t(hosts.size() + switches.size()); }
  bool isHost(uint32_t node) const { return node < hosts.size(); }
  uint32_t switchNode(uint32_t number) const { return uint32_t(hosts.size()) + number; }
  const std::string &name(uint32_t node) const {
    return isHost(node) ? hosts[node] : switches[node - hosts.size()];
  }
};

/// A switch for each host; the links of the last and the first of a row close a torus. Two or three
/// sizes.
Graph makeGrid(const std::vector<uint32_t> &sizes, bool wraps);
/// An engine beside each host, linked to its neighbours.
Graph makeDirect(const direct::Fabric &fabric);
/// Leaves of `radix` ports, of which the part 1 / (1 + overSubscription) leads to the spines: one
/// link to each.
Graph makeSpineLeaf(uint32_t hosts, uint32_t radix, double overSubscription);
/// Three levels of switches with `radix` ports: pods of radix / 2 edge and as many aggregation
/// switches; (radix / 2)^2 cores. At most radix^3 / 4 hosts.
Graph makeFatTree(uint32_t hosts, uint32_t radix);
/// One switch.
Graph makeStar(uint32_t hosts);

/// Ports of a leaf that lead to hosts.
uint32_t downPorts(uint32_t radix, double overSubscription);

} // namespace acis::cluster
