// What MPI libraries lack of what the interposition uses. Only SMPI, the MPI of the simulator,
// lacks anything.
#pragma once

#include <mpi.h>

#ifdef SMPI_H

// Its header names C++'s complex types, and its library has them not; C's are the same.
#undef MPI_CXX_FLOAT_COMPLEX
#undef MPI_CXX_DOUBLE_COMPLEX
#define MPI_CXX_FLOAT_COMPLEX MPI_C_FLOAT_COMPLEX
#define MPI_CXX_DOUBLE_COMPLEX MPI_C_DOUBLE_COMPLEX

// Nobody is spawned there; its own function ends the program.
#define PMPI_Comm_get_parent(parent) (*(parent) = MPI_COMM_NULL, MPI_SUCCESS)

// Its non-blocking collectives send a message from each rank to each; the members of a
// communicator agree where they may block.
#define PMPI_Ibcast(buffer, count, type, root, comm, request)                                      \
  (*(request) = MPI_REQUEST_NULL, PMPI_Bcast(buffer, count, type, root, comm))
#define PMPI_Iallreduce(give, get, count, type, op, comm, request)                                 \
  (*(request) = MPI_REQUEST_NULL, PMPI_Allreduce(give, get, count, type, op, comm))
// It says that no request is complete, as it is, only to who wants a status.
#define PMPI_Test(request, flag, status)                                                           \
  (*(request) == MPI_REQUEST_NULL ? (*(flag) = 1, MPI_SUCCESS) : PMPI_Test(request, flag, status))

#endif
