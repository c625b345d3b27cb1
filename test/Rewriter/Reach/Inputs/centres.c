/* k-means: sums and counts in one structure passed by pointer, output of each step between. */
#include <float.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { K = 4, D = 3, POINTS = 30 };

struct state {
  double *points;
  double centre[K * D];
  int label[POINTS];
};

static void assign(struct state *s) {
  for (int p = 0; p < POINTS; p++) {
    double best = DBL_MAX;
    for (int k = 0; k < K; k++) {
      double d = 0;
      for (int j = 0; j < D; j++) {
        double e = s->points[p * D + j] - s->centre[k * D + j];
        d += e * e;
      }
      if (d < best) {
        best = d;
        s->label[p] = k;
      }
    }
  }
}

int main(int argc, char **argv) {
  int rank;
  struct state s;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  s.points = malloc(POINTS * D * sizeof(double));
  for (int i = 0; i < POINTS * D; i++)
    s.points[i] = (i * 29 + rank * 13) % 31;
  for (int i = 0; i < K * D; i++)
    s.centre[i] = i * 3 % 17;
  for (int step = 0; step < 3; step++) {
    double sum[K * D] = {0}, all[K * D];
    int count[K] = {0}, counts[K];
    assign(&s);
    for (int p = 0; p < POINTS; p++) {
      count[s.label[p]]++;
      for (int j = 0; j < D; j++)
        sum[s.label[p] * D + j] += s.points[p * D + j];
    }
    MPI_Allreduce(count, counts, K, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(sum, all, K * D, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int k = 0; k < K; k++)
      for (int j = 0; j < D; j++)
        if (counts[k])
          s.centre[k * D + j] = all[k * D + j] / counts[k];
    if (rank == 0)
      printf("step %d: %g\n", step, s.centre[0]);
  }
  for (int i = 0; i < K * D; i++)
    printf("%d %d %.9f\n", rank, i, s.centre[i]);
  free(s.points);
  MPI_Finalize();
  return 0;
}
