// Which switches aggregate for a job on a cluster, and where its ranks are: what a topology file
// says to switches of metal.
#pragma once

#include "backend/support/Result.h"
#include "runtime/sim/platform/Graph.h"

#include <cstdint>
#include <vector>

namespace acis::cluster {

/// Switches of the protocol. In a network with a switch for each host one node stands for several:
/// for its own host, and for a row, a plane or all of the grid.
struct Placement {
  std::vector<uint32_t> nodeOfSwitch;   ///< where it stands in the graph
  std::vector<uint16_t> parentOfSwitch; ///< SessionOptions::NoSwitch at the top
  std::vector<uint16_t> leafOfRank;
};

/// Rank r is on host r. Indirect networks: the switches of the hosts, and the tree of shortest ways
/// to the nearest switch that all of them reach equally. Grids: rows, then planes, then all. Direct
/// networks: each engine for its host, with DirectNetwork in the place of parents.
Result<Placement> place(const Graph &graph, uint32_t ranks);

} // namespace acis::cluster
