#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int rank, size, n = argc > 1 ? atoi(argv[1]) : 25;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int a[n], all[n * size], rankof[n];
  for (int i = 0; i < n; i++)
    a[i] = (i * 29 + rank * 5) % 101;
  MPI_Allgather(a, n, MPI_INT, all, n, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) {
    int below = 0;
    for (int j = 0; j < n * size; j++)
      if (all[j] < a[i])
        below++;
    rankof[i] = below;
  }
  for (int i = 0; i < n; i += 6)
    printf("%d %d %d\n", rank, i, rankof[i]);
  MPI_Finalize();
  return 0;
}
