// What collectives take in each way, measured at MPI_Init where ranks are on several hosts, or read
// from a file.
#pragma once

#include "backend/support/Result.h"

namespace acis::mpi {

/// Sets Policy::costs on all ranks alike. Collective on MPI_COMM_WORLD, which is set up. An error
/// is of rank 0 alone, about the file: costs are not known then, or not kept.
Status findCosts();

} // namespace acis::mpi
