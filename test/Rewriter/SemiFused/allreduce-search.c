// A search with an early break, as distributed meshes do for owners.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int a[16] = {0}, b[16], owner[20], ask[20];
  a[rank] = rank * 10;
  for (int i = 0; i < 20; i++)
    ask[i] = i * size * 10 / 20;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: remark: semi-fused Allreduce_op: {{rewritten|fusable}}
  MPI_Allreduce(a, b, size, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 20; i++) {
    int index = ask[i];
    for (int j = size - 1; j >= 0; j--)
      if (b[j] <= index) {
        owner[i] = j;
        break;
      }
  }
  for (int i = 0; i < 20; i++)
    printf("%d %d\n", rank, owner[i]);
  MPI_Finalize();
  return 0;
}
