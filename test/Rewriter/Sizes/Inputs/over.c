#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
/* sizes from 0 to beyond any capacity, different on each rank; arrays exactly as long as used */
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int sizes[] = {0, 1, 17, 700, 100000};
  for (int t = 0; t < 5; t++) {
    int n = sizes[t] + (t == 3 && rank == 1 ? 2000 : 0);
    double *x = malloc(n * sizeof(double)), sum = 0, all = 0;
    for (int i = 0; i < n; i++)
      sum += x[i] = i % 10;
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++)
      x[i] = x[i] / (1 + all);
    double check = 0;
    for (int i = 0; i < n; i++)
      check += x[i] * (i % 7);
    printf("%d %d %.15g\n", rank, t, check);
    free(x);
  }
  MPI_Finalize();
  return 0;
}
