// Collectives that may be left out with the expression that they are in.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <assert.h>
#include <mpi.h>
#include <stdio.h>

enum { N = 48 };

int main(int argc, char **argv) {
  int rank, a[N], b[N], c[N], d[N], more = 3;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++)
    a[i] = rank + i;
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: not fused [expression]: the collective is in an assertion, a condition or another expression that may leave it out
  assert(MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS);
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i];
  assert(!MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
  // CHECK: :[[#@LINE+1]]:15: remark: semi-fused Bcast_op: not fused [expression]: the collective is in
  more > 2 && MPI_Bcast(d, N, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = d[i] - a[i];
  // CHECK: :[[#@LINE+1]]:10: remark: semi-fused Allreduce_op: not fused [expression]: the collective is in
  while (MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD) == MPI_SUCCESS && --more > 0)
    for (int i = 0; i < N; i++)
      c[i] += d[i];
  printf("%d %d\n", rank, d[4]);
  MPI_Finalize();
  return 0;
}
