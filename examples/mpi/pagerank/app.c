/* Steps of PageRank on a ring of pages with shortcuts. Each process has the rows of its pages;
 * the ranks of all pages are gathered (Allgather) and multiplied with them (the op, a
 * multiply-accumulate). Allgather_op. */
#include <mpi.h>
#include <stdio.h>

#define LOCAL 32
#define MAX_PAGES (LOCAL * 16)
#define LINKS 4

int main(int argc, char **argv) {
  static double all[MAX_PAGES];
  double mine[LOCAL];
  int from[LOCAL][LINKS], rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int pages = LOCAL * size;
  if (pages > MAX_PAGES) {
    fprintf(stderr, "pagerank: at most %d processes\n", MAX_PAGES / LOCAL);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  for (int i = 0; i < LOCAL; i++) {
    mine[i] = 1.0 / pages;
    for (int k = 0; k < LINKS; k++)
      from[i][k] = (rank * LOCAL + i + 1 + k * k * 7) % pages;
  }
  for (int step = 0; step < 10; step++) {
    MPI_Allgather(mine, LOCAL, MPI_DOUBLE, all, LOCAL, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int i = 0; i < LOCAL; i++) {
      double sum = 0.0;
      for (int k = 0; k < LINKS; k++)
        sum += all[from[i][k]] * (1.0 / LINKS);
      mine[i] = 0.15 / pages + 0.85 * sum * (1.0 + i % 3 * 0.125);
    }
  }
  printf("process %d: %.15g %.15g\n", rank, mine[0], mine[LOCAL - 1]);
  MPI_Finalize();
  return 0;
}
