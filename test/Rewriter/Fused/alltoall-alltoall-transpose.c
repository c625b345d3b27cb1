// There and back with a scaling between.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  long a[64], b[64], c[64], d[64];
  for (int i = 0; i < 64; i++)
    a[i] = rank * 100 + i;
  int n = 64 / size;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Alltoall_op_Alltoall to line [[#@LINE+4]]: {{rewritten|fusable}}
  MPI_Alltoall(a, n, MPI_LONG, b, n, MPI_LONG, MPI_COMM_WORLD);
  for (int i = 0; i < n * size; i++)
    c[i] = b[i] * 3 + i;
  MPI_Alltoall(c, n, MPI_LONG, d, n, MPI_LONG, MPI_COMM_WORLD);
  for (int i = 0; i < n * size; i++)
    printf("%d %ld\n", rank, d[i]);
  MPI_Finalize();
  return 0;
}
