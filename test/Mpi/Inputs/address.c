/* Linked at a fixed address, the program has an entry of its own by which the function is known. */
#include <mpi.h>

int (*const reduction)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm) = MPI_Allreduce;
