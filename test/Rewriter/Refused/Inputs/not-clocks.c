// Called like clocks, but all ranks meet in them.
#include <mpi.h>
void timer_start(int which) { MPI_Barrier(MPI_COMM_WORLD); }
void timer_stop(int which) { MPI_Barrier(MPI_COMM_WORLD); }
