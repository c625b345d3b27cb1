#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  long n = 64 + rank, *a = malloc(n * sizeof(long)), *p = malloc(n * sizeof(long));
  long sum = 0, before = 0;
  for (long i = 0; i < n; i++)
    sum += a[i] = i * i % 13 + 5000000000L;
  MPI_Scan(&sum, &before, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  long run = before - sum;
  for (long i = 0; i < n; i++) {
    run += a[i];
    p[i] = run;
  }
  printf("%d %ld %ld\n", rank, p[0], p[n - 1]);
  MPI_Finalize();
  return 0;
}
