#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int rank, size, n = 30;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double *w = malloc(n * sizeof(double)), *g = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++)
    w[i] = i, g[i] = rank + i % 3;
  for (int t = 0; t < 3; t++) {
    MPI_Allreduce(MPI_IN_PLACE, g, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++) {
      g[i] /= size;
      w[i] -= 0.1 * g[i];
    }
    MPI_Allreduce(MPI_IN_PLACE, w, n, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
      g[i] = w[i] * rank;
  }
  printf("%d %.12g %.12g\n", rank, w[7], g[29]);
  MPI_Finalize();
  return 0;
}
