#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static double dot(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] * b[i];
  return s;
}
static void axpy(double alpha, const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] += alpha * x[i];
}
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int n = 50 + rank;
  double *p = malloc(n * sizeof(double)), *r = malloc(n * sizeof(double)),
         *x = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++)
    p[i] = i % 4 + 1, r[i] = i % 7, x[i] = 0;
  double rr = dot(r, r, n), all, rho, global;
  for (int t = 0; t < 3; t++) {
    rr = dot(r, r, n);
    MPI_Allreduce(&rr, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double alpha = 1 / (1 + all);
    axpy(alpha, p, x, n);
    axpy(-alpha, p, r, n);
    rho = dot(r, r, n);
    MPI_Allreduce(&rho, &global, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
      p[i] = r[i] + global / all * p[i];
  }
  printf("%d %.15g %.15g\n", rank, x[n - 1], p[n / 2]);
  MPI_Finalize();
  return 0;
}
