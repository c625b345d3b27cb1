#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int each = 12, n = each * size;
  int *start = malloc((each + 1) * sizeof(int)), *from = malloc(4 * each * sizeof(int)),
      *degree = malloc(n * sizeof(int));
  float *mine = malloc(each * sizeof(float)), *pr = malloc(n * sizeof(float));
  int used = 0;
  for (int v = 0; v < n; v++)
    degree[v] = 4;
  for (int v = 0; v < each; v++) {
    start[v] = used;
    for (int e = 0; e < 4; e++)
      from[used++] = ((rank * each + v) * 7 + e * 5) % n;
    mine[v] = 1.0f / n;
  }
  start[each] = used;
  for (int t = 0; t < 4; t++) {
    MPI_Allgather(mine, each, MPI_FLOAT, pr, each, MPI_FLOAT, MPI_COMM_WORLD);
    for (int v = 0; v < each; v++) {
      float s = 0;
      for (int e = start[v]; e < start[v + 1]; e++)
        s += pr[from[e]] / degree[from[e]];
      mine[v] = 0.15f / n + 0.85f * s;
    }
  }
  for (int v = 0; v < each; v += 5)
    printf("%d %.9g\n", rank * each + v, mine[v]);
  MPI_Finalize();
  return 0;
}
