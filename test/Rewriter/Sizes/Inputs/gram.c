#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int m = 5, rows = 10 + rank;
  double *A = malloc(sizeof(double) * rows * m), *G = malloc(sizeof(double) * m * m),
         *mean = malloc(sizeof(double) * m), *sum = calloc(m, sizeof(double)),
         *all = malloc(sizeof(double) * m * m);
  long total = 0, mine = rows;
  for (int i = 0; i < rows * m; i++)
    A[i] = (i * 3 + rank) % 8;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < m; j++)
      sum[j] += A[i * m + j];
  MPI_Allreduce(&mine, &total, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(sum, mean, m, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int j = 0; j < m; j++)
    mean[j] /= total;
  for (int a = 0; a < m; a++)
    for (int b = 0; b < m; b++) {
      double s = 0;
      for (int i = 0; i < rows; i++)
        s += (A[i * m + a] - mean[a]) * (A[i * m + b] - mean[b]);
      G[a * m + b] = s;
    }
  MPI_Allreduce(G, all, m * m, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0)
    for (int i = 0; i < m * m; i++)
      printf("%.10g\n", all[i]);
  MPI_Finalize();
  return 0;
}
