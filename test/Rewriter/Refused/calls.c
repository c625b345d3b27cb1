// What a function of another file does with the result is not seen.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

void order(int *values, int count);

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int a[64], b[64], c[64], d[64];
  for (int i = 0; i < 64; i++)
    a[i] = i % 17 + rank;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: not fused [calls]: 'order' is called at line {{[0-9]+}} and what it does is not visible; give its file too, or name it in --assume-local if it does not communicate
  MPI_Allreduce(a, b, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  order(b, 64);
  for (int i = 0; i < 64; i++)
    c[i] = b[i] * 2;
  MPI_Allreduce(c, d, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("%d %d %d\n", rank, c[3], d[5]);
  MPI_Finalize();
  return 0;
}
