// Rank 0 tells each rank what it is.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include "Inputs/ways.h"

int main(int argc, char **argv) {
  begin(&argc, &argv);
  int roles[64], role;
  for (int i = 0; i < size; i++)
    roles[i] = i % 2;
  MPI_Scatter(roles, 1, MPI_INT, &role, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (role == 1) {
    // CHECK: :[[#@LINE+1]]:5: remark: fused Allreduce_op_Reduce_scatter_block to line [[#@LINE+4]]: rewritten
    MPI_Allreduce(from, sums, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
      sent[i] = sums[i] * 2 + rank;
    MPI_Reduce_scatter_block(sent, result, N / size, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  } else {
    addPlainly();
    MPI_Reduce_scatter_block(sent, result, N / size, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  return end();
}
