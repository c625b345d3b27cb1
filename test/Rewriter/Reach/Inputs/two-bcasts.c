/* Two broadcasts, then work on both, a Barrier, and a sum. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size, n = 32;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), local = 0, sum;
  if (rank == 0)
    for (int i = 0; i < n; i++) {
      a[i] = i * 0.25;
      b[i] = 2.0 - i % 5;
    }
  MPI_Bcast(a, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Bcast(b, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = rank; i < n; i += size)
    local += a[i] * b[i];
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Reduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.9f\n", sum);
  free(a);
  free(b);
  MPI_Finalize();
  return 0;
}
