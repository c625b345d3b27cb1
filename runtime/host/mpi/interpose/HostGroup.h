// Where the members of a communicator are, for collectives that the hosts do themselves, and the
// context in which they send each other messages.
#pragma once

#include "runtime/host/algorithms/Algorithm.h"

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace acis::mpi {

/// What collectives by the hosts need of a communicator.
struct HostGroup {
  algorithms::Group group;
  /// Members by position: those of one switch next to each other.
  std::vector<uint32_t> rankAt, positionOf;
  /// The same members and ranks, with a context of its own: the program receives none of our
  /// messages.
  MPI_Comm comm = MPI_COMM_NULL;
  uint32_t sequence = 0; ///< collectives that were begun
  /// What has failed: messages of it may be on their way, so nothing else is begun.
  std::string failure;
  HostGroup() = default;
  HostGroup(const HostGroup &) = delete;
  HostGroup &operator=(const HostGroup &) = delete;
  ~HostGroup();
};

/// Of a communicator whose members have these ranks in MPI_COMM_WORLD, if hosts may have to do
/// collectives by its policy. Collective: made with the communicator, so that no collective waits
/// for it without end.
std::unique_ptr<HostGroup> makeHostGroup(MPI_Comm comm, std::span<const int> world);

} // namespace acis::mpi
