#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
/* the second collective gives an array that the op writes too; only the root gets it */
int main(int argc, char **argv) {
  int rank, size, n = 20;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int *a = malloc(n * sizeof(int)), *b = malloc(n * sizeof(int)), *c = malloc(n * sizeof(int)),
      sum = rank + 1, all;
  for (int i = 0; i < n; i++)
    a[i] = i, b[i] = 0, c[i] = -1;
  MPI_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) {
    b[i] = a[i] * all;
    c[i] = rank + i;
  }
  MPI_Reduce(b, c, n, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  printf("%d %d %d %d\n", rank, b[3], c[3], c[19]);
  MPI_Finalize();
  return 0;
}
