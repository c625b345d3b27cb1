// Root and others call the collective in two places.
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
  if (rank == 0) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Scatter_op: not fused [rank-divergent]: the collective is in a branch that only some ranks take
    MPI_Scatter(a, 4, MPI_INT, b, 4, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 4; i++)
      c[i] = b[i];
  } else {
    MPI_Scatter(NULL, 4, MPI_INT, b, 4, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 4; i++)
      c[i] = b[i] + 1;
  }
  printf("%d %d %d\n", rank, c[3], d[5]);
  MPI_Finalize();
  return 0;
}
