// The op of a block; nothing goes back.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int a[64 * 16], b[64];
  if (rank == 0)
    for (int i = 0; i < 64 * size; i++)
      a[i] = i;
  int part[64];
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Scatter_op: {{rewritten|fusable}}
  MPI_Scatter(a, 64, MPI_INT, part, 64, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    b[i] = part[i] * part[i];
  for (int i = 0; i < 64; i += 9)
    printf("%d %ld\n", rank, (long)b[i]);
  MPI_Finalize();
  return 0;
}
