// Atomic and volatile objects, which threads and signal handlers see: never part of a chain.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>

enum { N = 48 };
static int a[N], b[N], c[N], d[N];
static atomic_int count;
static _Atomic int plain;
static volatile sig_atomic_t signals, phase;

static void handle(int number) { signals += number == SIGUSR1 ? phase : 100; }

static void throughFunction(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: not fused [calls]: 'atomic'
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  atomic_fetch_add(&count, 1);
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i];
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}

static void throughOperator(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: not fused [calls]: 'atomic'
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  plain = 3;
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i];
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}

static void writtenForHandler(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+6]]: not fused [calls]: 'volatile'
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  phase = 2;
  for (int i = 0; i < N; i++)
    c[i] = b[i] - a[i];
  raise(SIGUSR1);
  MPI_Allreduce(c, d, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++)
    a[i] = rank + i;
  signal(SIGUSR1, handle);
  throughFunction();
  throughOperator();
  writtenForHandler();
  printf("%d %d %d %d %d\n", rank, (int)count, (int)plain, (int)signals, d[3]);
  MPI_Finalize();
  return 0;
}
