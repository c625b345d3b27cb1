/* All-pairs gravity; positions are replicated each step. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define SOFT 1e-3
#define DT 0.01
typedef struct {
  double x, y, z;
} vec3;

static void compute_forces(const vec3 *pos, const double *mass, vec3 *force, int first, int count,
                           int n) {
  for (int i = 0; i < count; i++) {
    force[i].x = force[i].y = force[i].z = 0;
    for (int j = 0; j < n; j++) {
      if (j == first + i)
        continue;
      double dx = pos[j].x - pos[first + i].x, dy = pos[j].y - pos[first + i].y,
             dz = pos[j].z - pos[first + i].z;
      double inv = 1.0 / sqrt(dx * dx + dy * dy + dz * dz + SOFT);
      double s = mass[j] * inv * inv * inv;
      force[i].x += dx * s;
      force[i].y += dy * s;
      force[i].z += dz * s;
    }
  }
}

static void update(vec3 *mine, vec3 *vel, const vec3 *force, int count) {
  for (int i = 0; i < count; i++) {
    vel[i].x += DT * force[i].x;
    vel[i].y += DT * force[i].y;
    vel[i].z += DT * force[i].z;
    mine[i].x += DT * vel[i].x;
    mine[i].y += DT * vel[i].y;
    mine[i].z += DT * vel[i].z;
  }
}

int main(int argc, char **argv) {
  int rank, size, each = 10, steps = 5;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int n = each * size;
  vec3 *pos = malloc(n * sizeof(vec3)), *mine = malloc(each * sizeof(vec3));
  vec3 *vel = calloc(each, sizeof(vec3)), *force = calloc(each, sizeof(vec3));
  double *mass = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++)
    mass[i] = 1.0 + i % 3;
  for (int i = 0; i < each; i++) {
    mine[i].x = rank + 0.1 * i;
    mine[i].y = 0.3 * i * i;
    mine[i].z = (rank * i) % 4;
  }
  double t = MPI_Wtime();
  for (int step = 0; step < steps; step++) {
    MPI_Allgather(mine, 3 * each, MPI_DOUBLE, pos, 3 * each, MPI_DOUBLE, MPI_COMM_WORLD); /*@plain*/
    compute_forces(pos, mass, force, rank * each, each, n);
    update(mine, vel, force, each);
  }
  MPI_Datatype vector;
  MPI_Type_contiguous(3, MPI_DOUBLE, &vector);
  MPI_Type_commit(&vector);
  for (int step = 0; step < steps; step++) {
    MPI_Allgather(mine, each, vector, pos, each, vector, MPI_COMM_WORLD); /*@derived*/
    compute_forces(pos, mass, force, rank * each, each, n);
    update(mine, vel, force, each);
  }
  MPI_Type_free(&vector);
  double energy = 0, total;
  for (int i = 0; i < each; i++)
    energy += 0.5 * mass[rank * each + i] * (vel[i].x * vel[i].x + vel[i].y * vel[i].y);
  MPI_Reduce(&energy, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); /*@energy*/
  if (rank == 0) {
    printf("energy %.9g\n", total);
    fprintf(stderr, "%g seconds\n", MPI_Wtime() - t);
  }
  MPI_Finalize();
  return 0;
}
