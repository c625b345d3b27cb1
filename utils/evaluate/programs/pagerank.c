/* PageRank on a ring of pages with shortcuts: the ranks of all pages are gathered and multiplied
 * with a process's rows (Allgather_op, a multiply-accumulate). */
#include <mpi.h>
#include <stdio.h>

#define LOCAL 8
#define MAX_PAGES (LOCAL * 128)
#define LINKS 4
#define STEPS 20

int main(int argc, char **argv) {
  static double all[MAX_PAGES];
  double mine[LOCAL], total = 0;
  int from[LOCAL][LINKS], rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int pages = LOCAL * size;
  if (pages > MAX_PAGES)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < LOCAL; i++) {
    mine[i] = 1.0 / pages;
    for (int k = 0; k < LINKS; k++)
      from[i][k] = (rank * LOCAL + i + 1 + k * k * 7) % pages;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  double start = MPI_Wtime();
  for (int step = 0; step < STEPS; step++) {
    MPI_Allgather(mine, LOCAL, MPI_DOUBLE, all, LOCAL, MPI_DOUBLE, MPI_COMM_WORLD);
    for (int i = 0; i < LOCAL; i++) {
      double sum = 0.0;
      for (int k = 0; k < LINKS; k++)
        sum += all[from[i][k]] * (1.0 / LINKS);
      mine[i] = 0.15 / pages + 0.85 * sum * (1.0 + i % 3 * 0.125);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  double time = (MPI_Wtime() - start) * 1e6;
  MPI_Reduce(&mine[1], &total, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0)
    printf("%.3f us, check %.15g\n", time, total);
  MPI_Finalize();
  return 0;
}
