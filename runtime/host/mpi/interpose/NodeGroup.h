// The members of a communicator by hosts: those of one host, who fold among themselves, and the
// lowest of each, who speaks to the switch for them.
#pragma once

#include "backend/support/Result.h"
#include "runtime/host/mpi/interpose/Agreement.h"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace acis::mpi {

/// Where the members are; the same on all of them. Hosts are numbered in the order of their lowest
/// ranks.
struct Nodes {
  std::vector<uint32_t> nodeOf, positionIn; ///< of each rank: its host, its place among those there
  std::vector<uint32_t> leaders;            ///< of each host: its lowest rank

  explicit Nodes(std::span<const uint32_t> hosts);
  /// Some members share a host.
  bool areShared() const { return leaders.size() < nodeOf.size(); }
};

struct NodeGroup {
  Nodes nodes;
  /// The members on this host, by rank, in a context of its own.
  MPI_Comm comm = MPI_COMM_NULL;
  std::vector<uint32_t> ranks; ///< of `comm`: 0 and so on
  uint32_t node = 0, position = 0;
  /// The leaders' number in the switch; nothing where there is one host only.
  std::optional<uint32_t> context;
  uint32_t sequence = 0; ///< collectives that were begun
  /// What has failed: messages of it may be on their way, so nothing else is begun.
  std::string failure;

  NodeGroup(Nodes nodes, uint32_t rank) : nodes(std::move(nodes)) {
    node = this->nodes.nodeOf[rank];
    position = this->nodes.positionIn[rank];
  }
  NodeGroup(const NodeGroup &) = delete;
  NodeGroup &operator=(const NodeGroup &) = delete;
  ~NodeGroup();

  bool isLeader() const { return position == 0; }
};

} // namespace acis::mpi
