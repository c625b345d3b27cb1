// Allgatherv first.
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
  int counts[16], displ[16];
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused : not fused [allgatherv]: MPI_Allgatherv is not one of the collectives that are fused
  MPI_Allgatherv(a, 4, MPI_INT, b, counts, displ, MPI_INT, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    c[i] = b[i] * 2;
  printf("%d %d %d\n", rank, c[3], d[5]);
  MPI_Finalize();
  return 0;
}
