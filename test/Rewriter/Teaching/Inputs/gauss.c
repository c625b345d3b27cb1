/* Gaussian elimination, rows dealt out cyclically; each pivot row is broadcast by its owner. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define N 24

double A[N][N + 1];

int main(int argc, char **argv) {
  int rank, size;
  double pivot[N + 1], x[N];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= N; j++)
      A[i][j] = i == j ? N : (double)((i * 3 + j * 5) % 7);

  for (int k = 0; k < N - 1; k++) {
    if (rank == k % size)
      for (int j = k; j <= N; j++)
        pivot[j] = A[k][j];
    MPI_Bcast(&pivot[k], N + 1 - k, MPI_DOUBLE, k % size, MPI_COMM_WORLD); /*@pivot*/
    for (int i = k + 1; i < N; i++) {
      if (i % size != rank)
        continue;
      double factor = A[i][k] / pivot[k];
      for (int j = k; j <= N; j++)
        A[i][j] -= factor * pivot[j];
    }
  }
  for (int k = N - 1; k >= 0; k--) {
    if (rank == k % size)
      x[k] = A[k][N] / A[k][k];
    MPI_Bcast(&x[k], 1, MPI_DOUBLE, k % size, MPI_COMM_WORLD); /*@back*/
    for (int i = rank; i < k; i += size)
      A[i][N] -= A[i][k] * x[k];
  }
  if (rank == 0)
    printf("%.9f %.9f\n", x[0], x[N - 1]);
  MPI_Finalize();
  return 0;
}
