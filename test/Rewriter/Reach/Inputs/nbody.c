/* All bodies as structures of numbers; forces on the own ones. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  double x, y, m;
} Body;

int main(int argc, char **argv) {
  int rank, size, each = 6;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int n = each * size;
  Body *own = malloc(each * sizeof(Body)), *all = malloc(n * sizeof(Body));
  double *fx = malloc(each * sizeof(double)), *fy = malloc(each * sizeof(double));
  for (int i = 0; i < each; i++) {
    own[i].x = i + rank;
    own[i].y = (i * 3 + rank) % 7;
    own[i].m = 1 + i % 2;
  }
  for (int step = 0; step < 2; step++) {
    MPI_Allgather(own, 3 * each, MPI_DOUBLE, all, 3 * each, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int i = 0; i < each; i++) {
      fx[i] = fy[i] = 0;
      for (int j = 0; j < n; j++) {
        double dx = all[j].x - own[i].x, dy = all[j].y - own[i].y;
        double r2 = dx * dx + dy * dy + 0.01;
        double f = all[j].m / (r2 * sqrt(r2));
        fx[i] += f * dx;
        fy[i] += f * dy;
      }
    }
    for (int i = 0; i < each; i++) {
      own[i].x += 0.01 * fx[i];
      own[i].y += 0.01 * fy[i];
    }
  }
  for (int i = 0; i < each; i++)
    printf("%d %d %.9f %.9f\n", rank, i, own[i].x, own[i].y);
  free(own);
  free(all);
  free(fx);
  free(fy);
  MPI_Finalize();
  return 0;
}
