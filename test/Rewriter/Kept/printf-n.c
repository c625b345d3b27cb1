// %n writes: what reads it is not done before the output.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

enum { N = 48 };

static int told;

int main(int argc, char **argv) {
  int rank, a[N], b[N], c[N], d[N], length = 0;
  const char *format = argc > 9 ? "" : "%d of the rank%n\n";
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++)
    a[i] = rank + i;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+7]]: rewritten as semi-fused Allreduce_op to line [[#@LINE+4]] [chain]
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("rank %d%n\n", rank, &length);
  for (int i = 0; i < N; i++)
    c[i] = b[i] * length;
  MPI_Barrier(MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: rewritten
  MPI_Allreduce(c, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf(format, rank, &told);
  for (int i = 0; i < N; i++)
    c[i] = b[i] + told;
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  printf("%d %d %d\n", length, told, d[3]);
  MPI_Finalize();
  return 0;
}
