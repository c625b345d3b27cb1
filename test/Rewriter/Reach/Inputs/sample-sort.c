/* Sample sort: own block at its place of the gathered array (in place), then counts. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size, n = 60;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int *key = malloc(n * sizeof(int)), *sample = malloc(size * size * sizeof(int));
  int *count = malloc(size * sizeof(int)), *from = malloc(size * sizeof(int));
  for (int i = 0; i < n; i++)
    key[i] = (i * 7919 + rank * 104729) % 1000;
  for (int i = 0; i < size; i++)
    sample[rank * size + i] = key[i * n / size];
  MPI_Allgather(&key[2], size, MPI_INT, sample, size, MPI_INT, MPI_COMM_WORLD);
  for (int i = 1; i < size * size; i++)
    for (int j = i; j > 0 && sample[j - 1] > sample[j]; j--) {
      int t = sample[j];
      sample[j] = sample[j - 1];
      sample[j - 1] = t;
    }
  for (int i = 0; i < size; i++)
    count[i] = 0;
  for (int i = 0; i < n; i++) {
    int to = 0;
    while (to < size - 1 && key[i] >= sample[(to + 1) * size])
      to++;
    count[to]++;
  }
  MPI_Alltoall(count, 1, MPI_INT, from, 1, MPI_INT, MPI_COMM_WORLD);
  int total = 0;
  for (int i = 0; i < size; i++)
    total += from[i];
  printf("%d %d\n", rank, total);
  free(key);
  free(sample);
  free(count);
  free(from);
  MPI_Finalize();
  return 0;
}
