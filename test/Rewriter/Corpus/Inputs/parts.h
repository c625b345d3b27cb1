#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
/* Ends the program if any rank has an error. */
static void bail_out(int error) {
  int any;
  MPI_Allreduce(&error, &any, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (any) {
    MPI_Finalize();
    exit(1);
  }
}
static double wall(void) { return MPI_Wtime(); }
