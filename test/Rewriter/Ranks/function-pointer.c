// A table of functions says what each rank does.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include "Inputs/ways.h"

static void chain(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Bcast_op_Gather to line [[#@LINE+4]]: rewritten
  MPI_Bcast(sums, N, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    sent[i] = sums[i] * 2 + rank;
  MPI_Gather(sent, N / size, MPI_INT, result, N / size, MPI_INT, 0, MPI_COMM_WORLD);
}

static void plain(void) {
  MPI_Bcast(sums, N, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Gather(sent, N / size, MPI_INT, result, N / size, MPI_INT, 0, MPI_COMM_WORLD);
}

static void (*const ways[])(void) = {plain, chain, chain};

int main(int argc, char **argv) {
  begin(&argc, &argv);
  ways[rank % 3]();
  return end();
}
