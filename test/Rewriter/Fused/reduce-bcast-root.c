// The op runs on the root only, which is where the result is and where the next one starts.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int a[64], b[64], c[64], d[64];
  for (int i = 0; i < 64; i++)
    a[i] = i % 17 + rank;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: fused Reduce_op_Bcast to line [[#@LINE+6]]: {{rewritten|fusable}}
  MPI_Reduce(a, b, 64, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    for (int i = 0; i < 64; i++)
      c[i] = b[i] / size;
  }
  MPI_Bcast(c, 64, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i += 9)
    printf("%d %d\n", rank, c[i]);
  MPI_Finalize();
  return 0;
}
