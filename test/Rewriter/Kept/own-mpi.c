// The program has an MPI_Allreduce of its own round PMPI_Allreduce: it is called for each call of
// the program, and not for the calls that go past it.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

enum { N = 48 };
static int calls, waits, extra[N];

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  calls++;
  // CHECK: :[[#@LINE+1]]:14: remark: semi-fused Allreduce_op: not fused
  int code = PMPI_Allreduce(from, to, count, type, op, comm);
  for (int i = 0; i < N; i++)
    extra[i] += ((int *)to)[i % count];
  return code;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  waits++;
  return PMPI_Wait(request, status);
}

int main(int argc, char **argv) {
  int rank, a[N], b[N], c[N], d[N];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++)
    a[i] = rank + i;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: fusable, not rewritten [own-mpi]: the program has an MPI_Allreduce of its own, which must be called
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i];
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Scan_op_Scan to line [[#@LINE+4]]: fusable, not rewritten [own-mpi]: the program has an MPI_Wait of its own, which would be called more often
  MPI_Scan(d, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i];
  MPI_Scan(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Bcast_op_Reduce to line [[#@LINE+4]]: fusable, not rewritten [own-mpi]: it calls PMPI_Bcast, past functions that are called like MPI's
  PMPI_Bcast(d, N, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = d[i] - a[i];
  PMPI_Reduce(c, b, N, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  printf("%d %d %d %d %d\n", rank, calls, waits, extra[3], rank ? d[2] : b[2]);
  MPI_Finalize();
  return 0;
}
