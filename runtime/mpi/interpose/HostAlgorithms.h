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
  /// The members by position, with a context of its own: the program receives none of our
  /// messages. Null until the first message.
  MPI_Comm comm = MPI_COMM_NULL;
  ~HostGroup();
};

/// Of a communicator in MPI_COMM_WORLD; local, made once.
HostGroup &hostGroupOf(Communicator &communicator, MPI_Comm comm);

/// Does a collective by an algorithm that hosts have for it, on buffers as the session takes
/// them. Collective, blocks. An MPI error code, whose handler has been called.
int runOnHosts(const Collective &collective, algorithms::Algorithm algorithm, HostGroup &hosts,
               int rank, MPI_Comm comm);

} // namespace acis::mpi
