// Panels of a distributed matrix product.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#define N 16
double a[N][N], b[N][N], c[N][N], panel[N][N];

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int step = 0; step < size; step++) {
    if (rank == step)
      for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
          panel[i][j] = i + j + rank;
    // CHECK: :[[#@LINE+1]]:5: remark: kernel-gemm to line [[#@LINE+2]]: fusable, not rewritten [kernel]: a call of all ranks does not match its messages, which ranks that do not come here make one by one; where all do, write ACIS_Igemm of acis_kernels.h
    MPI_Bcast(panel, N * N, MPI_DOUBLE, step, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        for (int k = 0; k < N; k++)
          c[i][j] += panel[i][k] * b[k][j];
  }
  printf("%g\n", c[3][4]);
  MPI_Finalize();
  return 0;
}
