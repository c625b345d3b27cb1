// The result is overwritten before it is read.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int a[64], b[64], c[64], d[64];
  for (int i = 0; i < 64; i++)
    a[i] = i % 17 + rank;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Allreduce_op: not fused [overwritten]: the result is overwritten at line {{[0-9]+}}
  MPI_Allreduce(a, b, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    b[i] = i;
  for (int i = 0; i < 64; i++)
    c[i] = b[i] * 2;
  printf("%d %d %d\n", rank, c[3], d[5]);
  MPI_Finalize();
  return 0;
}
