// The v and w forms of MPI's collectives: each names its arguments, and either has the call served
// or hands it to the MPI underneath as it is.
#include "runtime/host/mpi/interpose/Init.h"
#include "runtime/host/mpi/interpose/Steps.h"
#include "runtime/host/mpi/interpose/Varying.h"

#include <mpi.h>

using namespace acis::mpi;
using acis::Kind;

#define LIST(...) __VA_ARGS__

#ifdef INIT
#define PERSISTENT(mpi, what, parameters, arguments, top, ...)                                     \
  extern "C" int INIT(MPI, mpi)(parameters, MPI_Info info, MPI_Request * request) {                \
    const VaryingArguments given = {.call = {.kind = what,                                         \
                                             .name = INIT_TEXT(INIT(MPI, mpi)),                    \
                                             .site = __builtin_return_address(0),                  \
                                             .comm = comm,                                         \
                                             .root = top},                                         \
                                    __VA_ARGS__};                                                  \
    const int code = INIT(PMPI, mpi)(arguments, info, request);                                    \
    return code == MPI_SUCCESS ? addPersistent(given.call, describeVarying(given), *request)       \
                               : code;                                                             \
  }
#else
#define PERSISTENT(...)
#endif

// Defines MPI_<name>, MPI_<iname> and MPI_<name>_init; `top` is the root of those that have one,
// and 0.
#define VARYING(mpi, impi, what, parameters, arguments, top, ...)                                  \
  extern "C" int MPI_##mpi(parameters) {                                                           \
    const VaryingArguments given = {.call = {.kind = what,                                         \
                                             .name = "MPI_" #mpi,                                  \
                                             .site = __builtin_return_address(0),                  \
                                             .comm = comm,                                         \
                                             .root = top},                                         \
                                    __VA_ARGS__};                                                  \
    StepMark mark(given.call);                                                                     \
    Meter meter;                                                                                   \
    Reason reason;                                                                                 \
    std::optional<int> code = performVarying(given, meter, reason);                                \
    mark.served(reason);                                                                           \
    return meter.stop(given.call.name, given.call.site, reason,                                    \
                      code ? *code : PMPI_##mpi(arguments));                                       \
  }                                                                                                \
  extern "C" int MPI_##impi(parameters, MPI_Request *request) {                                    \
    const VaryingArguments given = {.call = {.kind = what,                                         \
                                             .name = "MPI_" #impi,                                 \
                                             .site = __builtin_return_address(0),                  \
                                             .comm = comm,                                         \
                                             .root = top},                                         \
                                    __VA_ARGS__};                                                  \
    std::optional<int> code = beginVarying(given, request);                                        \
    return code ? *code : PMPI_##impi(arguments, request);                                         \
  }                                                                                                \
  PERSISTENT(mpi, what, LIST(parameters), LIST(arguments), top, __VA_ARGS__)

#define SEND const void *send, int sendCount, MPI_Datatype sendType
#define SEND_V                                                                                     \
  const void *send, const int sendCounts[], const int sendPlaces[], MPI_Datatype sendType
#define SEND_W                                                                                     \
  const void *send, const int sendCounts[], const int sendPlaces[], const MPI_Datatype sendTypes[]
#define RECV void *recv, int recvCount, MPI_Datatype recvType
#define RECV_V void *recv, const int recvCounts[], const int recvPlaces[], MPI_Datatype recvType
#define RECV_W                                                                                     \
  void *recv, const int recvCounts[], const int recvPlaces[], const MPI_Datatype recvTypes[]

#define SENDS .send = {send, &sendCount, nullptr, sendType, nullptr, false}
#define SENDS_V .send = {send, sendCounts, sendPlaces, sendType}
#define SENDS_W .send = {send, sendCounts, sendPlaces, MPI_DATATYPE_NULL, sendTypes}
#define RECEIVES .recv = {recv, &recvCount, nullptr, recvType, nullptr, false}
#define RECEIVES_V .recv = {recv, recvCounts, recvPlaces, recvType}
#define RECEIVES_W .recv = {recv, recvCounts, recvPlaces, MPI_DATATYPE_NULL, recvTypes}

VARYING(Allgatherv, Iallgatherv, Kind::Allgather, LIST(SEND, RECV_V, MPI_Comm comm),
        LIST(send, sendCount, sendType, recv, recvCounts, recvPlaces, recvType, comm), 0, SENDS,
        RECEIVES_V)

VARYING(Gatherv, Igatherv, Kind::Gather, LIST(SEND, RECV_V, int root, MPI_Comm comm),
        LIST(send, sendCount, sendType, recv, recvCounts, recvPlaces, recvType, root, comm), root,
        SENDS, RECEIVES_V)

VARYING(Scatterv, Iscatterv, Kind::Scatter, LIST(SEND_V, RECV, int root, MPI_Comm comm),
        LIST(send, sendCounts, sendPlaces, sendType, recv, recvCount, recvType, root, comm), root,
        SENDS_V, RECEIVES)

VARYING(Alltoallv, Ialltoallv, Kind::Alltoall, LIST(SEND_V, RECV_V, MPI_Comm comm),
        LIST(send, sendCounts, sendPlaces, sendType, recv, recvCounts, recvPlaces, recvType, comm),
        0, SENDS_V, RECEIVES_V)

VARYING(Alltoallw, Ialltoallw, Kind::Alltoall, LIST(SEND_W, RECV_W, MPI_Comm comm),
        LIST(send, sendCounts, sendPlaces, sendTypes, recv, recvCounts, recvPlaces, recvTypes,
             comm),
        0, SENDS_W, RECEIVES_W)
