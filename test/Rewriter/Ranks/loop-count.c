// How often a rank runs the chain depends on the rank; the rest of its calls are elsewhere.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include "Inputs/ways.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  for (int round = 0; round < rank; round++) {
    // CHECK: :[[#@LINE+1]]:5: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: rewritten
    MPI_Allreduce(from, sums, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
      sent[i] = sums[i] * 2 + round;
    MPI_Allreduce(sent, result, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  }
  for (int round = rank; round < size; round++) {
    addPlainly();
    findLargestPlainly();
  }
  return end();
}
