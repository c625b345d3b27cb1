// Errors are returned: a program that does not look at the code of the first call goes on, and
// gets the code of the second.
// RUN: acisc --mpi --force --dry-run %s 2>&1 | FileCheck %s
#include "Inputs/ways.h"

static int chain(int root) {
  int code;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Bcast_op_Allreduce to line [[#@LINE+4]]: rewritten
  MPI_Bcast(sums, N, MPI_INT, root, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    sent[i] = sums[i] * 2 + rank;
  code = MPI_Allreduce(sent, result, N, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return code;
}

int main(int argc, char **argv) {
  begin(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int wrong = chain(99), right = chain(0);
  printf("%d %d\n", wrong == MPI_SUCCESS, right == MPI_SUCCESS);
  return end();
}
