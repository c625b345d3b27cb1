// Only the workers are in the loop with the chain; the master makes its part of the same
// collectives, the Bcast too, in another one.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include "Inputs/ways.h"

static int task[N];

static void master(void) {
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < N; i++)
      task[i] = round * i;
    MPI_Bcast(task, N, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
      sent[i] = 0;
    MPI_Reduce(sent, result, N, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  }
}

static void worker(void) {
  for (int round = 0; round < 3; round++) {
    // CHECK: :[[#@LINE+1]]:5: remark: fused Bcast_op_Reduce to line [[#@LINE+4]]: rewritten
    MPI_Bcast(task, N, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
      sent[i] = task[i] * rank;
    MPI_Reduce(sent, result, N, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  }
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  rank ? worker() : master();
  return end();
}
