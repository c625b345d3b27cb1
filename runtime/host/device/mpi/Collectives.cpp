// Collectives with device buffers, blocking and non-blocking: each rank's parts are staged
// (Parts.h), and the collective itself is done by whoever is next, a switch through libacis-mpi or
// MPI. Ranks need not agree: one may have device memory where another has not.
#include "runtime/host/device/mpi/Both.h"

using namespace acis;
using namespace acis::device;

using Use = Message::Use;

#define GIVE_AND_GET GIVE, GET
#define OF_PARTS from.buffer(), giveCount, giveType, to.buffer(), getCount, getType
#define AS_GIVEN give, giveCount, giveType, get, getCount, getType
#define REDUCED const void *give, void *get, int count, MPI_Datatype type, MPI_Op op

extern "C" {

BOTH(Bcast, Ibcast, LIST(void *buffer, int count, MPI_Datatype type, int root), nullptr, buffer, ,
     LIST(Use::Send, nullptr, 0, type, comm),
     LIST(isRoot(root, comm) ? Use::Send : Use::Receive, buffer, times(count, 1), type, comm,
          isRoot(root, comm) || isMember(root, comm)),
     LIST(to.buffer(), count, type, root), LIST(buffer, count, type, root))

BOTH(Reduce, Ireduce, LIST(REDUCED, int root), give, get, ,
     LIST(Use::Send, give, times(count, 1), type, comm, isMember(root, comm)),
     LIST(useOfResult(give), get, times(count, 1), type, comm, isRoot(root, comm)),
     LIST(from.buffer(), to.buffer(), count, type, op, root),
     LIST(give, get, count, type, op, root))

BOTH(Allreduce, Iallreduce, LIST(REDUCED), give, get, ,
     LIST(Use::Send, give, times(count, 1), type, comm),
     LIST(useOfResult(give), get, times(count, 1), type, comm),
     LIST(from.buffer(), to.buffer(), count, type, op), LIST(give, get, count, type, op))

BOTH(Scan, Iscan, LIST(REDUCED), give, get, , LIST(Use::Send, give, times(count, 1), type, comm),
     LIST(Use::InOut, get, times(count, 1), type, comm),
     LIST(from.buffer(), to.buffer(), count, type, op), LIST(give, get, count, type, op))

// It leaves rank 0's result as it is.
BOTH(Exscan, Iexscan, LIST(REDUCED), give, get, ,
     LIST(Use::Send, give, times(count, 1), type, comm),
     LIST(Use::InOut, get, times(count, 1), type, comm),
     LIST(from.buffer(), to.buffer(), count, type, op), LIST(give, get, count, type, op))

// In place, the buffer of the result has what all give.
BOTH(Reduce_scatter_block, Ireduce_scatter_block, LIST(REDUCED), give, get, ,
     LIST(Use::Send, give, times(count, sizeOf(comm)), type, comm),
     LIST(useOfResult(give), get, times(count, give == MPI_IN_PLACE ? sizeOf(comm) : 1), type,
          comm),
     LIST(from.buffer(), to.buffer(), count, type, op), LIST(give, get, count, type, op))

BOTH(Gather, Igather, LIST(GIVE_AND_GET, int root), give, get, ,
     LIST(Use::Send, give, times(giveCount, 1), giveType, comm, isMember(root, comm)),
     LIST(useOfResult(give), get, isRoot(root, comm) ? times(getCount, sizeOf(comm)) : 0, getType,
          comm, isRoot(root, comm)),
     LIST(OF_PARTS, root), LIST(AS_GIVEN, root))

BOTH(Scatter, Iscatter, LIST(GIVE_AND_GET, int root), give, get, ,
     LIST(Use::Send, give, isRoot(root, comm) ? times(giveCount, sizeOf(comm)) : 0, giveType, comm,
          isRoot(root, comm)),
     LIST(Use::Receive, get, times(getCount, 1), getType, comm, isMember(root, comm)),
     LIST(OF_PARTS, root), LIST(AS_GIVEN, root))

BOTH(Allgather, Iallgather, LIST(GIVE_AND_GET), give, get, ,
     LIST(Use::Send, give, times(giveCount, 1), giveType, comm),
     LIST(useOfResult(give), get, times(getCount, sizeOf(comm)), getType, comm), LIST(OF_PARTS),
     LIST(AS_GIVEN))

BOTH(Alltoall, Ialltoall, LIST(GIVE_AND_GET), give, get, ,
     LIST(Use::Send, give, times(giveCount, sizeOf(comm)), giveType, comm),
     LIST(useOfResult(give), get, times(getCount, sizeOf(comm)), getType, comm), LIST(OF_PARTS),
     LIST(AS_GIVEN))

} // extern "C"
