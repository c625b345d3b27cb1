// A local dot product and the sum of it over all ranks; two forms of the loop.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

double dot(int n, const double *x, const double *y) {
  double local = 0.0, sum = 0.0;
  if (y == x)
    for (int i = 0; i < n; i++)
      local += x[i] * x[i];
  else
    for (int i = 0; i < n; i++)
      local += x[i] * y[i];
  // CHECK: :[[#@LINE+1]]:3: remark: kernel-dot: {{rewritten|fusable}}
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

/* A sum of differences is no dot product. */
double distance(int n, const double *x, const double *y) {
  double local = 0.0, sum;
  for (int i = 0; i < n; i++)
    local += x[i] - y[i];
  // CHECK-NOT: kernel-dot
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

int main(int argc, char **argv) {
  int rank;
  double x[64], y[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 64; i++) {
    x[i] = i + rank;
    y[i] = i * 0.5;
  }
  double a = dot(64, x, y), b = dot(64, x, x), c = distance(64, x, y);
  if (rank == 0)
    printf("%.12g %.12g %.12g\n", a, b, c);
  MPI_Finalize();
  return 0;
}
