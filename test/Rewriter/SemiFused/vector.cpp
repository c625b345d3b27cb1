// std::vector instead of arrays.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<double> a(64), b(64), c(64);
  for (int i = 0; i < 64; i++)
    a[i] = i + rank;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Allreduce_op: {{rewritten|fusable}}
  MPI_Allreduce(a.data(), b.data(), 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    c[i] = b[i] / size;
  printf("%d %g %g\n", rank, c[0], c[63]);
  MPI_Finalize();
  return 0;
}
