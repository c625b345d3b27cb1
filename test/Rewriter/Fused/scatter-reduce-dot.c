// Two scattered inputs: the first Scatter stays, its buffer is an inbound array.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size, n = 40;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int *a = NULL, *b = NULL;
  if (rank == 0) {
    a = malloc(n * size * sizeof(int));
    b = malloc(n * size * sizeof(int));
    for (int i = 0; i < n * size; i++) {
      a[i] = i % 13;
      b[i] = i % 7;
    }
  }
  int *la = malloc(n * sizeof(int)), *lb = malloc(n * sizeof(int));
  // CHECK: :[[#@LINE+1]]:3: remark: fused Scatter_op_Scatter to line [[#@LINE+3]]: not fused [not-consumed]: what MPI_Scatter sends does not depend on the result
  MPI_Scatter(a, n, MPI_INT, la, n, MPI_INT, 0, MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Scatter_op_Reduce to line [[#@LINE+5]]: {{rewritten|fusable}}
  MPI_Scatter(b, n, MPI_INT, lb, n, MPI_INT, 0, MPI_COMM_WORLD);
  int local = 0, dot;
  for (int i = 0; i < n; i++)
    local += la[i] * lb[i];
  MPI_Reduce(&local, &dot, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("dot %d\n", dot);
  MPI_Finalize();
  return 0;
}
