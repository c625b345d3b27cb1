// Numbers that only some elements set, sent on, read afterwards or neither.
#include <mpi.h>
#include <stdio.h>
#define N 8
int main(int argc, char **argv) {
  int rank, size, wrong = 0, last = -1, kept = 100;
  double limit = 0, data[N], largest = -1.5;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < N; i++)
    data[i] = rank + i * 0.5;
  double mine = data[N - 1];
  kept += rank;
  MPI_Allreduce(&mine, &limit, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < N; i++)
    if (data[i] >= limit) {
      wrong = 1;
      last = i;
      kept = i;
      largest = data[i];
    }
  int any;
  MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("%d: %d %d %d %d %g\n", rank, any, wrong, last, kept, largest);
  MPI_Finalize();
}
