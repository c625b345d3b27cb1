// setjmp between the collectives is left alone; an error handler may leave a chain by longjmp.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <setjmp.h>
#include <stdio.h>

enum { N = 48 };
static int a[N], b[N], c[N], d[N];
static jmp_buf back;

static void leave(MPI_Comm *comm, int *code, ...) {
  (void)comm, (void)code;
  longjmp(back, 1);
}

static void between(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+6]]: not fused [calls]
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (setjmp(back) == 0)
    c[0] = 1;
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i];
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}

static void chain(int root) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Bcast to line [[#@LINE+4]]: rewritten
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i];
  MPI_Bcast(c, N, MPI_INT, root, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int rank;
  volatile int jumps = 0;
  MPI_Errhandler handler;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++)
    a[i] = rank + i;
  between();
  MPI_Comm_create_errhandler(leave, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  if (setjmp(back) == 0)
    chain(99);
  else
    jumps++;
  chain(0);
  printf("%d %d %d %d\n", rank, (int)jumps, c[3], d[3]);
  MPI_Errhandler_free(&handler);
  MPI_Finalize();
  return 0;
}
