// The rank is a field of a structure, and goes there through a table.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include "Inputs/ways.h"

struct Node {
  int id, level;
};

int main(int argc, char **argv) {
  begin(&argc, &argv);
  int levels[64] = {0};
  for (int i = 1; i < size; i++)
    levels[i] = 1 + i / 2;
  struct Node node = {.id = rank, .level = levels[rank]};
  if (node.level > 0) {
    // CHECK: :[[#@LINE+1]]:5: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: {{rewritten|not fused .rank-divergent.: the collective is in a branch that only some ranks take}}
    MPI_Allreduce(from, sums, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
      sent[i] = sums[i] * 2 + node.id;
    MPI_Allreduce(sent, result, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  } else {
    addPlainly();
    findLargestPlainly();
  }
  return end();
}
