// The loop only prints.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int a = rank, all[16];
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Gather_op: not fused [io]: the result is only printed at line {{[0-9]+}}
  MPI_Gather(&a, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (int i = 0; i < size; i++)
      printf("%d\n", all[i]);
  MPI_Finalize();
  return 0;
}
