// Averages along rows and columns of a grid of processes.
#include <cstdio>
#include <mpi.h>
#include <vector>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int columns = size % 2 ? 1 : 2;
  MPI_Comm rowComm, columnComm;
  MPI_Comm_split(MPI_COMM_WORLD, rank / columns, rank, &rowComm);
  MPI_Comm_split(MPI_COMM_WORLD, rank % columns, rank, &columnComm);
  std::vector<double> tile(20), sums(20), totals(20);
  for (int i = 0; i < 20; i++)
    tile[i] = (i * 3 + rank) % 8;

  MPI_Allreduce(tile.data(), sums.data(), 20, MPI_DOUBLE, MPI_SUM, rowComm); /*@row*/
  for (int i = 0; i < 20; i++)
    tile[i] = tile[i] * 2 - sums[i] / columns;
  MPI_Allreduce(tile.data(), totals.data(), 20, MPI_DOUBLE, MPI_SUM, columnComm); /*@column*/
  for (int i = 0; i < 20; i++)
    tile[i] += totals[i];

  MPI_Reduce(tile.data(), sums.data(), 20, MPI_DOUBLE, MPI_SUM, 0, rowComm); /*@torow*/
  for (int i = 0; i < 20; i++)
    totals[i] = sums[i] + 1;
  double local = 0, all;
  for (int i = 0; i < 20; i++)
    local += tile[i];
  MPI_Allreduce(&local, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /*@all*/
  if (rank == 0)
    std::printf("%g %g\n", all, totals[3]);
  MPI_Comm_free(&rowComm);
  MPI_Comm_free(&columnComm);
  MPI_Finalize();
}
