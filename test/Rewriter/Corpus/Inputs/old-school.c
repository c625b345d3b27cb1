/* What gcc takes: no prototype, no type of main, an old parameter list. */
#include <mpi.h>
#include <stdio.h>
#define N 64
float *row(a, i)
float *a;
int i;
{
  return a + i * N;
}
main(int argc, char **argv) {
  int rank, size, i, j, rows;
  static float a[N * N], b[N], c[N], part[N * N], out[N];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  rows = N / size;
  if (rank == 0)
    for (i = 0; i < N; i++) {
      b[i] = i;
      for (j = 0; j < N; j++)
        row(a, i)[j] = abs(i - j);
    }
  MPI_Bcast(b, N, MPI_FLOAT, 0, MPI_COMM_WORLD); /*@b*/
  MPI_Scatter(a, rows * N, MPI_FLOAT, part, rows * N, MPI_FLOAT, 0, MPI_COMM_WORLD); /*@a*/
  for (i = 0; i < rows; i++) {
    out[i] = 0;
    for (j = 0; j < N; j++)
      out[i] += part[i * N + j] * b[j];
  }
  MPI_Gather(out, rows, MPI_FLOAT, c, rows, MPI_FLOAT, 0, MPI_COMM_WORLD); /*@c*/
  if (rank == 0)
    for (i = 0; i < N; i += 9)
      printf("%g\n", c[i]);
  MPI_Finalize();
}
