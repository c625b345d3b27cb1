// A pointer into the middle of an array, with elements before it: such a call is the hosts'.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static void smooth(double *u, int n, int from) {
  double most = u[0], top;
  MPI_Allreduce(&most, &top, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (int i = from; i < n; i++)
    u[i] = u[i - 1] / (1 + top);
}
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double u[42];
  for (int i = 0; i < 42; i++)
    u[i] = i % 6 + rank;
  smooth(u + 1, 40, 0); // u[-1]
  smooth(u, 40, 1);
  smooth(u + 1, 39, rank == 1 ? 0 : 1); // one rank
  smooth(u, 0, 0);                      // nothing
  printf("%d %.12g %.12g\n", rank, u[3], u[40]);
  MPI_Finalize();
  return 0;
}
