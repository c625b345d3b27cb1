// The chain is on an intercommunicator, which nothing at the call shows: each half gets what the
// other one has sent. One half makes the plain calls.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include "Inputs/ways.h"

static void chain(MPI_Comm comm) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: rewritten
  MPI_Allreduce(from, sums, N, MPI_INT, MPI_SUM, comm);
  for (int i = 0; i < N; i++)
    sent[i] = sums[i] * 2 + rank;
  MPI_Allreduce(sent, result, N, MPI_INT, MPI_MAX, comm);
}

static void plain(MPI_Comm comm) {
  MPI_Allreduce(from, sums, N, MPI_INT, MPI_SUM, comm);
  MPI_Allreduce(sent, result, N, MPI_INT, MPI_MAX, comm);
}

int main(int argc, char **argv) {
  MPI_Comm half, between;
  begin(&argc, &argv);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &between);
  chain(between);
  if (rank % 2)
    plain(between);
  else
    chain(between);
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
  return end();
}
