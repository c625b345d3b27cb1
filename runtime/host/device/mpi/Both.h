// How a collective and its non-blocking form take device buffers, for the files that list them.
#pragma once

#include "runtime/host/device/mpi/Next.h"
#include "runtime/host/device/mpi/Parts.h"

#define LIST(...) __VA_ARGS__

/// MPI_<name> and MPI_<iname>: `arguments` are those of the call with buffers of the parts `from`
/// and `to`; `prepare` is what these need before.
#define BOTH(name, iname, parameters, give, get, prepare, fromPart, toPart, arguments, plain)      \
  int MPI_##name(parameters, MPI_Comm comm) {                                                      \
    if (noDevice(give, get))                                                                       \
      return ACIS_NEXT(MPI_##name)(plain, comm);                                                   \
    prepare;                                                                                       \
    Part from(fromPart);                                                                           \
    Part to(toPart);                                                                               \
    return withParts(comm, from, to, [&] { return ACIS_NEXT(MPI_##name)(arguments, comm); });      \
  }                                                                                                \
  int MPI_##iname(parameters, MPI_Comm comm, MPI_Request *request) {                               \
    if (noDevice(give, get))                                                                       \
      return ACIS_NEXT(MPI_##iname)(plain, comm, request);                                         \
    prepare;                                                                                       \
    Part from(fromPart);                                                                           \
    Part to(toPart);                                                                               \
    return beginParts(comm, from, to, request,                                                     \
                      [&] { return ACIS_NEXT(MPI_##iname)(arguments, comm, request); });           \
  }

#define GIVE const void *give, int giveCount, MPI_Datatype giveType
#define GIVE_V                                                                                     \
  const void *give, const int giveCounts[], const int giveOffsets[], MPI_Datatype giveType
#define GIVE_W                                                                                     \
  const void *give, const int giveCounts[], const int giveOffsets[], const MPI_Datatype giveTypes[]
#define GET void *get, int getCount, MPI_Datatype getType
#define GET_V void *get, const int getCounts[], const int getOffsets[], MPI_Datatype getType
#define GET_W                                                                                      \
  void *get, const int getCounts[], const int getOffsets[], const MPI_Datatype getTypes[]
