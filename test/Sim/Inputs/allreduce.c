// Calls of MPI_Allreduce whose results are known; says what one takes.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  int rank, size, wrong = 0;
  const int calls = argc > 1 ? atoi(argv[1]) : 10, count = argc > 2 ? atoi(argv[2]) / 8 : 8;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double *give = malloc(sizeof(double) * count), *get = malloc(sizeof(double) * count), begin = 0;
  for (int call = -1; call < calls; ++call) {
    if (call == 0)
      begin = MPI_Wtime();
    for (int i = 0; i < count; ++i)
      give[i] = rank + i + call;
    MPI_Allreduce(give, get, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count; ++i)
      wrong += get[i] != size * (size - 1) / 2.0 + (double)size * (i + call);
  }
  const double time = (MPI_Wtime() - begin) / calls;
  if (rank == 0)
    printf("%d ranks, %d bytes: %.3f us, %d wrong\n", size, count * 8, time * 1e6, wrong);
  MPI_Finalize();
  return wrong != 0;
}
