// Requests that are under way during a chain, tested between and completed behind it.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

enum { N = 48, LARGE = 100000 };
static int a[N], b[N], c[N], d[N], out[LARGE], in[LARGE];

int main(int argc, char **argv) {
  int rank, size, done = 0, tests = 0;
  MPI_Request requests[2], other;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < N; i++)
    a[i] = rank + i;
  for (int i = 0; i < LARGE; i++)
    out[i] = rank * i;
  MPI_Irecv(in, LARGE, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Iallreduce(MPI_IN_PLACE, d, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &other);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: rewritten
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i];
  MPI_Allreduce(c, b, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Isend(out, LARGE, MPI_INT, (rank + size - 1) % size, 3, MPI_COMM_WORLD, &requests[1]);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+8]]: not fused [intervening-comm]: MPI_Test communicates
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  while (!done) {
    MPI_Test(&other, &done, MPI_STATUS_IGNORE);
    tests++;
  }
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i] + d[i];
  MPI_Allreduce(c, b, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  printf("%d %d %d %d\n", rank, b[3], in[77], tests > 0);
  MPI_Finalize();
  return 0;
}
