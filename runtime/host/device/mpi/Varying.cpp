// Collectives with another count, or type, for each rank, and those of neighbours: a rank's parts
// are elements of one datatype (Blocks.h).
#include "runtime/host/device/mpi/Blocks.h"
#include "runtime/host/device/mpi/Both.h"

#include <numeric>

using namespace acis::device;

using Use = Message::Use;

namespace {

bool isDeviceAt(const void *address) { return registry().mayHold(address); }

int rankIn(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

size_t sum(const int counts[], MPI_Comm comm) {
  int ranks = 0;
  PMPI_Comm_size(comm, &ranks);
  return std::accumulate(counts, counts + ranks, size_t(0),
                         [](size_t all, int count) { return all + times(count, 1); });
}

} // namespace

#define AS_V give, giveCounts, giveOffsets, giveType, get, getCounts, getOffsets, getType
#define PARTS_V                                                                                    \
  from.buffer(), giveCounts, giveOffsets, giveType, to.buffer(), getCounts, getOffsets, getType
#define AS_W give, giveCounts, giveOffsets, giveTypes, get, getCounts, getOffsets, getTypes
#define PARTS_W                                                                                    \
  from.buffer(), giveCounts, giveOffsets, giveTypes, to.buffer(), getCounts, getOffsets, getTypes
#define BLOCKS_GIVEN LIST(Use::Send, give, gives.count(), gives.type, comm)
#define BLOCKS_GOT LIST(Use::InOut, get, gets.count(), gets.type, comm)

extern "C" {

BOTH(Gatherv, Igatherv, LIST(GIVE, GET_V, int root), give, get,
     const bool isHere = isRoot(root, comm);
     const Blocks gets(isHere &&isDeviceAt(get), sizeOf(comm), getCounts, getOffsets, getType),
     LIST(Use::Send, give, times(giveCount, 1), giveType, comm, isMember(root, comm)),
     LIST(Use::InOut, get, gets.count(), gets.type, comm, isHere),
     LIST(from.buffer(), giveCount, giveType, to.buffer(), getCounts, getOffsets, getType, root),
     LIST(give, giveCount, giveType, get, getCounts, getOffsets, getType, root))

BOTH(Scatterv, Iscatterv, LIST(GIVE_V, GET, int root), give, get,
     const bool isHere = isRoot(root, comm);
     const Blocks gives(isHere &&isDeviceAt(give), sizeOf(comm), giveCounts, giveOffsets, giveType),
     LIST(Use::Send, give, gives.count(), gives.type, comm, isHere),
     LIST(Use::Receive, get, times(getCount, 1), getType, comm, isMember(root, comm)),
     LIST(from.buffer(), giveCounts, giveOffsets, giveType, to.buffer(), getCount, getType, root),
     LIST(give, giveCounts, giveOffsets, giveType, get, getCount, getType, root))

BOTH(Allgatherv, Iallgatherv, LIST(GIVE, GET_V), give, get,
     const Blocks gets(isDeviceAt(get), sizeOf(comm), getCounts, getOffsets, getType),
     LIST(Use::Send, give, times(giveCount, 1), giveType, comm), BLOCKS_GOT,
     LIST(from.buffer(), giveCount, giveType, to.buffer(), getCounts, getOffsets, getType),
     LIST(give, giveCount, giveType, get, getCounts, getOffsets, getType))

BOTH(Alltoallv, Ialltoallv, LIST(GIVE_V, GET_V), give, get,
     const Blocks gives(isDeviceAt(give), sizeOf(comm), giveCounts, giveOffsets, giveType);
     const Blocks gets(isDeviceAt(get), sizeOf(comm), getCounts, getOffsets, getType), BLOCKS_GIVEN,
     BLOCKS_GOT, LIST(PARTS_V), LIST(AS_V))

BOTH(Alltoallw, Ialltoallw, LIST(GIVE_W, GET_W), give, get,
     const Blocks gives(isDeviceAt(give), sizeOf(comm), giveCounts, giveOffsets, giveTypes);
     const Blocks gets(isDeviceAt(get), sizeOf(comm), getCounts, getOffsets, getTypes),
     BLOCKS_GIVEN, BLOCKS_GOT, LIST(PARTS_W), LIST(AS_W))

BOTH(Reduce_scatter, Ireduce_scatter,
     LIST(const void *give, void *get, const int counts[], MPI_Datatype type, MPI_Op op), give, get,
     const size_t all = sum(counts, comm), LIST(Use::Send, give, all, type, comm),
     LIST(useOfResult(give), get, give == MPI_IN_PLACE ? all : times(counts[rankIn(comm)], 1), type,
          comm),
     LIST(from.buffer(), to.buffer(), counts, type, op), LIST(give, get, counts, type, op))

// Where a neighbour is MPI_PROC_NULL its block of the result stays as it is.
BOTH(Neighbor_allgather, Ineighbor_allgather, LIST(GIVE, GET), give, get,
     const Neighbours all(comm), LIST(Use::Send, give, times(giveCount, 1), giveType, comm),
     LIST(Use::InOut, get, times(getCount, all.in), getType, comm),
     LIST(from.buffer(), giveCount, giveType, to.buffer(), getCount, getType),
     LIST(give, giveCount, giveType, get, getCount, getType))

BOTH(Neighbor_allgatherv, Ineighbor_allgatherv, LIST(GIVE, GET_V), give, get,
     const Neighbours all(comm);
     const Blocks gets(isDeviceAt(get), all.in, getCounts, getOffsets, getType),
     LIST(Use::Send, give, times(giveCount, 1), giveType, comm), BLOCKS_GOT,
     LIST(from.buffer(), giveCount, giveType, to.buffer(), getCounts, getOffsets, getType),
     LIST(give, giveCount, giveType, get, getCounts, getOffsets, getType))

BOTH(Neighbor_alltoall, Ineighbor_alltoall, LIST(GIVE, GET), give, get, const Neighbours all(comm),
     LIST(Use::Send, give, times(giveCount, all.out), giveType, comm),
     LIST(Use::InOut, get, times(getCount, all.in), getType, comm),
     LIST(from.buffer(), giveCount, giveType, to.buffer(), getCount, getType),
     LIST(give, giveCount, giveType, get, getCount, getType))

BOTH(Neighbor_alltoallv, Ineighbor_alltoallv, LIST(GIVE_V, GET_V), give, get,
     const Neighbours all(comm);
     const Blocks gives(isDeviceAt(give), all.out, giveCounts, giveOffsets, giveType);
     const Blocks gets(isDeviceAt(get), all.in, getCounts, getOffsets, getType), BLOCKS_GIVEN,
     BLOCKS_GOT, LIST(PARTS_V), LIST(AS_V))

BOTH(Neighbor_alltoallw, Ineighbor_alltoallw,
     LIST(const void *give, const int giveCounts[], const MPI_Aint giveOffsets[],
          const MPI_Datatype giveTypes[], void *get, const int getCounts[],
          const MPI_Aint getOffsets[], const MPI_Datatype getTypes[]),
     give, get, const Neighbours all(comm);
     const Blocks gives(isDeviceAt(give), all.out, giveCounts, giveOffsets, giveTypes);
     const Blocks gets(isDeviceAt(get), all.in, getCounts, getOffsets, getTypes), BLOCKS_GIVEN,
     BLOCKS_GOT, LIST(PARTS_W), LIST(AS_W))

} // extern "C"
