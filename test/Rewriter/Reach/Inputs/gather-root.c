/* Gather and Reduce as first collectives: work on the root only. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size, n = 12, part[12], best = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int *all = malloc(n * size * sizeof(int)), table[12];
  for (int i = 0; i < n; i++)
    part[i] = (i * 17 + rank * 29) % 41;
  MPI_Gather(part, n, MPI_INT, all, n, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    for (int i = 0; i < n * size; i++)
      if (all[i] > all[best])
        best = i;
  }
  MPI_Bcast(&best, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Reduce(part, table, n, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (int i = 1; i < n; i++)
      table[i] += table[i - 1];
  if (rank == 0)
    printf("%d\n", table[n - 1]);
  printf("%d %d\n", rank, best);
  free(all);
  MPI_Finalize();
  return 0;
}
