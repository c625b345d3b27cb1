#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
struct Matrix {
  int rows;
  int *start, *col;
  double *val;
};
static void multiply(const struct Matrix *a, const double *mine, double *y, int each, double *x) {
  MPI_Allgather(mine, each, MPI_DOUBLE, x, each, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < a->rows; i++) {
    double sum = 0;
    for (int k = a->start[i]; k < a->start[i + 1]; k++)
      sum += a->val[k] * x[a->col[k]];
    y[i] = sum;
  }
}
int main(int argc, char **argv) {
  int rank, size, each = 20;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  struct Matrix a = {each, malloc((each + 1) * sizeof(int)), malloc(3 * each * sizeof(int)),
                     malloc(3 * each * sizeof(double))};
  int used = 0, n = each * size;
  for (int i = 0; i < each; i++) {
    a.start[i] = used;
    int row = rank * each + i;
    for (int d = -1; d <= 1; d++)
      if (row + d >= 0 && row + d < n) {
        a.col[used] = row + d;
        a.val[used++] = d ? -1 : 2.5;
      }
  }
  a.start[each] = used;
  double *mine = malloc(each * sizeof(double)), *y = malloc(each * sizeof(double)),
         *x = malloc(n * sizeof(double));
  for (int i = 0; i < each; i++)
    mine[i] = rank * each + i;
  for (int t = 0; t < 3; t++) {
    multiply(&a, mine, y, each, x);
    for (int i = 0; i < each; i++)
      mine[i] = y[i] / 4;
  }
  for (int i = 0; i < each; i += 3)
    printf("%d %g\n", rank * each + i, mine[i]);
  MPI_Finalize();
  return 0;
}
