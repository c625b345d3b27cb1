// Memory that other ranks write: what is read from it behind the first collective is not read
// before it. A fence between is communication.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
// RUN: acisc --mpi --force -o - %s 2>/dev/null | FileCheck %s --check-prefix=TEXT
#include <mpi.h>
#include <stdio.h>

enum { N = 48 };

int main(int argc, char **argv) {
  int rank, size, a[N], b[N], c[N], d[N], given = -1, *shared, *own;
  MPI_Win window, other;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < N; i++)
    a[i] = rank + i;
  MPI_Win_create(&given, sizeof given, sizeof given, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &own, &other);
  MPI_Aint bytes;
  int unit;
  MPI_Win_shared_query(other, (rank + 1) % size, &bytes, &unit, &shared);
  *own = -1;
  MPI_Win_lock_all(0, window);
  MPI_Win_lock_all(0, other);
  MPI_Barrier(MPI_COMM_WORLD);
  int value = rank * 10;
  *shared = value + 1;
  MPI_Win_sync(other);
  // TEXT: acis_op_[[#]]_run(
  // TEXT: seen = given
  // TEXT: acis_op_[[#]]_run(
  // TEXT: mine = *own
  // TEXT: main(
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: rewritten
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  int seen = given;
  for (int i = 0; i < N; i++)
    c[i] = b[i] + seen;
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: rewritten
  MPI_Allreduce(d, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  int mine = *own;
  for (int i = 0; i < N; i++)
    c[i] = b[i] + mine;
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Win_unlock_all(other);
  MPI_Win_unlock_all(window);
  printf("%d: %d %d %d\n", rank, seen, mine, d[5]);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: not fused [intervening-comm]: MPI_Win_fence communicates
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Win_fence(0, window);
  for (int i = 0; i < N; i++)
    c[i] = b[i] + given;
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Win_free(&other);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
