// The other ranks' calls are spread over functions with communication, output and branches of
// their own between them.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include "Inputs/ways.h"

static int total;

static void answer(void) {
  MPI_Status status;
  int question;
  for (int i = 1; i < size; i++) {
    MPI_Recv(&question, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
    total += question;
  }
}

static void serve(void) {
  addPlainly();
  printf("between\n");
  fflush(stdout);
  MPI_Scan(sent, result, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  answer();
}

static void ask(void) {
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Scan to line [[#@LINE+4]]: rewritten
  MPI_Allreduce(from, sums, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    sent[i] = sums[i] - rank;
  MPI_Scan(sent, result, N, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Send(&rank, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  if (rank == 0)
    serve();
  else
    ask();
  printf("asked %d\n", total);
  return end();
}
