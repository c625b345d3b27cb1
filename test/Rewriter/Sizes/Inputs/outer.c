// The bound of the inner loop from the outer counter; a triangle in one array.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int rank, n = 14;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  float *t = malloc(n * (n + 1) / 2 * sizeof(float)), local = 1 + rank, all;
  for (int i = 0; i < n * (n + 1) / 2; i++)
    t[i] = i % 9;
  MPI_Allreduce(&local, &all, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      t[i * (i + 1) / 2 + j] /= all;
  float sum = 0;
  for (int i = 0; i < n * (n + 1) / 2; i++)
    sum += t[i];
  printf("%d %.7g\n", rank, sum);
  MPI_Finalize();
  return 0;
}
