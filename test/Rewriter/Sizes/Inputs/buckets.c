#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* bucket counts, then who gets how many */
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int nb = 32, n = 300;
  int *keys = malloc(n * sizeof(int)), *count = calloc(nb, sizeof(int)),
      *total = malloc(nb * sizeof(int)), *sendc = malloc(size * sizeof(int)),
      *recvc = malloc(size * sizeof(int));
  for (int i = 0; i < n; i++)
    keys[i] = (i * 31 + rank * 17) % 256;
  for (int i = 0; i < n; i++)
    count[keys[i] * nb / 256]++;
  MPI_Allreduce(count, total, nb, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  memset(sendc, 0, size * sizeof(int));
  int sum = 0, owner = 0;
  for (int b = 0; b < nb; b++) {
    sum += total[b];
    sendc[owner] += count[b];
    if (sum >= (owner + 1) * n && owner < size - 1)
      owner++;
  }
  MPI_Alltoall(sendc, 1, MPI_INT, recvc, 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < size; r++)
    printf("%d %d %d\n", rank, r, recvc[r]);
  MPI_Finalize();
  return 0;
}
