/* Master and workers: the master scatters numbers, each worker adds up its part (the op), and
 * the master gets the sum. Scatter_op_Reduce. */
#include <mpi.h>
#include <stdio.h>

#define N 512

int main(int argc, char **argv) {
  static int data[N * 64];
  int part[N], sum = 0, total = 0, rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    for (int i = 0; i < N * size; i++)
      data[i] = i % 1000;

  MPI_Scatter(data, N, MPI_INT, part, N, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    sum += part[i];
  MPI_Reduce(&sum, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);

  if (rank == 0)
    printf("total %d\n", total);
  MPI_Finalize();
  return 0;
}
