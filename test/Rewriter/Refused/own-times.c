// A function of the program with a name of POSIX is not the one of POSIX; one that is declared to
// have no effects has none.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#define N 64

double times(int round);
int rounded(int value) __attribute__((const));

int main(int argc, char **argv) {
  int a[N], b[N], c[N], rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++)
    a[i] = c[i] = i + rank;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: not fused [calls]: 'times' is called at line [[#@LINE+2]] and what it does is not visible; give its file too, or name it in --assume-local if it does not communicate
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  double now = times(1);
  for (int i = 0; i < N; i++)
    c[i] = b[i] * 3;
  MPI_Allreduce(c, a, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: rewritten
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = rounded(b[i]);
  MPI_Allreduce(c, a, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("%d: %d %g\n", rank, a[3], now);
  MPI_Finalize();
  return 0;
}
