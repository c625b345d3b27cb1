// A search over a rank-dependent range in a visible function: two broadcast inputs, two gathered
// outputs, of which the second is an outbound scalar.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

#define ITEMS 10

int weight_of(int *weights, int set) {
  int total = 0;
  for (int i = 0; i < ITEMS; i++)
    if (set & (1 << i))
      total += weights[i];
  return total;
}

int main(int argc, char **argv) {
  int rank, size, weights[ITEMS], values[ITEMS], best[16], sets[16];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    for (int i = 0; i < ITEMS; i++) {
      weights[i] = 3 + i * 5 % 7;
      values[i] = 10 + i * 3 % 11;
    }
  MPI_Bcast(weights, ITEMS, MPI_INT, 0, MPI_COMM_WORLD);
  // CHECK: :[[#@LINE+1]]:3: remark: fused Bcast_op_Gather to line [[#@LINE+12]]: {{rewritten|fusable}}
  MPI_Bcast(values, ITEMS, MPI_INT, 0, MPI_COMM_WORLD);
  int most = 0, which = 0;
  int from = rank * (1 << ITEMS) / size;
  int to = (rank + 1) * (1 << ITEMS) / size;
  for (int set = from; set < to; set++) {
    int value = weight_of(values, set);
    if (weight_of(weights, set) <= 30 && value > most) {
      most = value;
      which = set;
    }
  }
  MPI_Gather(&most, 1, MPI_INT, best, 1, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Gather(&which, 1, MPI_INT, sets, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (int i = 0; i < size; i++)
      printf("%d %d\n", best[i], sets[i]);
  MPI_Finalize();
  return 0;
}
