// A second condition that reads what the first allows.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int rank, n = 60;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  n += rank;
  int *key = malloc(n * sizeof(int)), *near = malloc(n * sizeof(int)), mine = 40 + rank, limit;
  for (int i = 0; i < n; i++)
    key[i] = i * 2, near[i] = 0;
  MPI_Allreduce(&mine, &limit, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++)
    if (i + 1 < n && key[i + 1] < limit)
      near[i] = key[i + 1];
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += near[i];
  printf("%d %d\n", rank, sum);
  MPI_Finalize();
  return 0;
}
