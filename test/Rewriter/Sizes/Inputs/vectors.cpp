#include <cstdio>
#include <mpi.h>
#include <vector>
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<double> x(20), all(20 * size), y(30 + rank, 1.0);
  for (std::size_t i = 0; i < x.size(); i++)
    x[i] = i + rank;
  MPI_Allgather(x.data(), 20, MPI_DOUBLE, all.data(), 20, MPI_DOUBLE, MPI_COMM_WORLD);
  for (std::size_t i = 0; i < y.size(); i++)
    for (std::size_t j = 0; j < all.size(); j++)
      y[i] += all[j] * double(i + j);
  std::printf("%d %.15g\n", rank, y[7]);
  MPI_Finalize();
}
