// The length of an array comes from the result.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
enum { N = 48 };
static int a[N], b[N], c[N], d[N];
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++)
    a[i] = rank + i;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+8]]: rewritten
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  int n = b[0] % 8 + 40;
  int v[n];
  for (int i = 0; i < n; i++)
    v[i] = b[i] - a[i];
  for (int i = 0; i < N; i++)
    c[i] = v[i % n];
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  printf("%d %d\n", rank, d[4]);
  MPI_Finalize();
  return 0;
}
