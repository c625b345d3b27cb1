#include <mpi.h>
double timer() { return MPI_Wtime(); }
