// Which communicators the switch knows, and under which context id.
//
// A communicator is set up by the first blocking collective on it: many are never used. Nothing
// may block in a non-blocking one, so where a program has those it is set up right after it was
// made, by the collective call that made it (if that is followed). Its members agree by collectives
// of the MPI underneath on the communicator itself; there is no other state that communicators
// share. The lowest rank proposes the context id from numbers of its own (its world rank is the
// upper half), so ids differ between all communicators of a job.
#pragma once

#include "runtime/host/client/Session.h"
#include "runtime/host/mpi/Summary.h"
#include "runtime/host/mpi/interpose/HostGroup.h"
#include "runtime/host/mpi/interpose/NodeGroup.h"
#include "runtime/host/mpi/interpose/PairGroup.h"

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace acis::mpi {

/// What a root has of a call that MPI has refused it after the others had done theirs. A program
/// that goes on calls again, rightly, on the root alone (MPICH's tests do): this is its result.
struct RefusedCall {
  Collective collective;
  std::unique_ptr<uint8_t[]> result;
  uint64_t bytes = 0;
};

struct Communicator {
  /// Offloaded: the switch has it. Else why it has not.
  Reason state = Reason::NotSetUp;
  /// Why its members could not agree on that; "" if they could. Nothing else is begun on it.
  std::string failure;
  uint32_t context = 0;
  int rank = 0, size = 1;
  /// Uses: one for the MPI communicator, one for each collective under way. The switch's
  /// entry is freed with the last.
  std::atomic<int> uses = 1;
  /// What the session said of kinds of collectives; MPI lets one thread at a time call
  /// collectives on a communicator.
  std::map<std::pair<uint64_t, uint64_t>, bool> supported;
  /// For collectives that the hosts do; null if there are none.
  std::unique_ptr<HostGroup> hosts;
  /// All members are on one host.
  bool isOneHost = false;
  /// For collectives by nodes; null where no members share a host, or none may be so.
  std::unique_ptr<NodeGroup> nodes;
  /// For blocks whose length only two members know; null where no call has these.
  std::unique_ptr<PairGroup> pairs;
  /// The last collective here was refused at this root, and the others have done theirs.
  std::unique_ptr<RefusedCall> refused;
};

void setUpCommunicators();
/// Frees the entry of MPI_COMM_WORLD. Others may remain; MPI_Finalize does not free them.
void tearDownCommunicators();

/// Agrees with the other members of `comm` on an entry in the switch. Collective; blocks, for
/// ACIS_TIMEOUT at most. Does nothing when the process is not attached or `comm` is null. Where all
/// members share a host, and what they call is left to MPI for that, nothing is agreed on.
Communicator *setUp(MPI_Comm comm);

/// The same for what only a switch can do, wherever the members are; also of one that was set up.
Communicator *setUpForSwitch(MPI_Comm comm);

/// Another entry for the members of `comm`, which has one, for what is not in the order of its
/// calls; to be given up by release(). nullptr on all of them where there is no room. Collective,
/// as setUp().
Result<Communicator *> setUpBeside(MPI_Comm comm, const Communicator &known);

/// What setUp() made of `comm`; nullptr when it was not set up.
Communicator *find(MPI_Comm comm);

/// The members' ranks in MPI_COMM_WORLD; MPI_UNDEFINED for those of another world.
std::vector<int> ranksInWorld(MPI_Comm comm, int size);

void retain(Communicator &communicator);
void release(Communicator &communicator);

} // namespace acis::mpi
