/* Columns of a table: means by an Allreduce of a part of a matrix, output at the beginning. */
#include <mpi.h>
#include <stdio.h>

#define ROWS 10
#define COLS 12

int main(int argc, char **argv) {
  static double table[ROWS][COLS];
  double sums[COLS] = {0}, means[COLS], squares[COLS] = {0}, spread[COLS];
  int rank, size, i, j;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (i = 0; i < ROWS; i++)
    for (j = 0; j < COLS; j++) {
      table[i][j] = (i * 3 + j * 5 + rank * 7) % 19;
      sums[j] += table[i][j];
    }
  MPI_Allreduce(sums, means, COLS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  printf("rank %d has its means\n", rank);
  for (j = 0; j < COLS; j++)
    means[j] /= ROWS * size;
  for (i = 0; i < ROWS; i++)
    for (j = 0; j < COLS; j++)
      squares[j] += (table[i][j] - means[j]) * (table[i][j] - means[j]);
  MPI_Reduce(squares, spread, COLS, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (j = 0; j < COLS; j++)
      printf("%d %.6f %.6f\n", j, means[j], spread[j] / (ROWS * size));
  MPI_Finalize();
  return 0;
}
