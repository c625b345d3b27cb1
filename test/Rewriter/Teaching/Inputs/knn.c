/* Nearest neighbour of a query: query out, distances in, the best of each rank to the root. */
#include <float.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define D 8
float distance(const float *a, const float *b) {
  float s = 0.0f;
  for (int d = 0; d < D; d++)
    s += (a[d] - b[d]) * (a[d] - b[d]);
  return sqrtf(s);
}
int main(int argc, char **argv) {
  int rank, size, n = 40;
  float query[D], *points, *bests = NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  points = (float *)malloc(n * D * sizeof(float));
  for (int i = 0; i < n * D; i++)
    points[i] = (float)((i * 13 + rank * 7) % 50);
  for (int q = 0; q < 3; q++) {
    if (rank == 0)
      for (int d = 0; d < D; d++)
        query[d] = (float)(q * 10 + d);
    MPI_Bcast(query, D, MPI_FLOAT, 0, MPI_COMM_WORLD); /*@query*/
    float best = FLT_MAX;
    for (int i = 0; i < n; i++) {
      float dist = distance(points + i * D, query);
      if (dist < best)
        best = dist;
    }
    if (rank == 0)
      bests = (float *)malloc(size * sizeof(float));
    MPI_Gather(&best, 1, MPI_FLOAT, bests, 1, MPI_FLOAT, 0, MPI_COMM_WORLD); /*@best*/
    if (rank == 0) {
      float winner = bests[0];
      for (int r = 1; r < size; r++)
        winner = fminf(winner, bests[r]);
      printf("query %d: %.4f\n", q, winner);
      free(bests);
    }
  }
  MPI_Finalize();
  return 0;
}
