// Collectives with a block of its own length for each rank, MPI's v and w forms.
//
// They are done as the plain collective with all blocks as long as the longest, with zeros behind
// what is shorter. How long that is, and whether MPI is to do it instead, all ranks must know
// alike, and not all have all counts. Of Allgatherv they do. Of Gatherv and Scatterv the root does,
// and says so; of Alltoallv each knows its own row and column, and the greatest of all are found by
// an Allreduce. So no rank waits for one that has left the call to MPI; but a call that may not
// wait for others cannot be done like that, other than Allgatherv. Who makes a persistent
// request may wait, and has all counts then.
#pragma once

#include "runtime/host/mpi/interpose/Call.h"
#include "runtime/host/mpi/interpose/Meter.h"
#include "runtime/host/mpi/interpose/Persistent.h"

#include <mpi.h>

#include <optional>

namespace acis::mpi {

/// One block, or one for each rank: of one type, at places in its extents; or of a type each, at
/// places in bytes.
struct Blocks {
  const void *at = nullptr;
  const int *counts = nullptr;
  const int *places = nullptr;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const MPI_Datatype *types = nullptr; ///< null: `type`
  bool areEach = true;                 ///< one for each rank
};

struct VaryingArguments {
  Arguments call; ///< its kind is the plain one; without buffers
  Blocks send = {}, recv = {};
};

/// As perform() and begin().
std::optional<int> performVarying(const VaryingArguments &given, Meter &meter, Reason &reason);
std::optional<int> beginVarying(const VaryingArguments &given, MPI_Request *request);
/// Of a persistent one: its members agree on how long blocks are when it is made.
Result<Lasting> describeVarying(const VaryingArguments &given);

/// What the arguments mean on this rank.
struct VaryingCall {
  /// One block, or one for each rank; none: this rank gives or takes nothing.
  std::vector<Message> give, take;
  bool isSound = false; ///< else the MPI underneath is to refuse it

  uint64_t longest() const;
  /// Bytes that are given or taken, whichever is more.
  uint64_t most() const;
};
/// Sends nothing; looks at no buffer, and at no argument that means nothing on this rank.
VaryingCall readVarying(const VaryingArguments &given, int rank, int size);

} // namespace acis::mpi
