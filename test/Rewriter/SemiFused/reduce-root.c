// Reduce to the last rank.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int root = size - 1;
  int a[64], b[64], c[64], d[64];
  for (int i = 0; i < 64; i++)
    a[i] = i % 17 + rank;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Reduce_op: {{rewritten|fusable}}
  MPI_Reduce(a, b, 64, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD);
  if (rank == root)
    for (int i = 0; i < 64; i++)
      c[i] = b[i] % 7;
  if (rank == root)
    printf("%d %d\n", c[0], c[63]);
  MPI_Finalize();
  return 0;
}
