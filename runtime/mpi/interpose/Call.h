// One call of a collective: its arguments, the decision whether the switch does it, and
// the work for the switch that it becomes.
#pragma once

#include "runtime/algorithms/Algorithm.h"
#include "runtime/client/Session.h"
#include "runtime/mpi/Summary.h"
#include "runtime/mpi/interpose/Communicator.h"
#include "runtime/mpi/interpose/Staging.h"

#include <mpi.h>

#include <memory>
#include <vector>

namespace acis::mpi {

/// Arguments as the program gave them; those that a collective does not have keep their
/// defaults. `name` is the function that was called.
struct Call {
  Kind kind;
  const char *name;
  const void *site; ///< return address in the program
  MPI_Comm comm;
  const void *send = nullptr;
  int sendCount = 0;
  MPI_Datatype sendType = MPI_DATATYPE_NULL;
  void *recv = nullptr;
  int recvCount = 0; ///< reductions and Bcast: the count
  MPI_Datatype recvType = MPI_DATATYPE_NULL;
  const int *counts = nullptr; ///< Reduce_scatter
  MPI_Op op = MPI_OP_NULL;
  int root = 0;
};

/// A call on its way: what the session gets, and copies of buffers that it needs.
struct Work {
  Collective collective;
  std::vector<uint64_t> counts;
  Staging staging;
  Communicator *communicator = nullptr;
  MPI_Comm comm = MPI_COMM_NULL;
  /// The root's call is wrong in what the others do not see: it takes part with `unwanted` for
  /// its result, and then MPI is to refuse the call.
  bool refused = false;
  std::unique_ptr<uint8_t[]> unwanted;
  uint64_t unwantedBytes = 0;
};

/// What a root has of a call that MPI has refused it after the others had done theirs. A program
/// that goes on calls again, rightly, on the root alone (MPICH's tests do): this is its result.
struct RefusedCall {
  Collective collective;
  std::unique_ptr<uint8_t[]> result;
  uint64_t bytes = 0;
};

struct Decision {
  /// Offloaded: `work` is to be started. Empty: complete. Else the MPI underneath has it, if
  /// it is not by the hosts.
  Reason reason = Reason::NoSwitch;
  /// One that isByHosts(): `work` is to be done by it, not by the switch.
  algorithms::Algorithm algorithm = algorithms::Algorithm::Switch;
  /// Of what this rank's block holds; the same on all ranks.
  uint64_t bytes = 0;
  std::unique_ptr<Work> work;
  /// An error of MPI while a buffer was packed, or why the communicator could not be set up; its
  /// handler has been called.
  int error = MPI_SUCCESS;
};

/// Decides from what MPI makes equal on all members, so that all decide alike. `blocks`:
/// the call may block, so that a communicator can be set up.
Decision decide(const Call &call, bool blocks);

} // namespace acis::mpi
