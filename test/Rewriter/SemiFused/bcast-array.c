// Everyone works on the whole broadcast array.
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
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Bcast_op: {{rewritten|fusable}}
  MPI_Bcast(a, 64, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    b[i] = a[i] * (rank + 1);
  for (int i = 0; i < 64; i += 9)
    printf("%d %ld\n", rank, (long)b[i]);
  MPI_Finalize();
  return 0;
}
