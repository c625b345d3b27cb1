/* An average in place: what the op writes is what was there before the first collective. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, ranks, n = argc > 1 ? atoi(argv[1]) : 12;
  double *x = malloc(n * sizeof *x);
  int i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (i = 0; i < n; i++)
    x[i] = 1.5 * i;
  MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (i = 0; i < n; i++)
    x[i] /= ranks;
  for (i = 0; i < n; i++)
    printf("%d %g\n", rank, x[i]);
  free(x);
  MPI_Finalize();
  return 0;
}
