/* Buffers inside an array: halves of one vector, rows of a matrix. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size, n = 16;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double *x = malloc(4 * n * sizeof *x), m[3][16], sum = 0;
  for (int i = 0; i < 4 * n; i++)
    x[i] = (i * 3 + rank) % 11;
  MPI_Allreduce(x, x + 2 * n, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++)
    x[n + i] = x[2 * n + i] / size + x[i];
  MPI_Allreduce(&x[n], &x[3 * n], n, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++)
    sum += x[3 * n + i];
  for (int i = 0; i < n; i++)
    m[0][i] = x[i] + rank;
  MPI_Allreduce(m[0], m[1], n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++)
    m[2][i] = m[1][i] - m[0][i];
  for (int i = 0; i < n; i++)
    printf("%d %d %g %g %g %g\n", rank, i, x[n + i], x[3 * n + i], m[2][i], sum);
  free(x);
  MPI_Finalize();
  return 0;
}
