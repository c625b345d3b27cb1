// A broadcast number that only bounds a loop.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int n = 8, a[64], sum = 0;
  for (int i = 0; i < 64; i++)
    a[i] = i;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Bcast_op: not fused [scalar+io]: what is computed from the result has no loop over data
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++)
    sum += a[i];
  printf("%d\n", sum);
  MPI_Finalize();
  return 0;
}
