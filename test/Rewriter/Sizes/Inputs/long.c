/* Rounds of an op: some are too many for the switch, and done by the host between the collectives. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, ranks, n = argc > 1 ? atoi(argv[1]) : 500;
  float *x = malloc(n * sizeof *x);
  int i, k, rounds[] = {3, 400000, 4};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (i = 0; i < n; i++)
    x[i] = (float)i;
  for (int turn = 0; turn < 3; turn++) {
    int steps = rounds[turn] + rank;
    float sum = 0, all;
    MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    for (k = 0; k < steps; k++)
      for (i = 0; i < n; i++)
        x[i] = x[i] * 0.5f + 1;
    for (i = 0; i < n; i++)
      sum += x[i];
    MPI_Allreduce(&sum, &all, 1, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD);
    printf("%d %d %g %g %g\n", rank, turn, x[0], x[n - 1], all);
  }
  free(x);
  MPI_Finalize();
  return 0;
}
