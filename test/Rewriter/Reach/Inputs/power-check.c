/* Power method: the vector is put together, a check that may end the program stands between. */
#include <assert.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size, n = 24;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int rows = n / size;
  double *a = malloc(rows * n * sizeof(double)), *x = malloc(n * sizeof(double));
  double *part = malloc(rows * sizeof(double));
  for (int i = 0; i < rows * n; i++)
    a[i] = 1.0 + ((i * 31 + rank) % 17) / 17.0;
  for (int i = 0; i < rows; i++)
    part[i] = 1.0;
  double lambda = 0;
  for (int it = 0; it < 3; it++) {
    MPI_Allgather(part, rows, MPI_DOUBLE, x, rows, MPI_DOUBLE, MPI_COMM_WORLD);
    double local = 0;
    for (int i = 0; i < rows; i++) {
      part[i] = 0;
      for (int j = 0; j < n; j++)
        part[i] += a[i * n + j] * x[j];
      local += part[i] * part[i];
    }
    assert(local > 0);
    double norm;
    MPI_Allreduce(&local, &norm, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    norm = sqrt(norm);
    for (int i = 0; i < rows; i++)
      part[i] /= norm;
    lambda = norm;
  }
  printf("%d %.9f %.9f\n", rank, lambda, part[0]);
  free(a);
  free(x);
  free(part);
  MPI_Finalize();
  return 0;
}
