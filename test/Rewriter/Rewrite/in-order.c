// What can neither go before the chain nor behind it stays in the op, in its order: a value read
// through an alias, memory of a size that is computed between, clocks that share memory with the
// op. A switch does not get such an op.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
// RUN: cp %s %t.c && acisc --mpi --force --diff --no-remarks %t.c | FileCheck --check-prefix=DIFF %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int a[64], b[64], c[64], d[64], *shared = b;
int *sent, *got, *first, counting = 1;
int ticks[4];

static void tick(int which) { ticks[which] += MPI_Wtime() > 0; }

static void alias(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+6]]: rewritten
  MPI_Allreduce(a, b, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    c[i] = b[i];
  int start = *shared;
  c[0] += start;
  MPI_Allreduce(c, d, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static int *exchange(int *counts, int size) {
  int *others = malloc(size * sizeof *others);
  MPI_Alltoall(counts, 1, MPI_INT, others, 1, MPI_INT, MPI_COMM_WORLD);
  return others;
}

static int *offsets(const int *counts, int size) {
  int *result = malloc(size * sizeof *result);
  result[0] = 0;
  for (int i = 1; i < size; i++)
    result[i] = result[i - 1] + counts[i - 1];
  return result;
}

static int memory(int *counts, int size) {
  // CHECK: :[[#@LINE+1]]:19: remark: semi-fused Alltoall_op: rewritten
  int *received = exchange(counts, size);
  int *from = offsets(counts, size);
  int *to = offsets(received, size);
  int sum = from[size - 1] + 3 * to[size - 1];
  free(received);
  free(from);
  free(to);
  return sum;
}

static void clocks(int size) {
  // DIFF: +static void acis_op_[[#@LINE+3]]_run
  // DIFF: +    tick(2);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Alltoall to line [[#@LINE+8]]: rewritten
  MPI_Allreduce(a, b, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (counting)
    tick(1);
  for (int i = 0; i < 64; i++)
    sent[i % size] += b[i];
  if (counting)
    tick(2);
  MPI_Alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
}

static double shorter(int size) {
  double before = 0, spent = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: rewritten
  MPI_Allreduce(a, b, 64, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    c[i] = b[i] + size;
  before = c[1];
  if (counting > 1)
    printf("%g %g\n", before, spent);
  before += 1;
  int last[size];
  for (int i = 0; i < size; i++)
    last[i] = c[i] + c[63];
  return before + last[size - 1];
}

int main(int argc, char **argv) {
  int rank, size, counts[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  sent = calloc(64, sizeof *sent);
  got = calloc(64, sizeof *got);
  for (int i = 0; i < 64; i++) {
    a[i] = (i * 7 + rank) % 11;
    counts[i] = i + rank + 1;
  }
  alias();
  int sum = memory(counts, size);
  clocks(size);
  printf("%d: %d %d %d %d %d %g\n", rank, c[0], d[0], sum, got[0], ticks[1] + ticks[2],
         shorter(size));
  MPI_Finalize();
  return 0;
}
