/* Prefix sums of a distributed array by Scan, compaction by Exscan. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size, n = 40;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int *values = malloc(sizeof(int) * n);
  int *sums = malloc(sizeof(int) * n);
  int *all = rank == 0 ? malloc(sizeof(int) * n * size) : NULL;
  for (int i = 0; i < n; i++)
    values[i] = (rank * n + i) % 10;

  sums[0] = values[0];
  for (int i = 1; i < n; i++)
    sums[i] = sums[i - 1] + values[i];
  int total = sums[n - 1], upto;
  MPI_Scan(&total, &upto, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /*@scan*/
  int before = upto - total;
  for (int i = 0; i < n; i++)
    sums[i] += before;
  MPI_Gather(sums, n, MPI_INT, all, n, MPI_INT, 0, MPI_COMM_WORLD); /*@gather*/
  if (rank == 0) {
    for (int i = 0; i < n * size; i += 13)
      printf("%d ", all[i]);
    printf("\n");
  }

  int keep = 0, first = 0;
  for (int i = 0; i < n; i++)
    if (values[i] > 4)
      keep++;
  MPI_Exscan(&keep, &first, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /*@exscan*/
  if (rank == 0)
    first = 0;
  int place = first;
  for (int i = 0; i < n; i++)
    if (values[i] > 4)
      sums[i] = place++;
  printf("rank %d keeps %d from %d to %d\n", rank, keep, first, place);
  MPI_Finalize();
  return 0;
}
