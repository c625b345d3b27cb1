// A chain in the body of a loop is one chain per iteration.
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
  for (int step = 0; step < 3; step++) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Allreduce_op: {{rewritten|fusable}}
  MPI_Allreduce(a, b, 64, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    a[i] += b[i] / 2;
  }
  for (int i = 0; i < 64; i += 9)
    printf("%d %d\n", rank, a[i]);
  MPI_Finalize();
  return 0;
}
