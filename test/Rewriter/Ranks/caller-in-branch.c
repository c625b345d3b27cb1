// The branch is where the function is called: rank 0 makes the same calls elsewhere.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include "Inputs/ways.h"

static void work(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: rewritten
  MPI_Allreduce(from, sums, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    sent[i] = sums[i] * 2 + rank;
  MPI_Allreduce(sent, result, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  if (rank == 0) {
    addPlainly();
    findLargestPlainly();
  } else {
    work();
  }
  return end();
}
