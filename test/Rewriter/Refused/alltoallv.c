// Variants with a size for each rank are not fused.
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
  int displ[16] = {0};
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Alltoall_op_Alltoallv to line [[#@LINE+4]]: not fused [alltoallv]: MPI_Alltoallv is not one of the collectives that are fused
  MPI_Alltoall(a, 1, MPI_INT, b, 1, MPI_INT, MPI_COMM_WORLD);
  for (int i = 1; i < size; i++)
    displ[i] = displ[i - 1] + b[i - 1];
  MPI_Alltoallv(c, a, displ, MPI_INT, d, b, displ, MPI_INT, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
