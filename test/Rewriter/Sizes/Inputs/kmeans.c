#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int n = 60 + rank, k = 3, d = 2;
  float *points = malloc(n * d * sizeof(float)), *centres = malloc(k * d * sizeof(float)),
        *sums = malloc(k * d * sizeof(float)), *all = malloc(k * d * sizeof(float));
  int *counts = malloc(k * sizeof(int)), *total = malloc(k * sizeof(int)),
      *label = malloc(n * sizeof(int));
  for (int i = 0; i < n * d; i++)
    points[i] = (i * 37 + rank * 11) % 100;
  for (int i = 0; i < n; i++)
    label[i] = 0;
  for (int i = 0; i < k * d; i++)
    centres[i] = i * 15;
  for (int turn = 0; turn < 4; turn++) {
    MPI_Bcast(centres, k * d, MPI_FLOAT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < k * d; i++)
      sums[i] = 0;
    for (int c = 0; c < k; c++)
      counts[c] = 0;
    for (int i = 0; i < n; i++) {
      int best = 0;
      float nearest = 1e30f;
      for (int c = 0; c < k; c++) {
        float dist = 0;
        for (int j = 0; j < d; j++) {
          float diff = points[i * d + j] - centres[c * d + j];
          dist += diff * diff;
        }
        if (dist < nearest) {
          nearest = dist;
          best = c;
        }
      }
      label[i] = best;
      counts[best]++;
      for (int j = 0; j < d; j++)
        sums[best * d + j] += points[i * d + j];
    }
    MPI_Reduce(sums, all, k * d, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(counts, total, k, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
      for (int c = 0; c < k; c++)
        for (int j = 0; j < d; j++)
          if (total[c] > 0)
            centres[c * d + j] = all[c * d + j] / total[c];
  }
  if (rank == 0)
    for (int i = 0; i < k * d; i++)
      printf("%f\n", centres[i]);
  printf("%d %d %d\n", rank, label[3], label[n - 1]);
  MPI_Finalize();
  return 0;
}
