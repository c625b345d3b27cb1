#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define COLS 8
/* pointer to rows, last row by a negative step */
static void solve(double (*a)[COLS], double *x, int rows) {
  double pivot[COLS];
  for (int j = 0; j < COLS; j++)
    pivot[j] = a[0][j];
  MPI_Bcast(pivot, COLS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = rows - 1; i >= 0; i--) {
    double f = a[i][0] / pivot[0];
    for (int j = 0; j < COLS; j++)
      a[i][j] -= f * pivot[j];
    x[i] = f;
  }
}
int main(int argc, char **argv) {
  int rank, rows = 7;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  rows -= rank;
  double (*a)[COLS] = malloc(rows * sizeof *a), *x = malloc(rows * sizeof *x);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < COLS; j++)
      a[i][j] = 1 + i + j * rank;
  solve(a, x, rows);
  for (int i = 0; i < rows; i++)
    printf("%d %d %.12g %.12g\n", rank, i, x[i], a[i][COLS - 1]);
  MPI_Finalize();
  return 0;
}
