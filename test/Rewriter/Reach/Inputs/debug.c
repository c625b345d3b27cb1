/* Directives inside a chain. */
#include <mpi.h>
#include <stdio.h>

#define N 24

int main(int argc, char **argv) {
  int rank, size;
  double x[N], sum = 0, mean = 0, square = 0, all;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < N; i++) {
    x[i] = (i * 11 + rank) % 17;
    sum += x[i];
  }
  MPI_Allreduce(&sum, &mean, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
#ifdef DEBUG
  printf("%d: sum %g\n", rank, mean);
#endif
  mean /= N * size;
#if defined(WEIGHTED) && N > 8
  for (int i = 0; i < N; i++)
    square += i * (x[i] - mean) * (x[i] - mean);
#else
  for (int i = 0; i < N; i++)
    square += (x[i] - mean) * (x[i] - mean);
#endif
  MPI_Allreduce(&square, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  printf("%d %.9f %.9f\n", rank, mean, all);
  MPI_Finalize();
  return 0;
}
