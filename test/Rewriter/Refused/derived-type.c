// A struct datatype.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  struct pair { int a, b; } p = {1, 2};
  MPI_Datatype type;
  MPI_Type_contiguous(2, MPI_INT, &type);
  MPI_Type_commit(&type);
  int sum = 0, all;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Bcast_op_Reduce to line [[#@LINE+4]]: not fused [derived-type]: the datatype 'type' is not a predefined type of one number
  MPI_Bcast(&p, 1, type, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    sum += p.a * i + p.b;
  MPI_Reduce(&sum, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
