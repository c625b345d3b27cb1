#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
/* variance of a block with remainder, n from the command line */
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  long n = argc > 1 ? atol(argv[1]) : 1001;
  long local = n / size + (rank < n % size);
  double *x = malloc(local * sizeof *x);
  double sum = 0, total, sq = 0, all;
  for (long i = 0; i < local; i++) {
    x[i] = (i * 7 + rank * 3) % 11;
    sum += x[i];
  }
  MPI_Allreduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  double mean = total / n;
  for (long i = 0; i < local; i++)
    sq += (x[i] - mean) * (x[i] - mean);
  MPI_Reduce(&sq, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%f %f\n", mean, all / n);
  MPI_Finalize();
  return 0;
}
