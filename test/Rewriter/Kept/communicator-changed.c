// The communicator is another one, or has another error handler, when the second collective comes.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

enum { N = 48 };
static int a[N], b[N], c[N], d[N];

static void freed(int rank) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+6]]: not fused [intervening-comm]: MPI_Comm_free communicates
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, comm);
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i];
  MPI_Comm_free(&comm);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &comm);
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, comm);
  MPI_Comm_free(&comm);
}

static void assigned(int rank) {
  MPI_Comm comm = MPI_COMM_WORLD, half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: {{rewritten as semi-fused Allreduce_op to line [0-9]+ .order.: an argument of the last collective is computed between|not fused}}
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, comm);
  for (int i = 0; i < N; i++)
    c[i] = b[i] + a[i];
  comm = half;
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, comm);
  MPI_Comm_free(&half);
}

static int handled(int rank) {
  int code;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Bcast to line [[#@LINE+5]]: not fused [intervening-comm]: MPI_Comm_set_errhandler communicates
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i];
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  code = MPI_Bcast(c, N, MPI_INT, 99 + rank, MPI_COMM_WORLD);
  return code != MPI_SUCCESS;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++)
    a[i] = rank + i;
  freed(rank);
  printf("%d %d\n", rank, d[3]);
  assigned(rank);
  printf("%d %d\n", rank, d[3]);
  printf("%d %d\n", rank, handled(rank));
  MPI_Finalize();
  return 0;
}
