/* Rows scattered, a vector from its own file of functions, results gathered; 2-D arrays by malloc. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
double *alloc_vector(int n) { return (double *)calloc(n, sizeof(double)); }
void mat_vec(double *A, double *x, double *y, int rows, int cols) {
  int i, j;
#pragma omp parallel for private(j)
  for (i = 0; i < rows; i++) {
    y[i] = 0.0;
    for (j = 0; j < cols; j++)
      y[i] += A[i * cols + j] * x[j];
  }
}
int main(int argc, char *argv[]) {
  int rank, size, n = 24, rows;
  double *A = NULL, *x, *y = NULL, *local_A, *local_y, start, finish, loc, elapsed;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); /*@n*/
  rows = n / size;
  x = alloc_vector(n);
  local_A = alloc_vector(rows * n);
  local_y = alloc_vector(rows);
  if (rank == 0) {
    A = alloc_vector(n * n);
    y = alloc_vector(n);
    for (int i = 0; i < n * n; i++)
      A[i] = i % 5;
    for (int i = 0; i < n; i++)
      x[i] = 1.0 / (1 + i);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  start = MPI_Wtime();
  MPI_Scatter(A, rows * n, MPI_DOUBLE, local_A, rows * n, MPI_DOUBLE, 0, MPI_COMM_WORLD); /*@rows*/
  MPI_Bcast(x, n, MPI_DOUBLE, 0, MPI_COMM_WORLD);                                         /*@x*/
  mat_vec(local_A, x, local_y, rows, n);
  MPI_Gather(local_y, rows, MPI_DOUBLE, y, rows, MPI_DOUBLE, 0, MPI_COMM_WORLD); /*@y*/
  finish = MPI_Wtime();
  loc = finish - start;
  MPI_Reduce(&loc, &elapsed, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD); /*@time*/
  if (rank == 0) {
    double s = 0;
    for (int i = 0; i < n; i++)
      s += y[i];
    printf("sum %.6f\n", s);
    fprintf(stderr, "Elapsed time = %e\n", elapsed);
  }
  MPI_Finalize();
  return 0;
}
