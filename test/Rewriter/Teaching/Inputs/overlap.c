/* Non-blocking collectives, and in place at the root. */
#include <mpi.h>
#include <stdio.h>
#define N 40
int main(int argc, char **argv) {
  int rank, size;
  double a[N], b[N], part = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < N; i++)
    a[i] = i + rank;
  MPI_Iallreduce(a, b, N, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request); /*@start*/
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < N; i++)
    a[i] = b[i] / size;
  MPI_Reduce(rank == 0 ? MPI_IN_PLACE : a, a, N, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); /*@root*/
  if (rank == 0) {
    for (int i = 0; i < N; i++)
      part += a[i];
    printf("sum %g\n", part);
  }
  for (int i = 0; i < N; i += 8) {
    double piece = b[i], total;
    MPI_Allreduce(&piece, &total, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); /*@piece*/
    b[i] = total;
  }
  if (rank == size - 1)
    printf("b %g\n", b[8]);
  MPI_Finalize();
  return 0;
}
