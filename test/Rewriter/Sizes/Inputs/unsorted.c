// An index that is read from memory, and memory in which it is out of bounds on one rank where
// the plain program does not look.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int rank, n = 50, m = 64;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  unsigned *place = malloc(n * sizeof(unsigned));
  float *from = malloc(m * sizeof(float)), *to = malloc(n * sizeof(float)), mine = rank, all;
  for (int turn = 0; turn < 2; turn++) {
    for (int i = 0; i < n; i++)
      place[i] = (i * 7) % m;
    if (turn == 1 && rank == 0)
      place[9] = 4000000000u;
    for (int i = 0; i < m; i++)
      from[i] = i;
    MPI_Allreduce(&mine, &all, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
      if (i != 9)
        to[i] = from[place[i]] + all;
      else
        to[i] = all;
    printf("%d %g %g\n", rank, to[9], to[49]);
  }
  MPI_Finalize();
  return 0;
}
