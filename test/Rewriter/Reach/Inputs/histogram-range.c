/* A histogram: least and greatest first, in one array of two; output between the collectives. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define BINS 16

int main(int argc, char **argv) {
  int rank, n = 200, bins[BINS] = {0}, all[BINS];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  float *data = malloc(n * sizeof *data), ends[2] = {0, 0}, range[2];
  for (int i = 0; i < n; i++) {
    data[i] = (float)((i * 37 + rank * 11) % 101) - 20.0f;
    if (i == 0 || -data[i] > ends[0])
      ends[0] = -data[i];
    if (i == 0 || data[i] > ends[1])
      ends[1] = data[i];
  }
  MPI_Allreduce(ends, range, 2, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD);
  float low = -range[0], width = (range[1] - low) / BINS;
  for (int i = 0; i < n; i++) {
    int bin = (int)((data[i] - low) / width);
    if (bin >= BINS)
      bin = BINS - 1;
    bins[bin]++;
  }
  if (rank == 0)
    printf("range %g %g\n", low, range[1]);
  MPI_Reduce(bins, all, BINS, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (int i = 0; i < BINS; i++)
      printf("%d: %d\n", i, all[i]);
  free(data);
  MPI_Finalize();
  return 0;
}
