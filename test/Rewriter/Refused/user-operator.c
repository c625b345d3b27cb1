// An operator of the program.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static void biggest(void *in, void *out, int *n, MPI_Datatype *type) {
  for (int i = 0; i < *n; i++)
    if (((int *)in)[i] > ((int *)out)[i])
      ((int *)out)[i] = ((int *)in)[i];
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int a[64], b[64], c[64], d[64];
  for (int i = 0; i < 64; i++)
    a[i] = i % 17 + rank;
  MPI_Op op;
  MPI_Op_create(biggest, 1, &op);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Allreduce_op: not fused [user-op]: 'op' is not a predefined operation on numbers
  MPI_Allreduce(a, b, 64, MPI_INT, op, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    c[i] = b[i] * 2;
  printf("%d %d %d\n", rank, c[3], d[5]);
  MPI_Finalize();
  return 0;
}
