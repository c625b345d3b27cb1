// A sparse product of local rows, with an in-place Allgather.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int n = 8, start[9], column[24];
  double vector[128], value[24], result[8] = {0};
  for (int i = 0; i < n; i++)
    vector[rank * n + i] = i + rank;
  for (int i = 0; i <= n; i++)
    start[i] = 3 * i;
  for (int i = 0; i < 24; i++) {
    column[i] = (i * 5) % (n * size);
    value[i] = i;
  }
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Allgather_op: {{rewritten|fusable}}
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, vector, n, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int row = 0; row < n; row++) {
    double temp = 0.0;
    for (int k = start[row]; k < start[row + 1]; k++)
      temp += value[k] * vector[column[k]];
    result[row] += temp;
  }
  for (int i = 0; i < n; i++)
    printf("%d %g\n", rank, result[i]);
  MPI_Finalize();
  return 0;
}
