#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
typedef struct {
  int bins;
  unsigned *count;
  double low, high;
} Hist;
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Hist h = {16, calloc(16, sizeof(unsigned)), 0, 1000};
  size_t n = 500;
  int *key = malloc(n * sizeof(int));
  int most = 0, top;
  for (size_t i = 0; i < n; i++) {
    key[i] = (i * 7919 + rank * 104729) % 1009;
    if (key[i] > most)
      most = key[i];
  }
  MPI_Allreduce(&most, &top, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  for (size_t i = 0; i < n; i++)
    h.count[(key[i] * h.bins / (top + 1)) % h.bins]++;
  unsigned *all = malloc(h.bins * sizeof(unsigned));
  MPI_Reduce(h.count, all, h.bins, MPI_UNSIGNED, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (int b = 0; b < h.bins; b++)
      printf("%u\n", all[b]);
  MPI_Finalize();
  return 0;
}
