// The first match: what is not found keeps the value from before the op.
#include <mpi.h>
#include <stdio.h>
#define N 8
int main(int argc, char **argv) {
  int rank, size, wanted = 0, found = 0, place = -1;
  int data[N], all[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < N; i++)
    data[i] = 10 * rank + i;
  if (rank == 0)
    wanted = 15;
  MPI_Bcast(&wanted, 1, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++) {
    if (data[i] == wanted) {
      found = 1;
      place = i;
      break;
    }
  }
  MPI_Gather(&found, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
  printf("%d: %d %d\n", rank, found, place);
  if (rank == 0)
    for (int i = 0; i < size; i++)
      printf("all %d: %d\n", i, all[i]);
  MPI_Finalize();
}
