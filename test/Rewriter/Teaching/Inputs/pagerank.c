/* PageRank, push style: contributions to all pages are summed over the ranks. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAMPING 0.85

typedef struct {
  int from, to;
} edge_t;

int main(int argc, char **argv) {
  int rank, size, pages = 60, edges = 240, iter;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int first = (int)((long)edges * rank / size), last = (int)((long)edges * (rank + 1) / size);
  edge_t *edge = malloc(edges * sizeof(edge_t));
  int *degree = calloc(pages, sizeof(int));
  double *pr = malloc(pages * sizeof(double)), *next = malloc(pages * sizeof(double));
  for (int e = 0; e < edges; e++) {
    edge[e].from = (e * 17) % pages;
    edge[e].to = (e * e + 3) % pages;
    degree[edge[e].from]++;
  }
  for (int i = 0; i < pages; i++)
    pr[i] = 1.0 / pages;
  double delta = 1;
  for (iter = 0; iter < 40 && delta > 1e-6; iter++) {
    memset(next, 0, pages * sizeof(double));
    for (int e = first; e < last; e++)
      next[edge[e].to] += pr[edge[e].from] / degree[edge[e].from];
    MPI_Allreduce(MPI_IN_PLACE, next, pages, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /*@push*/
    delta = 0;
    for (int i = 0; i < pages; i++) {
      double value = (1 - DAMPING) / pages + DAMPING * next[i];
      delta += fabs(value - pr[i]);
      pr[i] = value;
    }
  }
  if (rank == 0)
    printf("%d iterations, page 3: %.8f\n", iter, pr[3]);

  /* Only the dangling mass is global: one number, then a local update. */
  double dangling = 0, sum = 0;
  int mine = pages / size;
  for (int i = rank * mine; i < (rank + 1) * mine; i++)
    if (degree[i] < 4)
      dangling += pr[i];
  MPI_Allreduce(&dangling, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /*@dangling*/
  double share = DAMPING * sum / pages;
  for (int i = rank * mine; i < (rank + 1) * mine; i++)
    pr[i] += share;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, pr, mine, MPI_DOUBLE, MPI_COMM_WORLD); /*@ranks*/
  if (rank == size - 1)
    printf("page 5: %.8f\n", pr[5]);
  free(edge);
  free(degree);
  MPI_Finalize();
  return 0;
}
