#include <mpi.h>
#include <stdio.h>
#define N 64

void shift(double *x);

int main(int argc, char **argv) {
  double x[N], local = 0, sum = 0, all = 0;
  int rank, i;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (i = 0; i < N; i++)
    local += x[i] = rank + i;
  MPI_Allreduce(&local, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  local = 0;
  for (i = 0; i < N; i++)
    local += x[i] * sum;
  MPI_Allreduce(&local, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  shift(&all);
  MPI_Allreduce(&all, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (i = 0; i < N; i++) {
    x[i] /= sum;
    shift(&x[i]);
  }
  printf("%d: %.12g %.12g\n", rank, all, x[N - 1]);
  MPI_Finalize();
  return 0;
}
