/* A chain whose arrays are given by its callers: usual ones, ones that share memory, ones that are
 * larger than a switch's memory on all ranks or on one, and a result that only the root has. */
#include <mpi.h>
#include <stdio.h>

static double memory[8192];

static double scale(const double *x, double *sum, double *out, int n) {
  double part = 0, all;
  MPI_Allreduce(x, sum, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++) {
    out[i] = out[i] * 0.5 + sum[1];
    part += out[i];
  }
  MPI_Allreduce(&part, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

int main(int argc, char **argv) {
  int rank;
  double x[4] = {1, 2, 3, 4}, sum[4], part = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double usual = scale(x, sum, memory, 64);
  double shared = scale(x, memory, memory + 2, 64);
  double large = scale(x, sum, memory, 8192);
  double one = scale(x, sum, memory, rank == 1 ? 4096 : 16);
  double again = scale(x, sum, memory, 32 + rank);
  MPI_Reduce(x, sum, 4, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (int i = 0; i < 4; i++)
      part += sum[i] * x[i];
  printf("%d: %g %g %g %g %g %g\n", rank, usual, shared, large, one, again, part);
  MPI_Finalize();
  return 0;
}
