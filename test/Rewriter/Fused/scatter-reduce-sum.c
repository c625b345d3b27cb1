// The smallest master/worker accumulation.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

#define N 64

int main(int argc, char *argv[]) {
  int rank, size, data[N * 16], part[N], sum = 0, total = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    for (int i = 0; i < N * size; i++)
      data[i] = i + 1;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Scatter_op_Reduce to line [[#@LINE+4]]: {{rewritten|fusable}}
  MPI_Scatter(data, N, MPI_INT, part, N, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    sum += part[i];
  MPI_Reduce(&sum, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("total %d\n", total);
  MPI_Finalize();
  return 0;
}
