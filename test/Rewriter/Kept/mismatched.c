// The two sides of a collective have different types, seen only where its function is called.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

enum { N = 48 };

static void spread(const void *from, MPI_Datatype mine, void *to, MPI_Datatype theirs) {
  MPI_Allgather(from, 8, mine, to, 8, theirs, MPI_COMM_WORLD);
}

static void add(const void *from, void *to, MPI_Datatype type) {
  MPI_Allreduce(from, to, N, type, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int rank, a[N], b[N], c[N], d[N];
  float f[N];
  static unsigned all[8 * 64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++)
    f[i] = a[i] = rank + i;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allgather_op_Allreduce to line [[#@LINE+4]]: not fused [type-mismatch]: it sends MPI_INT and receives MPI_UNSIGNED
  spread(a, MPI_INT, all, MPI_UNSIGNED);
  for (int i = 0; i < N; i++)
    c[i] = all[i % 16] - a[i];
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: not fused [type-mismatch]: the buffer has elements of type 'float' but the call says MPI_INT
  add(f, b, MPI_INT);
  for (int i = 0; i < N; i++)
    c[i] = b[i] % 100 + d[i];
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  printf("%d %d\n", rank, d[4]);
  MPI_Finalize();
  return 0;
}
