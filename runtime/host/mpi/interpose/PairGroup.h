// What two members of a communicator send each other directly, in the order of their calls.
#pragma once

#include <mpi.h>

#include <memory>

namespace acis::mpi {

struct PairGroup {
  /// The same members and ranks, with a context of its own: the program receives none of it.
  MPI_Comm comm = MPI_COMM_NULL;

  PairGroup() = default;
  PairGroup(const PairGroup &) = delete;
  PairGroup &operator=(const PairGroup &) = delete;
  ~PairGroup();
};

/// Of a communicator in a program that has calls with blocks that go so (VaryingPairs.h); else
/// null. Collective, as setUp().
std::unique_ptr<PairGroup> makePairGroup(MPI_Comm comm);

} // namespace acis::mpi
