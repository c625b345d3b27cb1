// A function that makes a collective and then one that is not supported: the first one counts.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

static int sent[8], got[8], at[8], values[8], received[64], verbose;

static void exchange(int rank, int size) {
  for (int i = 0; i < size; i++) {
    sent[i] = 1;
    at[i] = i;
    values[i] = rank * 10 + i;
  }
  MPI_Alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Alltoallv(values, sent, at, MPI_INT, received, got, at, MPI_INT, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  verbose = rank == 0;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Bcast_op_Alltoall to line [[#@LINE+2]]: not fused [not-consumed]: what MPI_Alltoall sends does not depend on the result
  MPI_Bcast(&verbose, 1, MPI_INT, 0, MPI_COMM_WORLD);
  exchange(rank, size);
  if (verbose)
    printf("%d: %d\n", rank, received[size - 1]);
  MPI_Finalize();
  return 0;
}
