/* Each rank owns a block of the sum of all vectors, changes it, and gives it to all. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 10

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  float *gradient = malloc(size * BLOCK * sizeof(float)), *weights = malloc(size * BLOCK * sizeof(float));
  float mine[BLOCK], fresh[BLOCK], momentum[BLOCK] = {0};
  int *counts = malloc(size * sizeof(int));
  for (int i = 0; i < size; i++)
    counts[i] = BLOCK;
  for (int i = 0; i < size * BLOCK; i++)
    weights[i] = 1.0f;
  for (int step = 0; step < 4; step++) {
    for (int i = 0; i < size * BLOCK; i++)
      gradient[i] = weights[i] * (float)((i + rank + step) % 4);
    MPI_Reduce_scatter_block(gradient, mine, BLOCK, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); /*@rs*/
    for (int i = 0; i < BLOCK; i++) {
      momentum[i] = 0.5f * momentum[i] + mine[i];
      fresh[i] = weights[rank * BLOCK + i] - 0.125f * momentum[i];
    }
    MPI_Allgather(fresh, BLOCK, MPI_FLOAT, weights, BLOCK, MPI_FLOAT, MPI_COMM_WORLD); /*@ag*/
  }
  MPI_Reduce_scatter(gradient, mine, counts, MPI_FLOAT, MPI_MAX, MPI_COMM_WORLD); /*@last*/
  float top = mine[0];
  for (int i = 1; i < BLOCK; i++)
    if (mine[i] > top)
      top = mine[i];
  printf("rank %d: weight %.5f, top %.3f\n", rank, weights[rank * BLOCK + 2], top);
  MPI_Finalize();
  return 0;
}
