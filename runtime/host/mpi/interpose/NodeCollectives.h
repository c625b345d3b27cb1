// Collectives by nodes: the ranks of a host fold by messages of the MPI underneath, which are in
// shared memory there, the lowest one has the switch do the collective with those of other hosts,
// and the result comes back the same way (003: all ranks of a host are joined before anything
// leaves it).
//
// Floating-point sums are folded on each host first, by the algorithm that fits the size
// (algorithms/Algorithm.h), and by the switch between hosts. So their bits depend on sizes and
// placement only, and all ranks have the same.
#pragma once

#include "runtime/host/mpi/interpose/Work.h"

namespace acis::mpi {

/// Of a kind that has(kind, Algorithm::Nodes), on a communicator with nodes. An MPI error code,
/// whose handler was called. Who fails says so to the others on its host.
int runByNodes(Work &work);

} // namespace acis::mpi
