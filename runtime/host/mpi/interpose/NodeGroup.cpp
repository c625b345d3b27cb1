// See NodeGroup.h.
#include "runtime/host/mpi/interpose/NodeGroup.h"

#include <map>

namespace acis::mpi {

Nodes::Nodes(std::span<const uint32_t> hosts) {
  std::map<uint32_t, uint32_t> numbers;
  std::vector<uint32_t> members;
  for (uint32_t rank = 0; rank < hosts.size(); ++rank) {
    const auto [at, isFirst] = numbers.try_emplace(hosts[rank], uint32_t(leaders.size()));
    if (isFirst) {
      leaders.push_back(rank);
      members.push_back(0);
    }
    nodeOf.push_back(at->second);
    positionIn.push_back(members[at->second]++);
  }
}

NodeGroup::~NodeGroup() {
  if (comm != MPI_COMM_NULL)
    PMPI_Comm_free(&comm);
}

} // namespace acis::mpi
