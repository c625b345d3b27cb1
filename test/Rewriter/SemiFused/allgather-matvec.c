// A dense matrix-vector product of local rows; the buffer is freed.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int n = 8 * size;
  double *m = malloc(8 * n * sizeof(double)), *y = malloc(8 * sizeof(double));
  double *x = malloc(n * sizeof(double)), mine[8];
  for (int i = 0; i < 8; i++)
    mine[i] = rank + i;
  for (int i = 0; i < 8 * n; i++)
    m[i] = i % 5;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Allgather_op: {{rewritten|fusable}}
  MPI_Allgather(mine, 8, MPI_DOUBLE, x, 8, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < 8; i++) {
    y[i] = 0.0;
    for (int j = 0; j < n; j++)
      y[i] += m[i * n + j] * x[j];
  }
  free(x);
  for (int i = 0; i < 8; i++)
    printf("%d %g\n", rank, y[i]);
  free(m);
  free(y);
  MPI_Finalize();
  return 0;
}
