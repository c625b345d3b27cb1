#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
/* arrays that overlap: the switch must not be given them */
static void shift(int *to, const int *from, int n) {
  int local = from[0], all;
  MPI_Allreduce(&local, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < n; i++)
    to[i] = from[i] + all;
}
int main(int argc, char **argv) {
  int rank, a[100];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 100; i++)
    a[i] = i + rank;
  shift(a + 50, a, 50);
  shift(a + 1, a, 99);
  shift(a, a, rank == 0 ? 100 : 10);
  printf("%d %d %d %d\n", rank, a[99], a[50], a[3]);
  MPI_Finalize();
  return 0;
}
