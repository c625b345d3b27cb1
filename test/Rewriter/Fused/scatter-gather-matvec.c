// Rows are scattered, the vector is broadcast, products are gathered.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

#define COLS 16
#define ROWS 4

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int matrix[ROWS * 16][COLS], x[COLS], rows[ROWS][COLS], y[ROWS], all[ROWS * 16];
  if (rank == 0) {
    for (int i = 0; i < ROWS * size; i++)
      for (int j = 0; j < COLS; j++)
        matrix[i][j] = i + j;
    for (int j = 0; j < COLS; j++)
      x[j] = j - 3;
  }
  MPI_Bcast(x, COLS, MPI_INT, 0, MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Scatter_op_Gather to line [[#@LINE+8]]: {{rewritten|fusable}}
  MPI_Scatter(matrix, ROWS * COLS, MPI_INT, rows, ROWS * COLS, MPI_INT, 0, MPI_COMM_WORLD);
  int i, j;
  for (i = 0; i < ROWS; i++) {
    y[i] = 0;
    for (j = 0; j < COLS; j++)
      y[i] += rows[i][j] * x[j];
  }
  MPI_Gather(y, ROWS, MPI_INT, all, ROWS, MPI_INT, 0, MPI_COMM_WORLD);
  // CHECK: :[[#@LINE-1]]:3: remark: semi-fused Gather_op: not fused [io]
  if (rank == 0)
    for (i = 0; i < ROWS * size; i++)
      printf("%d\n", all[i]);
  MPI_Finalize();
  return 0;
}
