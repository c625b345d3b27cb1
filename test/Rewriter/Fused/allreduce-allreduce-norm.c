// The norm of a scaled vector, as GMRES computes it.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double v[64], w[64], local = 0, sum, scaled = 0, norm;
  for (int i = 0; i < 64; i++)
    v[i] = i + rank * 0.5;
  for (int i = 0; i < 64; i++)
    local += v[i] * v[i];
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Allreduce_op_Allreduce to line [[#@LINE+6]]: {{rewritten|fusable}}
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++) {
    w[i] = v[i] / sum;
    scaled += w[i] * w[i];
  }
  MPI_Allreduce(&scaled, &norm, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  printf("%d: %.12g %.12g %.12g\n", rank, sum, norm, w[7]);
  MPI_Finalize();
  return 0;
}
