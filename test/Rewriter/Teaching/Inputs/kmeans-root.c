/* k-means where the root computes the new centroids. */
#include <float.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define K 4
#define DIM 2

static int nearest(const float *point, const float *centroids) {
  int best = 0;
  float best_dist = FLT_MAX;
  for (int c = 0; c < K; c++) {
    float dist = 0;
    for (int d = 0; d < DIM; d++) {
      float diff = point[d] - centroids[c * DIM + d];
      dist += diff * diff;
    }
    if (dist < best_dist) {
      best_dist = dist;
      best = c;
    }
  }
  return best;
}

int main(int argc, char **argv) {
  int rank, size, n = 100;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  float *points = malloc(n * DIM * sizeof(float));
  int *labels = malloc(n * sizeof(int));
  float centroids[K * DIM], sums[K * DIM], grand_sums[K * DIM];
  int counts[K], grand_counts[K];
  for (int i = 0; i < n * DIM; i++)
    points[i] = (float)((i * 37 + rank * 11) % 64);
  if (rank == 0)
    for (int i = 0; i < K * DIM; i++)
      centroids[i] = (float)(i * 8);

  for (int iter = 0; iter < 10; iter++) {
    MPI_Bcast(centroids, K * DIM, MPI_FLOAT, 0, MPI_COMM_WORLD); /*@centroids*/
    memset(sums, 0, sizeof(sums));
    memset(counts, 0, sizeof(counts));
    for (int i = 0; i < n; i++) {
      int c = nearest(&points[i * DIM], centroids);
      labels[i] = c;
      counts[c]++;
      for (int d = 0; d < DIM; d++)
        sums[c * DIM + d] += points[i * DIM + d];
    }
    MPI_Reduce(sums, grand_sums, K * DIM, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD); /*@sums*/
    MPI_Reduce(counts, grand_counts, K, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /*@counts*/
    if (rank == 0) {
      for (int c = 0; c < K; c++)
        if (grand_counts[c] > 0)
          for (int d = 0; d < DIM; d++)
            centroids[c * DIM + d] = grand_sums[c * DIM + d] / grand_counts[c];
    }
  }
  if (rank == 0)
    for (int c = 0; c < K; c++)
      printf("centroid %d: %.3f %.3f\n", c, centroids[c * DIM], centroids[c * DIM + 1]);
  printf("rank %d label %d\n", rank, labels[n / 2]);
  MPI_Finalize();
  return 0;
}
