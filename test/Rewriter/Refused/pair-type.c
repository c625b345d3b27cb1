// MPI_MINLOC works on pairs.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  struct { int value, where; } p = {rank, rank}, q;
  int c[64];
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Allreduce_op: not fused [derived-type]: the datatype 'MPI_2INT' is not a predefined type of one number
  MPI_Allreduce(&p, &q, 1, MPI_2INT, MPI_MINLOC, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    c[i] = q.value;
  printf("%d\n", c[3]);
  MPI_Finalize();
  return 0;
}
