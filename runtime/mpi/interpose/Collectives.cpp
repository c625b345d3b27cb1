// The collectives that a switch can do, blocking and non-blocking: each describes its call
// and either has it served by the switch or hands it to the MPI underneath as it is.
#include "runtime/mpi/interpose/Perform.h"

#include <mpi.h>

using namespace acis::mpi;
using acis::Kind;

namespace {

void reduction(Call &call, const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op,
               int root = 0) {
  call.send = send;
  call.recv = recv;
  call.recvCount = count;
  call.recvType = type;
  call.op = op;
  call.root = root;
}

void splitReduction(Call &call, const void *send, void *recv, const int *counts, MPI_Datatype type,
                    MPI_Op op) {
  reduction(call, send, recv, 0, type, op);
  call.counts = counts;
}

void broadcast(Call &call, void *buffer, int count, MPI_Datatype type, int root) {
  call.recv = buffer;
  call.recvCount = count;
  call.recvType = type;
  call.root = root;
}

void movement(Call &call, const void *send, int sendCount, MPI_Datatype sendType, void *recv,
              int recvCount, MPI_Datatype recvType, int root = 0) {
  call.send = send;
  call.sendCount = sendCount;
  call.sendType = sendType;
  call.recv = recv;
  call.recvCount = recvCount;
  call.recvType = recvType;
  call.root = root;
}

} // namespace

#define LIST(...) __VA_ARGS__

// Defines MPI_<name> and MPI_<iname>. `parameters` and `arguments` are those of the
// blocking function; `describe` fills in `call`. The call site has to be asked for in the
// MPI function itself.
#define COLLECTIVE(name, iname, kind, parameters, arguments, describe)                             \
  extern "C" int MPI_##name(parameters) {                                                          \
    Call call{kind, "MPI_" #name, __builtin_return_address(0), comm};                              \
    describe;                                                                                      \
    std::optional<int> code = perform(call);                                                       \
    return code ? *code : PMPI_##name(arguments);                                                  \
  }                                                                                                \
  extern "C" int MPI_##iname(parameters, MPI_Request *request) {                                   \
    Call call{kind, "MPI_" #iname, __builtin_return_address(0), comm};                             \
    describe;                                                                                      \
    std::optional<int> code = begin(call, request);                                                \
    return code ? *code : PMPI_##iname(arguments, request);                                        \
  }

#define REDUCE_PARAMETERS const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op
#define MOVE_PARAMETERS                                                                            \
  const void *send, int sendCount, MPI_Datatype sendType, void *recv, int recvCount,               \
      MPI_Datatype recvType
#define MOVE_ARGUMENTS send, sendCount, sendType, recv, recvCount, recvType

COLLECTIVE(Barrier, Ibarrier, Kind::Barrier, LIST(MPI_Comm comm), LIST(comm), )

COLLECTIVE(Bcast, Ibcast, Kind::Bcast,
           LIST(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
           LIST(buffer, count, type, root, comm), broadcast(call, buffer, count, type, root))

COLLECTIVE(Allreduce, Iallreduce, Kind::Allreduce, LIST(REDUCE_PARAMETERS, MPI_Comm comm),
           LIST(send, recv, count, type, op, comm), reduction(call, send, recv, count, type, op))

COLLECTIVE(Reduce, Ireduce, Kind::Reduce, LIST(REDUCE_PARAMETERS, int root, MPI_Comm comm),
           LIST(send, recv, count, type, op, root, comm),
           reduction(call, send, recv, count, type, op, root))

COLLECTIVE(Scan, Iscan, Kind::Scan, LIST(REDUCE_PARAMETERS, MPI_Comm comm),
           LIST(send, recv, count, type, op, comm), reduction(call, send, recv, count, type, op))

COLLECTIVE(Exscan, Iexscan, Kind::Exscan, LIST(REDUCE_PARAMETERS, MPI_Comm comm),
           LIST(send, recv, count, type, op, comm), reduction(call, send, recv, count, type, op))

COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, Kind::ReduceScatterBlock,
           LIST(REDUCE_PARAMETERS, MPI_Comm comm), LIST(send, recv, count, type, op, comm),
           reduction(call, send, recv, count, type, op))

COLLECTIVE(Reduce_scatter, Ireduce_scatter, Kind::ReduceScatter,
           LIST(const void *send, void *recv, const int counts[], MPI_Datatype type, MPI_Op op,
                MPI_Comm comm),
           LIST(send, recv, counts, type, op, comm),
           splitReduction(call, send, recv, counts, type, op))

COLLECTIVE(Gather, Igather, Kind::Gather, LIST(MOVE_PARAMETERS, int root, MPI_Comm comm),
           LIST(MOVE_ARGUMENTS, root, comm), movement(call, MOVE_ARGUMENTS, root))

COLLECTIVE(Allgather, Iallgather, Kind::Allgather, LIST(MOVE_PARAMETERS, MPI_Comm comm),
           LIST(MOVE_ARGUMENTS, comm), movement(call, MOVE_ARGUMENTS))

COLLECTIVE(Scatter, Iscatter, Kind::Scatter, LIST(MOVE_PARAMETERS, int root, MPI_Comm comm),
           LIST(MOVE_ARGUMENTS, root, comm), movement(call, MOVE_ARGUMENTS, root))

COLLECTIVE(Alltoall, Ialltoall, Kind::Alltoall, LIST(MOVE_PARAMETERS, MPI_Comm comm),
           LIST(MOVE_ARGUMENTS, comm), movement(call, MOVE_ARGUMENTS))
