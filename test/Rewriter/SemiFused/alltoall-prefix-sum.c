// Offsets from counts; element 0 is set before.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int count[16], got[16], offset[16];
  for (int i = 0; i < size; i++)
    count[i] = rank * size + i;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Alltoall_op: {{rewritten|fusable}}
  MPI_Alltoall(count, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
  offset[0] = 0;
  for (int i = 1; i < size; i++)
    offset[i] = offset[i - 1] + got[i - 1];
  printf("%d: %d %d\n", rank, got[size - 1], offset[size - 1]);
  MPI_Finalize();
  return 0;
}
