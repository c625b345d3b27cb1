// Moves that would change a result are not made; each program line says why.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int a[64], b[64], c[64], d[64], *shared = b;

static void countSet(void) {
  int n = 64;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: rewritten as semi-fused {{.*}} [order]: an argument of the last collective is computed between
  MPI_Allreduce(a, b, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    c[i] = b[i];
  n = 32;
  MPI_Allreduce(c, d, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void declarationThroughAlias(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+6]]: rewritten
  MPI_Allreduce(a, b, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    c[i] = b[i];
  int first = *shared;
  c[0] += first;
  MPI_Allreduce(c, d, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static int codeUsed(void) {
  int error;
  // CHECK: :[[#@LINE+1]]:11: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: fusable, not rewritten [order]: the return code of the first collective is used between
  error = MPI_Allreduce(a, b, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    c[i] = b[i] + error;
  error = MPI_Allreduce(c, d, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return error;
}

static void freed(void) {
  int *work = malloc(64 * sizeof(int));
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: rewritten
  MPI_Allreduce(a, work, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    c[i] = work[i];
  free(work);
  MPI_Allreduce(c, d, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void printedBefore(void) {
  int sum = 0, total = 7;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+5]]: not fused [io]: what is printed between changes before the end of the chain
  MPI_Allreduce(a, b, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    sum += b[i];
  printf("%d\n", total);
  MPI_Allreduce(&sum, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  countSet();
  declarationThroughAlias();
  codeUsed();
  freed();
  printedBefore();
  MPI_Finalize();
  return 0;
}
