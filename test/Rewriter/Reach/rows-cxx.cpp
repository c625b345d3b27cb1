// No compiler gives an array with rows of variable length to a lambda, so its op stays in its place.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>

double total(int n, int d) {
  double a[n][d], part = 0, all = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < d; j++)
      a[i][j] = i + j;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: {{.*}}fusable, not rewritten [extraction]: {{.*}}'a' has rows of variable size
  MPI_Bcast(&a[0][0], n * d, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < d; j++)
      part += a[i][j];
  MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

double line(int n) {
  double x[n], part = 0, all = 0;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Bcast_op_Allreduce to line [[#@LINE+4]]: rewritten
  MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++)
    part += x[i];
  MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}
