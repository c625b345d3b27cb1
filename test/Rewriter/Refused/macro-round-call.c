// An argument that a macro writes has no text of its own: found, left as it is.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#define SAME(call) call
#define SUM(from, to) MPI_Allreduce(from, to, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD)
#define ALLREDUCE MPI_Allreduce

int main(int argc, char **argv) {
  int rank, a[64], b[64], c[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 64; i++)
    a[i] = i % 17 + rank;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: fusable, not rewritten [macro]: a macro stands round the call
  SUM(a, b);
  for (int i = 0; i < 64; i++)
    c[i] = b[i] * 2;
  SUM(c, a);
  printf("%d %d\n", rank, a[5]);
  // A macro that is nothing but its argument is no obstacle.
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: rewritten
  SAME(MPI_Allreduce(a, b, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  for (int i = 0; i < 64; i++)
    c[i] = b[i] * 2;
  SAME(MPI_Allreduce(c, a, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  printf("%d %d\n", rank, a[5]);
  // A macro for the name only is no obstacle.
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: rewritten
  ALLREDUCE(a, b, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    c[i] = b[i] * 2;
  ALLREDUCE(c, a, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("%d %d\n", rank, a[5]);
  MPI_Finalize();
  return 0;
}
