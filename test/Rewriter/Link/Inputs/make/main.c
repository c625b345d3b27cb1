/* The mean of all numbers, then how far they are from it. */
#include "stats.h"

#include <mpi.h>
#include <stdio.h>

static int twice(int x) { return 2 * x; }

int main(int argc, char **argv) {
  double x[N], local = 0, sum = 0, spread = 0, all = 0;
  int rank, size, i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (i = 0; i < N; i++)
    local += x[i] = SCALE * (rank * N + i) + twice(i);
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  start_timer();
  for (i = 0; i < N; i++)
    spread += distance(x[i], sum / (N * size));
  MPI_Allreduce(&spread, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    printf("mean %g, spread %g, %s\n", sum / (N * size), all, __FILE__);
  printf("rank %d of %d: %d\n", rank, size, count_above(x, all / (N * size)));
  MPI_Finalize();
  return 0;
}
