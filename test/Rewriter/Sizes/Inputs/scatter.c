#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int rank, size, each = argc > 1 ? atoi(argv[1]) : 30;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  float *all = NULL, *means = NULL;
  if (rank == 0) {
    all = malloc(sizeof(float) * each * size);
    for (int i = 0; i < each * size; i++)
      all[i] = (i * 13) % 17;
    means = malloc(sizeof(float) * size);
  }
  float *mine = (float *)malloc(sizeof(float) * each);
  MPI_Scatter(all, each, MPI_FLOAT, mine, each, MPI_FLOAT, 0, MPI_COMM_WORLD);
  float sum = 0.f;
  int i;
  for (i = 0; i < each; i++)
    sum += mine[i];
  float mean = sum / each;
  MPI_Gather(&mean, 1, MPI_FLOAT, means, 1, MPI_FLOAT, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (int r = 0; r < size; r++)
      printf("%f\n", means[r]);
  MPI_Finalize();
  return 0;
}
