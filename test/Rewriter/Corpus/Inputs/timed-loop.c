/* A benchmark of a collective: nothing is computed from what it brings. */
#include "parts.h"
double validate(char *buffer, int size);
int main(int argc, char **argv) {
  int i, rank, size, n, skip = 10;
  char *send, *recv;
  double start, stop, timer = 0, latency, min, max, avg, errors = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  send = malloc(1 << 20);
  recv = malloc(1 << 20);
  for (n = 1; n <= 1 << 18; n *= 2) {
    MPI_Barrier(MPI_COMM_WORLD);
    timer = 0.0;
    for (i = 0; i < 100 + skip; i++) {
      if (i == skip)
        MPI_Barrier(MPI_COMM_WORLD);
      start = MPI_Wtime();
      MPI_Allreduce(send, recv, n, MPI_CHAR, MPI_SUM, MPI_COMM_WORLD); /*@timed*/
      stop = MPI_Wtime();
      errors += validate(recv, n);
      if (i >= skip)
        timer += stop - start;
      MPI_Barrier(MPI_COMM_WORLD);
    }
    latency = timer * 1e6 / 100;
    MPI_Reduce(&latency, &min, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD); /*@min*/
    MPI_Reduce(&latency, &max, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD); /*@max*/
    MPI_Reduce(&latency, &avg, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD); /*@avg*/
    avg = avg / size;
    if (rank == 0)
      printf("%d %f %f %f %f\n", n, min, max, avg, errors);
  }
  MPI_Finalize();
  return 0;
}
