#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
/* each rank works on its block of an array that all have */
int main(int argc, char **argv) {
  int rank, size, n = 240;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int *data = malloc(n * sizeof(int)), *res = malloc(size * sizeof(int));
  for (int i = 0; i < n; i++)
    data[i] = rank ? 0 : (i * 17) % 31;
  MPI_Bcast(data, n, MPI_INT, 0, MPI_COMM_WORLD);
  int start = rank * (n / size), end = start + n / size, sum = 0;
  for (int i = start; i < end; i++)
    sum += data[i] * data[i];
  MPI_Gather(&sum, 1, MPI_INT, res, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 0)
    for (int r = 0; r < size; r++)
      printf("%d\n", res[r]);
  MPI_Finalize();
  return 0;
}
