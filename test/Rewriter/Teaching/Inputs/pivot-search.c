/* Elimination with a search for the pivot over all ranks, and bisection for a median. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct {
  double value;
  int rank;
} mine, best;

int main(int argc, char **argv) {
  int rank, size, i;
  double column[16], row[16];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (i = 0; i < 16; i++)
    column[i] = row[i] = (i * 5 + rank * 3) % 17;
  mine.value = 0;
  mine.rank = rank;
  for (i = 0; i < 16; i++)
    if (fabs(column[i]) > mine.value)
      mine.value = fabs(column[i]);
  MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD); /*@best*/
  MPI_Bcast(row, 16, MPI_DOUBLE, best.rank, MPI_COMM_WORLD); /*@row*/
  for (i = 0; i < 16; i++)
    column[i] -= row[i] * 0.5;

  double low = 0, high = 17, middle = 0;
  while (high - low > 0.5) {
    long below = 0, all;
    middle = (low + high) / 2;
    for (i = 0; i < 16; i++)
      if (column[i] < middle)
        below++;
    MPI_Allreduce(&below, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD); /*@below*/
    if (all * 2 < 16L * size)
      low = middle;
    else
      high = middle;
  }
  printf("rank %d: %g at %d, median near %g, %g\n", rank, best.value, best.rank, middle, column[3]);
  MPI_Finalize();
  return 0;
}
