// Two communicators with a chain each, under way at the same time: the odd ranks' and the even
// ranks'. Their sizes differ where the world's is odd.
// RUN: acisc --mpi --config u280-full.json --dry-run %s 2>&1 | FileCheck %s
#include <mpi.h>
#include <stdio.h>

#define N 48

int main(int argc, char **argv) {
  int rank, ranks;
  int mine[N], sums[N], total[N];
  MPI_Comm half;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < N; i++)
      mine[i] = rank * 100 + i + round;
    // CHECK: [[@LINE+1]]:{{.*}}Allreduce_op_Allreduce
    MPI_Allreduce(mine, sums, N, MPI_INT, MPI_SUM, half);
    for (int i = 0; i < N; i++)
      sums[i] = sums[i] * 3 + 1;
    MPI_Allreduce(sums, total, N, MPI_INT, MPI_MAX, half);
    if (rank < 2)
      for (int i = 0; i < N; i += 16)
        printf("half %d round %d: %d\n", rank % 2, round, total[i]);
  }
  MPI_Comm_free(&half);
  MPI_Finalize();
  return 0;
}
