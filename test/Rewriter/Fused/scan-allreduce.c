// Scan and bitwise operations.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  unsigned a[64], b[64], c[64];
  for (int i = 0; i < 64; i++)
    a[i] = i % 17 + rank;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Scan_op_Allreduce to line [[#@LINE+5]]: {{rewritten|fusable}}
  MPI_Scan(a, b, 64, MPI_UNSIGNED, MPI_SUM, MPI_COMM_WORLD);
  unsigned x = 0;
  for (int i = 0; i < 64; i++)
    c[i] = b[i] ^ (x += a[i]);
  MPI_Allreduce(MPI_IN_PLACE, c, 64, MPI_UNSIGNED, MPI_BXOR, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i += 9)
    printf("%d %u\n", rank, c[i]);
  MPI_Finalize();
  return 0;
}
