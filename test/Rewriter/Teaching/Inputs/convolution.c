/* Signal filtered in pieces by a kernel that all ranks get, a status print on the way. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define TAPS 5

int main(int argc, char **argv) {
  int rank, size, n = 96, each, i, k;
  float taps[TAPS], *signal = NULL, *result = NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  each = n / size;
  if (rank == 0) {
    signal = malloc(n * sizeof(float));
    result = malloc(n * sizeof(float));
    for (i = 0; i < n; i++)
      signal[i] = (float)(i % 9);
    for (k = 0; k < TAPS; k++)
      taps[k] = 1.0f / (float)(k + 1);
  }
  float *piece = malloc(each * sizeof(float)), *filtered = malloc(each * sizeof(float));
  MPI_Bcast(taps, TAPS, MPI_FLOAT, 0, MPI_COMM_WORLD); /*@taps*/
  MPI_Scatter(signal, each, MPI_FLOAT, piece, each, MPI_FLOAT, 0, MPI_COMM_WORLD); /*@pieces*/
  printf("Process %d received %d samples\n", rank, each);
  fflush(stdout);
  for (i = 0; i < each; i++) {
    filtered[i] = 0.0f;
    for (k = 0; k < TAPS; k++)
      if (i - k >= 0)
        filtered[i] += taps[k] * piece[i - k];
  }
  MPI_Gather(filtered, each, MPI_FLOAT, result, each, MPI_FLOAT, 0, MPI_COMM_WORLD); /*@filtered*/
  if (rank == 0) {
    float peak = result[0];
    for (i = 1; i < each * size; i++)
      if (result[i] > peak)
        peak = result[i];
    printf("peak %.4f\n", peak);
  }
  free(piece);
  free(filtered);
  MPI_Finalize();
  return 0;
}
