// Collectives that no switch does: counted with the reason, then left to the MPI
// underneath. They use MPI's own context of the communicator and so cannot be mixed up
// with offloaded ones before or after them.
#include "runtime/host/mpi/interpose/Init.h"
#include "runtime/host/mpi/interpose/Persistent.h"
#include "runtime/host/mpi/interpose/Process.h"

#include <mpi.h>

using namespace acis::mpi;

#define LIST(...) __VA_ARGS__

#define PASSED(name, reason, parameters, arguments)                                                \
  extern "C" int MPI_##name(parameters) {                                                          \
    process().summary.count("MPI_" #name, __builtin_return_address(0), reason, 0);                 \
    return PMPI_##name(arguments);                                                                 \
  }
// A persistent one is counted when it is started.
#ifdef INIT
#define PASSED_INIT(mpi, why, parameters, arguments)                                               \
  extern "C" int INIT(MPI, mpi)(parameters, MPI_Info info, MPI_Request * request) {                \
    const int code = INIT(PMPI, mpi)(arguments, info, request);                                    \
    const Arguments given = {.kind = acis::Kind::Alltoall,                                         \
                             .name = INIT_TEXT(INIT(MPI, mpi)),                                    \
                             .site = __builtin_return_address(0),                                  \
                             .comm = comm};                                                        \
    return code == MPI_SUCCESS ? addPersistent(given, Lasting{.reason = why}, *request) : code;    \
  }
#else
#define PASSED_INIT(...)
#endif
#define PASSED_ALL(name, iname, reason, parameters, arguments)                                     \
  PASSED(name, reason, LIST(parameters), LIST(arguments))                                          \
  PASSED(iname, reason, LIST(parameters, MPI_Request *request), LIST(arguments, request))          \
  PASSED_INIT(name, reason, LIST(parameters), LIST(arguments))

#define SEND const void *send, int sendCount, MPI_Datatype sendType
#define SEND_V                                                                                     \
  const void *send, const int sendCounts[], const int sendOffsets[], MPI_Datatype sendType
#define SEND_NW                                                                                    \
  const void *send, const int sendCounts[], const MPI_Aint sendOffsets[],                          \
      const MPI_Datatype sendTypes[]
#define RECV void *recv, int recvCount, MPI_Datatype recvType
#define RECV_V void *recv, const int recvCounts[], const int recvOffsets[], MPI_Datatype recvType
#define RECV_NW                                                                                    \
  void *recv, const int recvCounts[], const MPI_Aint recvOffsets[], const MPI_Datatype recvTypes[]
#define COMM MPI_Comm comm

PASSED_ALL(Neighbor_allgather, Ineighbor_allgather, Reason::Neighbours, LIST(SEND, RECV, COMM),
           LIST(send, sendCount, sendType, recv, recvCount, recvType, comm))
PASSED_ALL(Neighbor_allgatherv, Ineighbor_allgatherv, Reason::Neighbours, LIST(SEND, RECV_V, COMM),
           LIST(send, sendCount, sendType, recv, recvCounts, recvOffsets, recvType, comm))
PASSED_ALL(Neighbor_alltoall, Ineighbor_alltoall, Reason::Neighbours, LIST(SEND, RECV, COMM),
           LIST(send, sendCount, sendType, recv, recvCount, recvType, comm))
PASSED_ALL(Neighbor_alltoallv, Ineighbor_alltoallv, Reason::Neighbours, LIST(SEND_V, RECV_V, COMM),
           LIST(send, sendCounts, sendOffsets, sendType, recv, recvCounts, recvOffsets, recvType,
                comm))
PASSED_ALL(Neighbor_alltoallw, Ineighbor_alltoallw, Reason::Neighbours,
           LIST(SEND_NW, RECV_NW, COMM),
           LIST(send, sendCounts, sendOffsets, sendTypes, recv, recvCounts, recvOffsets, recvTypes,
                comm))
