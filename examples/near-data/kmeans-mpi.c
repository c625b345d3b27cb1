/* The same with plain MPI: every rank has points, and computes on them. */
#include "kmeans-host.h"

#include <mpi.h>

int main(int argc, char **argv) {
  struct point centres[CENTRES], *points = NULL, *mine = malloc(EACH * sizeof *mine);
  struct sums partial[CENTRES], sums[CENTRES];
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0)
    points = make_points(EACH * size, centres);
  MPI_Scatter(points, 2 * EACH, MPI_INT, mine, 2 * EACH, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Bcast(centres, 2 * CENTRES, MPI_INT, 0, MPI_COMM_WORLD);
  for (int i = 0; i < STEPS; i++) {
    add_points(mine, EACH, centres, partial);
    MPI_Allreduce(partial, sums, 3 * CENTRES, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    move_centres(centres, sums);
  }
  if (rank == 0)
    print_centres(centres);
  MPI_Finalize();
  free(points);
  free(mine);
  return 0;
}
