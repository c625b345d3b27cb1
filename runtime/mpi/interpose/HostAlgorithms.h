// Collectives that the hosts do themselves, by messages of the MPI underneath: where the
// switch cannot, or where ACIS_ALGORITHM says so.
#pragma once

#include "runtime/algorithms/Algorithm.h"
#include "runtime/mpi/interpose/Call.h"

#include <mpi.h>

#include <memory>
#include <vector>

namespace acis::mpi {

/// What these collectives need of a communicator.
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

/// Of a communicator in MPI_COMM_WORLD, if hosts may have to do collectives by its policy.
/// Collective: made with the communicator, so that no collective waits for it without end.
std::unique_ptr<HostGroup> makeHostGroup(MPI_Comm comm, int size);

/// Does a collective by an algorithm that hosts have for it, on buffers as the session takes
/// them, until ACIS_TIMEOUT. Collective, blocks. An MPI error code, whose handler has been
/// called; the work's buffers may then still be in use. `name` is the function's.
int runOnHosts(const char *name, Work &work, algorithms::Algorithm algorithm);

} // namespace acis::mpi
