// Pointers are sent, not what they point to.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int *a[64], *b[64], c[64], d[64];
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Bcast_op: not fused [type-mismatch]: the buffer is an array of pointers
  MPI_Bcast(a, 64, MPI_LONG, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    c[i] = a[i] != NULL;
  MPI_Finalize();
  return 0;
}
