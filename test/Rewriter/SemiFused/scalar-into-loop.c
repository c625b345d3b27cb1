// One number that a loop then uses as data.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double x[64], local = rank + 1, sum;
  for (int i = 0; i < 64; i++)
    x[i] = i;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Allreduce_op: {{rewritten|fusable}}
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  double alpha = 2.0 / sum;
  for (int i = 0; i < 64; i++)
    x[i] = x[i] * alpha;
  printf("%d: %.12g\n", rank, x[63]);
  MPI_Finalize();
  return 0;
}
