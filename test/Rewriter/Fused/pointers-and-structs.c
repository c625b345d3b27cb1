// Arrays behind pointers and in structures.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct { int *in, out[64], n; } State;

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  State s;
  int a[64], b[64], *p = b;
  for (int i = 0; i < 64; i++)
    a[i] = i % 17 + rank;
  s.in = p;
  s.n = 64;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: {{rewritten|fusable}}
  MPI_Allreduce(a, s.in, s.n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < s.n; i++)
    s.out[i] = s.in[i] + i;
  MPI_Allreduce(MPI_IN_PLACE, s.out, 64, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i += 9)
    printf("%d %d %d\n", rank, s.out[i], p[i]);
  MPI_Finalize();
  return 0;
}
