/* Jacobi for a dense diagonally dominant system: the whole iterate is gathered on all ranks. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#define N 48

double distance(double *x, double *y, int n) {
  int i;
  double sum = 0.0;
  for (i = 0; i < n; i++)
    sum = sum + (x[i] - y[i]) * (x[i] - y[i]);
  return sqrt(sum);
}

int main(int argc, char **argv) {
  int p, my_rank, i, j, k, n_bar, iterations = 0;
  double a[N][N], b[N], x_bloc[N], buffers[2][N], *x_old, *x_new, *x_temp;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  MPI_Comm_rank(MPI_COMM_WORLD, &my_rank);
  n_bar = N / p;
  for (i = 0; i < n_bar; i++) {
    b[i] = 1.0 + (i + my_rank * n_bar) % 5;
    for (j = 0; j < N; j++)
      a[i][j] = (j == i + my_rank * n_bar) ? 2.0 * N : 1.0 / (1 + i + j);
  }
  x_old = buffers[0];
  x_new = buffers[1];
  for (i = 0; i < N; i++)
    x_old[i] = x_new[i] = 0.0;
  MPI_Allgather(b, n_bar, MPI_DOUBLE, x_new, n_bar, MPI_DOUBLE, MPI_COMM_WORLD); /*@first*/
  do {
    iterations++;
    x_temp = x_new;
    x_new = x_old;
    x_old = x_temp;
    for (i = 0; i < n_bar; i++) {
      k = i + my_rank * n_bar;
      x_bloc[i] = b[i];
      for (j = 0; j < k; j++)
        x_bloc[i] = x_bloc[i] - a[i][j] * x_old[j];
      for (j = k + 1; j < N; j++)
        x_bloc[i] = x_bloc[i] - a[i][j] * x_old[j];
      x_bloc[i] = x_bloc[i] / a[i][k];
    }
    MPI_Allgather(x_bloc, n_bar, MPI_DOUBLE, x_new, n_bar, MPI_DOUBLE, MPI_COMM_WORLD); /*@iterate*/
  } while (iterations < 100 && distance(x_new, x_old, N) >= 1.0e-9);
  if (my_rank == 0)
    printf("%d iterations, x[0] = %.9f, x[%d] = %.9f\n", iterations, x_new[0], N / 2, x_new[N / 2]);
  MPI_Finalize();
  return 0;
}
