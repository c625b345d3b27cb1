#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
/* sample sort: splitters from the root, then how many keys go where */
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int n = 80 + 3 * rank;
  int *keys = malloc(n * sizeof(int)), *split = malloc((size - 1) * sizeof(int)),
      *counts = malloc(size * sizeof(int)), *got = malloc(size * sizeof(int));
  for (int i = 0; i < n; i++)
    keys[i] = i * 13;
  if (rank == 0)
    for (int s = 0; s < size - 1; s++)
      split[s] = (s + 1) * 1100 / size;
  MPI_Bcast(split, size - 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int r = 0; r < size; r++)
    counts[r] = 0;
  for (int i = 0; i < n; i++) {
    int to = 0;
    for (int s = 0; s < size - 1; s++)
      if (keys[i] >= split[s])
        to = s + 1;
    counts[to]++;
  }
  MPI_Alltoall(counts, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < size; r++)
    printf("%d %d %d\n", rank, r, got[r]);
  MPI_Finalize();
  return 0;
}
