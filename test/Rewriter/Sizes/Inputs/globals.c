// Arrays and numbers of the file that callees use by their names.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static double *x, *y, step = 0.5;
static int n;
static void update(double by) {
  for (int i = 0; i < n; i++)
    y[i] = y[i] * step + x[i] / by;
}
static double worst(void) {
  double most = 0;
  for (int i = 0; i < n; i++)
    most = y[i] > most ? y[i] : most;
  return most;
}
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  n = 20 + rank;
  x = malloc(n * sizeof *x);
  y = calloc(n, sizeof *y);
  for (int i = 0; i < n; i++)
    x[i] = i;
  for (int t = 0; t < 3; t++) {
    double local = x[n - 1], all, most, top;
    MPI_Allreduce(&local, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    update(all);
    most = worst();
    MPI_Allreduce(&most, &top, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    printf("%d %.12g %.12g\n", rank, top, y[3]);
  }
  MPI_Finalize();
  return 0;
}
