// Jumps that pass over a chain: in C++ not over a variable with a value.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <cstdio>
enum { N = 48 };
static int a[N], b[N], c[N], d[N];
static int pick(int way) {
  int done = 0;
  switch (way) {
  case 1:
    done = 1;
    // CHECK: :[[#@LINE+1]]:5: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: rewritten
    MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
      c[i] = b[i] - a[i];
    MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    break;
  default:
    done = 2;
  }
  return done;
}
static int declared(int way) {
  if (way > 7)
    goto over;
  {
    // CHECK: :[[#@LINE+1]]:5: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: rewritten
    MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
      c[i] = b[i] - a[i];
    int first = c[0];
    MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return d[1] + first;
  }
over:
  return 0;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++)
    a[i] = rank + i;
  if (argc > 7)
    goto over;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: rewritten
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i];
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
over:
  printf("%d %d %d\n", rank, d[4], pick(1) + declared(2));
  MPI_Finalize();
  return 0;
}
