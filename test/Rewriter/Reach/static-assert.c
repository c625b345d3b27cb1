// An op that calls a function with a static assertion in it.
// RUN: acisc --mpi --force --config=%overlays/u280-full.json --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

static double half(double x) {
  _Static_assert(sizeof(double) == 8, "the usual size");
  return x * 0.5;
}

int main(int argc, char **argv) {
  double x[64], y[64], part = 0;
  MPI_Init(&argc, &argv);
  for (int i = 0; i < 64; i++)
    x[i] = i;
  // CHECK: remark: semi-fused Allreduce_op: rewritten; {{.*}}cycles
  MPI_Allreduce(x, y, 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    part += half(y[i]);
  printf("%g\n", part);
  MPI_Finalize();
  return 0;
}
