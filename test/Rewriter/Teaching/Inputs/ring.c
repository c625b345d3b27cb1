/* A token round a ring, latency of messages, barriers: nothing to fuse. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  int rank, size, token, i;
  char buffer[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank != 0) {
    MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    token = -1;
  }
  MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD);
  if (rank == 0)
    MPI_Recv(&token, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  double start = MPI_Wtime();
  for (i = 0; i < 100; i++)
    MPI_Barrier(MPI_COMM_WORLD);
  double mine = MPI_Wtime() - start, slowest, fastest, mean;
  MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD); /*@max*/
  MPI_Reduce(&mine, &fastest, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD); /*@min*/
  MPI_Reduce(&mine, &mean, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); /*@mean*/
  if (rank == 0) {
    mean /= size;
    fprintf(stderr, "barrier %g %g %g\n", slowest, fastest, mean);
  }
  if (rank == 0)
    strcpy(buffer, "hello from the root");
  MPI_Bcast(buffer, 64, MPI_CHAR, 0, MPI_COMM_WORLD); /*@hello*/
  printf("rank %d: %s, token %d\n", rank, buffer, token);
  MPI_Finalize();
  return 0;
}
