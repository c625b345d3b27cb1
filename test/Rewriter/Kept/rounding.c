// The rounding mode: of the thread it holds for an op as well; a pragma or an attribute that says
// it for a function does not.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include <fenv.h>
#include <mpi.h>
#include <stdio.h>

enum { N = 48 };
static double a[N], b[N], c[N], d[N];

static void byThread(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Bcast_op_Scan to line [[#@LINE+4]]: rewritten
  MPI_Bcast(b, N, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] / 3.0;
  MPI_Scan(c, d, N, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

static void between(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Bcast_op_Scan to line [[#@LINE+5]]: not fused [calls]: 'fesetround' is called
  MPI_Bcast(b, N, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  fesetround(FE_DOWNWARD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] / 3.0;
  MPI_Scan(c, d, N, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  fesetround(FE_UPWARD);
}

static void byPragma(void) {
#pragma STDC FENV_ACCESS ON
  // CHECK: :[[#@LINE+1]]:3: remark: fused Bcast_op_Scan to line [[#@LINE+4]]: fusable, not rewritten [extraction]: the op cannot be taken out: a pragma holds in its function only
  MPI_Bcast(b, N, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] + 1.0 / 3.0;
  MPI_Scan(c, d, N, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

static __attribute__((optimize("fast-math"))) void byAttribute(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Bcast_op_Scan to line [[#@LINE+4]]: fusable, not rewritten [extraction]: the op cannot be taken out: attributes of its function say how it is compiled
  MPI_Bcast(b, N, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    c[i] = b[i] + 1.0 / 3.0;
  MPI_Scan(c, d, N, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < N; i++)
    b[i] = rank + i;
  fesetround(FE_UPWARD);
  byThread();
  printf("%d %a %d\n", rank, d[4], fegetround() == FE_UPWARD);
  between();
  printf("%d %a\n", rank, d[4]);
  byPragma();
  printf("%d %a\n", rank, d[4]);
  byAttribute();
  MPI_Finalize();
  return 0;
}
