// Calls that take no device memory: an error rather than a crash where MPI would touch it. Mapped
// memory is the host's and goes on to MPI.
#include "runtime/host/device/mpi/Errors.h"
#include "runtime/host/device/mpi/Next.h"

#include "runtime/host/device/Registry.h"

#include <initializer_list>

using namespace acis::device;

namespace {

/// MPI_SUCCESS, or the error that was raised.
int refuse(const char *call, MPI_Comm comm, std::initializer_list<const void *> addresses) {
  for (const void *address : addresses) {
    if (!registry().mayHold(address))
      continue;
    const std::optional<Window> window = registry().find(address);
    if (window && window->kind != Kind::Mapped)
      return raiseError(comm, registry().describe(*window->buffer) + ": " + call +
                                  " takes no device memory; map the buffer, or read it into host "
                                  "memory");
  }
  return MPI_SUCCESS;
}

} // namespace

#define LIST(...) __VA_ARGS__

#define REFUSED(name, buffers, parameters, arguments)                                              \
  extern "C" int MPI_##name(parameters) {                                                          \
    if (const int code = refuse("MPI_" #name, comm, {buffers}); code != MPI_SUCCESS)               \
      return code;                                                                                 \
    return ACIS_NEXT(MPI_##name)(arguments);                                                       \
  }
#define REFUSED_REQUEST(name, buffers, parameters, arguments)                                      \
  REFUSED(name, LIST(buffers), LIST(parameters, MPI_Request *request), LIST(arguments, request))
#define REFUSED_BOTH(name, iname, buffers, parameters, arguments)                                  \
  REFUSED(name, LIST(buffers), LIST(parameters), LIST(arguments))                                  \
  REFUSED_REQUEST(iname, LIST(buffers), LIST(parameters), LIST(arguments))

#define TWO give, get
#define GIVE const void *give, int giveCount, MPI_Datatype giveType
#define GIVE_V                                                                                     \
  const void *give, const int giveCounts[], const int giveOffsets[], MPI_Datatype giveType
#define GIVE_W                                                                                     \
  const void *give, const int giveCounts[], const int giveOffsets[], const MPI_Datatype giveTypes[]
#define GIVE_NW                                                                                    \
  const void *give, const int giveCounts[], const MPI_Aint giveOffsets[],                          \
      const MPI_Datatype giveTypes[]
#define GET void *get, int getCount, MPI_Datatype getType
#define GET_V void *get, const int getCounts[], const int getOffsets[], MPI_Datatype getType
#define GET_W                                                                                      \
  void *get, const int getCounts[], const int getOffsets[], const MPI_Datatype getTypes[]
#define GET_NW                                                                                     \
  void *get, const int getCounts[], const MPI_Aint getOffsets[], const MPI_Datatype getTypes[]
#define COMM MPI_Comm comm

REFUSED_REQUEST(Igatherv, LIST(TWO), LIST(GIVE, GET_V, int root, COMM),
                LIST(give, giveCount, giveType, get, getCounts, getOffsets, getType, root, comm))
REFUSED_REQUEST(Iscatterv, LIST(TWO), LIST(GIVE_V, GET, int root, COMM),
                LIST(give, giveCounts, giveOffsets, giveType, get, getCount, getType, root, comm))
REFUSED_REQUEST(Iallgatherv, LIST(TWO), LIST(GIVE, GET_V, COMM),
                LIST(give, giveCount, giveType, get, getCounts, getOffsets, getType, comm))
REFUSED_REQUEST(Ialltoallv, LIST(TWO), LIST(GIVE_V, GET_V, COMM),
                LIST(give, giveCounts, giveOffsets, giveType, get, getCounts, getOffsets, getType,
                     comm))
REFUSED_BOTH(Alltoallw, Ialltoallw, LIST(TWO), LIST(GIVE_W, GET_W, COMM),
             LIST(give, giveCounts, giveOffsets, giveTypes, get, getCounts, getOffsets, getTypes,
                  comm))
REFUSED_BOTH(Neighbor_allgather, Ineighbor_allgather, LIST(TWO), LIST(GIVE, GET, COMM),
             LIST(give, giveCount, giveType, get, getCount, getType, comm))
REFUSED_BOTH(Neighbor_allgatherv, Ineighbor_allgatherv, LIST(TWO), LIST(GIVE, GET_V, COMM),
             LIST(give, giveCount, giveType, get, getCounts, getOffsets, getType, comm))
REFUSED_BOTH(Neighbor_alltoall, Ineighbor_alltoall, LIST(TWO), LIST(GIVE, GET, COMM),
             LIST(give, giveCount, giveType, get, getCount, getType, comm))
REFUSED_BOTH(Neighbor_alltoallv, Ineighbor_alltoallv, LIST(TWO), LIST(GIVE_V, GET_V, COMM),
             LIST(give, giveCounts, giveOffsets, giveType, get, getCounts, getOffsets, getType,
                  comm))
REFUSED_BOTH(Neighbor_alltoallw, Ineighbor_alltoallw, LIST(TWO), LIST(GIVE_NW, GET_NW, COMM),
             LIST(give, giveCounts, giveOffsets, giveTypes, get, getCounts, getOffsets, getTypes,
                  comm))
REFUSED_REQUEST(Ireduce_scatter, LIST(TWO),
                LIST(const void *give, void *get, const int counts[], MPI_Datatype type, MPI_Op op,
                     COMM),
                LIST(give, get, counts, type, op, comm))
