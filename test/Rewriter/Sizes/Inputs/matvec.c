#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
/* y = A x, rows in blocks, x gathered */
void mat_vect(double local_A[], double local_x[], double local_y[], int local_m, int n, int local_n,
              MPI_Comm comm) {
  double *x = malloc(n * sizeof(double));
  MPI_Allgather(local_x, local_n, MPI_DOUBLE, x, local_n, MPI_DOUBLE, comm);
  for (int i = 0; i < local_m; i++) {
    local_y[i] = 0.0;
    for (int j = 0; j < n; j++)
      local_y[i] += local_A[i * n + j] * x[j];
  }
  free(x);
}
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int local_n = 6, n = size * local_n, local_m = 5;
  double *A = malloc(local_m * n * sizeof(double)), *x = malloc(local_n * sizeof(double)),
         *y = malloc(local_m * sizeof(double));
  for (int i = 0; i < local_m * n; i++)
    A[i] = (i + rank) % 7;
  for (int i = 0; i < local_n; i++)
    x[i] = i - rank;
  mat_vect(A, x, y, local_m, n, local_n, MPI_COMM_WORLD);
  for (int i = 0; i < local_m; i++)
    printf("%d %d %g\n", rank, i, y[i]);
  MPI_Finalize();
  return 0;
}
