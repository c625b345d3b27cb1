// The return code of MPI goes into a variable.
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
  int err;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: {{rewritten|fusable}}
  err = MPI_Allreduce(a, b, 64, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    c[i] = b[i] - a[i];
  err = MPI_Allreduce(c, d, 64, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  printf("%d: %d %d %d\n", rank, err == MPI_SUCCESS, d[0], d[63]);
  MPI_Finalize();
  return 0;
}
