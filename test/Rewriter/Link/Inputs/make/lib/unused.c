/* No program takes this one: its distance() is none of theirs. */
#include <mpi.h>

double distance(double x, double mean) {
  MPI_Barrier(MPI_COMM_WORLD);
  return x - mean;
}
int count_unused(void) { return 0; }
