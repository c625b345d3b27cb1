/* Particles in cells: structures in arrays by pointers, rows of coordinates, a function of one. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct particle {
  double pos[3], vel[3];
  double mass;
};

static double energy(const struct particle *p) {
  double sum = 0;
  for (int d = 0; d < 3; d++)
    sum += p->vel[d] * p->vel[d];
  return 0.5 * p->mass * sum;
}

static void move(struct particle *parts, int n, double *shift, double step, double *total) {
  double local = 0;
  MPI_Allreduce(MPI_IN_PLACE, shift, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) {
    struct particle *p = &parts[i];
    for (int d = 0; d < 3; d++) {
      p->vel[d] += step * shift[d] / p->mass;
      parts[i].pos[d] += step * p->vel[d];
    }
    local += energy(&parts[i]);
  }
  MPI_Allreduce(&local, total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int rank, n = 9;
  double total = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  struct particle *parts = (struct particle *)malloc(n * sizeof *parts);
  for (int i = 0; i < n; i++) {
    parts[i].mass = 1 + i % 3;
    for (int d = 0; d < 3; d++) {
      parts[i].pos[d] = i + d;
      parts[i].vel[d] = (rank + i * d) % 4 - 1;
    }
  }
  for (int t = 0; t < 3; t++) {
    double shift[3] = {0, 0, 0};
    for (int i = 0; i < n; i++)
      for (int d = 0; d < 3; d++)
        shift[d] -= parts[i].pos[d] * parts[i].mass;
    move(parts, n, shift, 0.01, &total);
  }
  printf("%d %.9f %.9f %.9f\n", rank, total, parts[0].pos[0], parts[n - 1].vel[2]);
  free(parts);
  MPI_Finalize();
  return 0;
}
