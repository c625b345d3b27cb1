// Collectives that the hosts do themselves, by messages of the MPI underneath: where the
// switch cannot, or where ACIS_ALGORITHM says so.
#pragma once

#include "runtime/host/algorithms/Algorithm.h"
#include "runtime/host/mpi/interpose/Work.h"

namespace acis::mpi {

/// Does a collective by an algorithm that hosts have for it, on buffers as the session takes
/// them, until ACIS_TIMEOUT. Collective, blocks. An MPI error code, whose handler has been
/// called; the work's buffers may then still be in use.
int runOnHosts(Work &work, algorithms::Algorithm algorithm);

} // namespace acis::mpi
