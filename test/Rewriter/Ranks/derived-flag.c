// Flags that are computed from the rank, more than once removed.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include "Inputs/ways.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  int worker = rank > 0;
  char way = "pw"[worker];
  switch (way) {
  case 'w':
    for (int once = 0; once < 1; once++) {
      // CHECK: :[[#@LINE+1]]:7: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: rewritten
      MPI_Allreduce(from, sums, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      for (int i = 0; i < N; i++)
        sent[i] = sums[i] * 2 + rank;
      MPI_Allreduce(sent, result, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    break;
  default:
    addPlainly();
    findLargestPlainly();
  }
  return end();
}
