/* Jacobi: the largest change decides, in a function of the program; output between. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static double global_max(double x) {
  double result;
  MPI_Allreduce(&x, &result, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return result;
}

static void sweep(const double *u, double *v, const double *f, int n) {
  for (int i = 1; i < n - 1; i++)
    v[i] = 0.5 * (u[i - 1] + u[i + 1] - f[i]);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int n = 34;
  double *u = calloc(n, sizeof(double)), *v = calloc(n, sizeof(double));
  double *f = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++)
    f[i] = 0.01 * ((i * 7 + rank) % 5);
  for (int it = 0; it < 4; it++) {
    sweep(u, v, f, n);
    double change = 0;
    for (int i = 0; i < n; i++)
      change = fmax(change, fabs(v[i] - u[i]));
    double scale = 1.0 / (1.0 + global_max(change));
    for (int i = 0; i < n; i++)
      u[i] += scale * (v[i] - u[i]);
    if (rank == 0)
      printf("step %d scale %.10f\n", it, scale);
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += u[i];
  printf("rank %d %.10f\n", rank, sum);
  free(u);
  free(v);
  free(f);
  MPI_Finalize();
  return 0;
}
