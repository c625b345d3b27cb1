/* Breadth-first search: the frontier is joined, then neighbours of own vertices. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int rank, size, n = 48, degree = 3;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int each = n / size, first = rank * each;
  int *edge = malloc(each * degree * sizeof(int)), *next = malloc(n * sizeof(int));
  int *level = malloc(n * sizeof(int)), *front = malloc(n * sizeof(int));
  for (int v = 0; v < each; v++)
    for (int k = 0; k < degree; k++)
      edge[v * degree + k] = ((first + v) * (2 * k + 3) + 7 * k + 1) % n;
  for (int v = 0; v < n; v++) {
    level[v] = v == 0 ? 0 : -1;
    front[v] = v == 0;
  }
  for (int depth = 1, left = 1; left && depth < 10; depth++) {
    memset(next, 0, n * sizeof(int));
    for (int v = 0; v < each; v++)
      if (front[first + v])
        for (int k = 0; k < degree; k++)
          next[edge[v * degree + k]] = 1;
    MPI_Allreduce(next, front, n, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    left = 0;
    for (int v = 0; v < n; v++) {
      if (front[v] && level[v] < 0) {
        level[v] = depth;
        left++;
      } else {
        front[v] = 0;
      }
    }
  }
  for (int v = first; v < first + each; v++)
    printf("%d %d\n", v, level[v]);
  free(edge);
  free(next);
  free(level);
  free(front);
  MPI_Finalize();
  return 0;
}
