// A dot product on some ranks; the others have nothing to add.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include "Inputs/ways.h"

static int dot(const int *x, const int *y) {
  int local = 0, sum = 0;
  // CHECK: remark: kernel-dot: rewritten
  for (int i = 0; i < N; i++)
    local += x[i] * y[i];
  MPI_Allreduce(&local, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

static int none(void) {
  int zero = 0, sum = 0;
  MPI_Allreduce(&zero, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  result[0] = rank < 2 ? dot(from, sent) : none();
  return end();
}
