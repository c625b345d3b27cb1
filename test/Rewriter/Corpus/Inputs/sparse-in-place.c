/* Sparse product after an Allgather in place, repeated, with a warm-up. */
#include "parts.h"
int main(int argc, char **argv) {
  int ranks, me, root = 0, iter, r, nrows, offset, error = 0, radius = 2, width;
  long row, col, first, last, nent, total = 64;
  double time = 0, slowest, *restrict matrix, *restrict vector, *restrict result, temp, sum, check;
  long *restrict column;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (me == root) {
    if (argc > 4) {
      printf("too many arguments\n");
      error = 1;
      goto ENDOFTESTS;
    }
  ENDOFTESTS:;
  }
  bail_out(error);
  MPI_Bcast(&total, 1, MPI_LONG, root, MPI_COMM_WORLD); /*@total*/
  MPI_Bcast(&radius, 1, MPI_INT, root, MPI_COMM_WORLD);
  width = 4 * radius + 1;
  nrows = total / ranks;
  nent = nrows * width;
  matrix = (double *)malloc(nent * sizeof(double));
  if (!matrix) {
    printf("ERROR: rank %d could not allocate\n", me);
    error = 1;
  }
  bail_out(error);
  vector = (double *)malloc((total + nrows) * sizeof(double));
  bail_out(error);
  result = vector + total;
  column = (long *)malloc(nent * sizeof(long));
  bail_out(error);
  for (row = 0; row < nent; row++) {
    column[row] = row * 7 % total;
    matrix[row] = 1.0 / (double)(column[row] + 1);
  }
  for (row = 0; row < total + nrows; row++)
    vector[row] = 0.0;
  for (iter = 0; iter <= 3; iter++) {
    if (iter == 1) {
      MPI_Barrier(MPI_COMM_WORLD);
      time = wall();
    }
    offset = nrows * me;
    for (row = offset; row < nrows + offset; row++)
      vector[row] += (double)(row + 1);
    MPI_Allgather(MPI_IN_PLACE, nrows, MPI_DOUBLE, vector, nrows, MPI_DOUBLE, /*@vector*/
                  MPI_COMM_WORLD);
    for (row = 0; row < nrows; row++) {
      first = width * row;
      last = first + width - 1;
      for (temp = 0.0, col = first; col <= last; col++) {
        temp += matrix[col] * vector[column[col]];
      }
      result[row] += temp;
    }
  }
  time = wall() - time;
  MPI_Reduce(&time, &slowest, 1, MPI_DOUBLE, MPI_MAX, root, MPI_COMM_WORLD); /*@slowest*/
  sum = 0.0;
  for (row = 0; row < nrows; row++)
    sum += result[row];
  MPI_Reduce(&sum, &check, 1, MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD); /*@check*/
  if (me == root) {
    if (check < 1.e-8) {
      printf("ERROR: %lf\n", check);
      error = 1;
    } else {
      printf("Solution validates\n");
    }
  }
  bail_out(error);
  MPI_Finalize();
  exit(EXIT_SUCCESS);
}
