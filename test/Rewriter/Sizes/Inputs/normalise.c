#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
void normalise(double *x, int n, MPI_Comm comm) {
  double local = 0, norm;
  for (int i = 0; i < n; i++)
    local += x[i] * x[i];
  MPI_Allreduce(&local, &norm, 1, MPI_DOUBLE, MPI_SUM, comm);
  norm = sqrt(norm);
  for (int i = 0; i < n; i++)
    x[i] /= norm;
}
int main(int argc, char **argv) {
  int rank, n = 100;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  n += rank;
  double *x = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++)
    x[i] = i % 9 + rank;
  for (int k = 0; k < 3; k++)
    normalise(x, n - k, MPI_COMM_WORLD);
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * (i + 1);
  printf("%d %.17g\n", rank, s);
  free(x);
  MPI_Finalize();
}
