#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
/* a buffer of doubles as bytes, and a count of zero */
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int n = 0; n < 25; n += 12) {
    double *x = malloc(n * sizeof(double)), *y = malloc((n + rank) * sizeof(double));
    for (int i = 0; i < n; i++)
      x[i] = rank ? 0 : i;
    for (int i = 0; i < n + rank; i++)
      y[i] = 1;
    MPI_Bcast(x, n * sizeof(double), MPI_BYTE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
      y[i] += x[i];
    double s = 0;
    for (int i = 0; i < n + rank; i++)
      s += y[i] * i;
    printf("%d %d %g\n", rank, n, s);
  }
  MPI_Finalize();
  return 0;
}
