// Reduce_scatter with its array of counts.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int a[8], b[128], c[128], d[8], counts[16];
  for (int i = 0; i < 8; i++)
    a[i] = rank * 8 + i;
  for (int i = 0; i < size; i++)
    counts[i] = 8;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allgather_op_Reduce_scatter to line [[#@LINE+4]]: {{rewritten|fusable}}
  MPI_Allgather(a, 8, MPI_INT, b, 8, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < 8 * size; i++)
    c[i] = b[i] * (rank + 1);
  MPI_Reduce_scatter(c, d, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 8; i++)
    printf("%d %d\n", rank, d[i]);
  MPI_Finalize();
  return 0;
}
