// The collectives that a switch can do, blocking, non-blocking and persistent: each names its
// arguments and either has the call served or hands it to the MPI underneath as it is.
#include "runtime/host/mpi/interpose/Init.h"
#include "runtime/host/mpi/interpose/Perform.h"
#include "runtime/host/mpi/interpose/Persistent.h"
#include "runtime/host/mpi/interpose/Steps.h"

#include <mpi.h>

using namespace acis::mpi;
using acis::Kind;

#define LIST(...) __VA_ARGS__

#ifdef INIT
#define PERSISTENT(mpi, what, parameters, arguments, ...)                                          \
  extern "C" int INIT(MPI, mpi)(parameters, MPI_Info info, MPI_Request * request) {                \
    const Arguments given = {.kind = what,                                                         \
                             .name = INIT_TEXT(INIT(MPI, mpi)),                                    \
                             .site = __builtin_return_address(0),                                  \
                             .comm = comm,                                                         \
                             __VA_ARGS__};                                                         \
    const int code = INIT(PMPI, mpi)(arguments, info, request);                                    \
    return code == MPI_SUCCESS ? addPersistent(given, *request) : code;                            \
  }
#else
#define PERSISTENT(...)
#endif

// Defines MPI_<name>, MPI_<iname> and MPI_<name>_init. `parameters` and `arguments` are those of
// the blocking function; the rest names those of Arguments that it has. The call site has to be
// asked for in the MPI function itself.
#define COLLECTIVE(mpi, impi, what, parameters, arguments, ...)                                    \
  extern "C" int MPI_##mpi(parameters) {                                                           \
    const Arguments given = {.kind = what,                                                         \
                             .name = "MPI_" #mpi,                                                  \
                             .site = __builtin_return_address(0),                                  \
                             .comm = comm,                                                         \
                             __VA_ARGS__};                                                         \
    StepMark mark(given);                                                                          \
    Meter meter;                                                                                   \
    Reason reason;                                                                                 \
    std::optional<int> code = perform(given, meter, reason);                                       \
    mark.served(reason);                                                                           \
    return meter.stop(given.name, given.site, reason, code ? *code : PMPI_##mpi(arguments));       \
  }                                                                                                \
  extern "C" int MPI_##impi(parameters, MPI_Request *request) {                                    \
    const Arguments given = {.kind = what,                                                         \
                             .name = "MPI_" #impi,                                                 \
                             .site = __builtin_return_address(0),                                  \
                             .comm = comm,                                                         \
                             __VA_ARGS__};                                                         \
    std::optional<int> code = begin(given, request);                                               \
    return code ? *code : PMPI_##impi(arguments, request);                                         \
  }                                                                                                \
  PERSISTENT(mpi, what, LIST(parameters), LIST(arguments), __VA_ARGS__)

#define REDUCE_PARAMETERS const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op
#define REDUCE_BUFFERS .send = {send, count, type}, .recv = {recv, count, type}, .op = op
#define MOVE_PARAMETERS                                                                            \
  const void *send, int sendCount, MPI_Datatype sendType, void *recv, int recvCount,               \
      MPI_Datatype recvType
#define MOVE_ARGUMENTS send, sendCount, sendType, recv, recvCount, recvType
#define MOVE_BUFFERS .send = {send, sendCount, sendType}, .recv = {recv, recvCount, recvType}

COLLECTIVE(Barrier, Ibarrier, Kind::Barrier, LIST(MPI_Comm comm), LIST(comm), )

COLLECTIVE(Bcast, Ibcast, Kind::Bcast,
           LIST(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
           LIST(buffer, count, type, root, comm), .send = {buffer, count, type},
           .recv = {buffer, count, type}, .root = root)

COLLECTIVE(Allreduce, Iallreduce, Kind::Allreduce, LIST(REDUCE_PARAMETERS, MPI_Comm comm),
           LIST(send, recv, count, type, op, comm), REDUCE_BUFFERS)

COLLECTIVE(Reduce, Ireduce, Kind::Reduce, LIST(REDUCE_PARAMETERS, int root, MPI_Comm comm),
           LIST(send, recv, count, type, op, root, comm), REDUCE_BUFFERS, .root = root)

COLLECTIVE(Scan, Iscan, Kind::Scan, LIST(REDUCE_PARAMETERS, MPI_Comm comm),
           LIST(send, recv, count, type, op, comm), REDUCE_BUFFERS)

COLLECTIVE(Exscan, Iexscan, Kind::Exscan, LIST(REDUCE_PARAMETERS, MPI_Comm comm),
           LIST(send, recv, count, type, op, comm), REDUCE_BUFFERS)

COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, Kind::ReduceScatterBlock,
           LIST(REDUCE_PARAMETERS, MPI_Comm comm), LIST(send, recv, count, type, op, comm),
           REDUCE_BUFFERS)

COLLECTIVE(Reduce_scatter, Ireduce_scatter, Kind::ReduceScatter,
           LIST(const void *send, void *recv, const int counts[], MPI_Datatype type, MPI_Op op,
                MPI_Comm comm),
           LIST(send, recv, counts, type, op, comm), .send = {send, 0, type},
           .recv = {recv, 0, type}, .counts = counts, .op = op)

COLLECTIVE(Gather, Igather, Kind::Gather, LIST(MOVE_PARAMETERS, int root, MPI_Comm comm),
           LIST(MOVE_ARGUMENTS, root, comm), MOVE_BUFFERS, .root = root)

COLLECTIVE(Allgather, Iallgather, Kind::Allgather, LIST(MOVE_PARAMETERS, MPI_Comm comm),
           LIST(MOVE_ARGUMENTS, comm), MOVE_BUFFERS)

COLLECTIVE(Scatter, Iscatter, Kind::Scatter, LIST(MOVE_PARAMETERS, int root, MPI_Comm comm),
           LIST(MOVE_ARGUMENTS, root, comm), MOVE_BUFFERS, .root = root)

COLLECTIVE(Alltoall, Ialltoall, Kind::Alltoall, LIST(MOVE_PARAMETERS, MPI_Comm comm),
           LIST(MOVE_ARGUMENTS, comm), MOVE_BUFFERS)
