// Each rank takes its slice of a broadcast array; its result is printed before the Reduce, which
// may be done after it.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size, array[240], max = 0, result, i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int each = 240 / size;
  if (rank == 0)
    for (i = 0; i < 240; i++)
      array[i] = (i * 67) % 251;
  // CHECK: :[[#@LINE+1]]:3: remark: fused Bcast_op_Reduce to line [[#@LINE+6]]: {{rewritten|fusable}}
  MPI_Bcast(array, 240, MPI_INT, 0, MPI_COMM_WORLD);
  for (i = rank * each; i < (rank + 1) * each; i++)
    if (array[i] > max)
      max = array[i];
  printf("rank %d: %d\n", rank, max);
  MPI_Reduce(&max, &result, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("max %d\n", result);
  MPI_Finalize();
  return 0;
}
