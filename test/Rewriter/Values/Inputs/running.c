// A running total that only the op uses, turn after turn.
#include <mpi.h>
#include <stdio.h>
#define N 8
int main(int argc, char **argv) {
  int rank, size, total = 0;
  int data[N], sums[N], all[N];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < N; i++)
    data[i] = 10 * rank + i;
  for (int turn = 0; turn < 3; turn++) {
    int factor = turn + 2;
    MPI_Bcast(&factor, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++) {
      total += data[i] * factor;
      sums[i] = total;
    }
    MPI_Reduce(sums, all, N, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
      for (int i = 0; i < N; i++)
        printf("turn %d, %d: %d\n", turn, i, all[i]);
  }
  MPI_Finalize();
}
