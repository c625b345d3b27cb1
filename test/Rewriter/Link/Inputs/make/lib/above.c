#include "stats.h"

#include <mpi.h>

/* How many numbers of all ranks are above the limit of the rank that has the largest. */
int count_above(const double *x, double limit) {
  double largest = 0;
  int above = 0, all = 0, i;
  MPI_Allreduce(&limit, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (i = 0; i < N; i++)
    above += x[i] > largest;
  MPI_Allreduce(&above, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return all;
}
