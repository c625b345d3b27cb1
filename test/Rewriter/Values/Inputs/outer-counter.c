// The counter of the loop round the chain is that of the op's loop as well.
#include <mpi.h>
#include <stdio.h>
#define N 8
int main(int argc, char **argv) {
  int rank, size, i, sum = 0, seen = 0, before = 5;
  int data[N], all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int k = 0; k < N; k++)
    data[k] = rank + k;
  for (i = 0; i < 3 * N; i++) {
    int factor = i;
    MPI_Bcast(&factor, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (i = 0; i < N; i++) {
      if (data[i] > factor)
        before = data[i];
      sum += before + data[i] * factor;
    }
    i += factor + seen++;
    MPI_Reduce(&sum, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
      printf("%d: %d\n", i, all);
  }
  MPI_Finalize();
}
