// One function for each way to say no that no other test shows.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define N 64
int a[N], b[N], c[N], d[N], rank, size;
double x[N], y[N];

static void twice(int n) {
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (n > 0)
    twice(n - 1);
}
static void usesRecursive(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: not fused [intervening-comm]: 'twice' afterwards calls MPI_Allreduce
  twice(1);
  for (int i = 0; i < N; i++)
    c[i] = b[i] * 2;
}

static void byRank(void) {
  if (rank == 0)
    MPI_Reduce(MPI_IN_PLACE, b, N, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  else
    MPI_Reduce(b, 0, N, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Bcast(b, N, MPI_INT, 0, MPI_COMM_WORLD);
}
static void usesByRank(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Bcast to line [[#@LINE+4]]: not fused [rank-divergent]: 'byRank' has different collectives on different ranks
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    b[i] = b[i] * 2;
  byRank();
}

static int sentEarly(void) {
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (b[0] > 3)
    return 1;
  c[0] = 1;
  return 0;
}
static void usesEarly(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: not fused [control]: 'sentEarly' may leave early
  sentEarly();
  for (int i = 0; i < N; i++)
    c[i] = b[i] * 2;
}

static void behind(int n) {
  for (int i = 0; i < n; i++)
    c[i]++;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Bcast(c, N, MPI_INT, 0, MPI_COMM_WORLD);
}
static void usesBehind(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Bcast to line [[#@LINE+4]]: not fused [intervening-comm]: 'behind' before that calls MPI_Barrier
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] * 2;
  behind(3);
}

void unknown(void);
static void unknownBefore(void) {
  unknown();
  MPI_Bcast(c, N, MPI_INT, 0, MPI_COMM_WORLD);
}
static void usesUnknownBefore(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Bcast to line [[#@LINE+4]]: not fused [calls]: 'unknownBefore' before that calls 'unknown', which is not visible
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] * 2;
  unknownBefore();
}

static void someRanks(void) {
  if (rank % 2) {
    // CHECK: :[[#@LINE+1]]:5: remark: semi-fused Allreduce_op: not fused [rank-divergent]: the collective is in a branch that only some ranks take
    MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_SELF);
    for (int i = 0; i < N; i++)
      c[i] = b[i] * 2;
  }
}

static void sendsOther(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: not fused [not-consumed]: what MPI_Allreduce sends does not depend on the result
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    d[i] = b[i];
  MPI_Allreduce(c, a, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void onlyPrinted(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Reduce_op: not fused [io]: the result is only printed or checked
  MPI_Reduce(a, b, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%d\n", b[0]);
}

static void nothingBefore(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: not fused [not-consumed]: nothing reads the result before the chain ends: MPI_Send communicates
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Send(c, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i];
}

static void nothingAtAll(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: not fused [not-consumed]: nothing in this block reads the result
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void rounds(void) {
  for (int step = 0; step < 3; step++) {
    for (int i = 0; i < N; i++)
      c[i] = i + step;
    // CHECK: :[[#@LINE+1]]:5: remark: fused Allreduce_op_Allreduce to line [[#@LINE+1]]: not fused [not-consumed]: the next iteration sends nothing of the result
    MPI_Allreduce(c, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    d[step] = b[step];
  }
}

static void mismatch(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Scatter_op: not fused [type-mismatch]: it sends MPI_INT and receives MPI_BYTE
  MPI_Scatter(a, 4, MPI_INT, b, 16, MPI_BYTE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 4; i++)
    c[i] = b[i];
}

static void tested(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: not fused [io]: the result is tested for an error at line [[#@LINE+2]]
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (b[0] < 0) {
    printf("negative\n");
    return;
  }
}

static void someCompute(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: not fused [rank-divergent]: the result is used on some ranks only at line [[#@LINE+2]]
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank > 1)
    for (int i = 0; i < N; i++)
      c[i] = b[i];
}

static void printedInLoop(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: not fused [io]: the result is only printed at line [[#@LINE+2]]
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    printf("%d\n", b[i]);
}

static void printedAndChanged(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+7]]: not fused [io]: 'printf' prints or ends the program at line [[#@LINE+4]]
  MPI_Allreduce(a, b, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i];
  if (b[1] > 2) {
    printf("%d\n", c[1]++);
  }
  MPI_Allreduce(c, a, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  usesRecursive();
  usesByRank();
  usesEarly();
  usesBehind();
  usesUnknownBefore();
  someRanks();
  sendsOther();
  onlyPrinted();
  nothingBefore();
  nothingAtAll();
  rounds();
  mismatch();
  tested();
  someCompute();
  printedInLoop();
  printedAndChanged();
  MPI_Finalize();
  return 0;
}
