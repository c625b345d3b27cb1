// The place and the size of a container are not what is written to its elements: buffers of a
// second collective may be containers that the op fills, if it does not make them another size.
#include <algorithm>
#include <cstdio>
#include <mpi.h>
#include <vector>
int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<double> x(64), y(64), z(64), all(64 * size);
  for (int i = 0; i < 64; i++)
    x[i] = rank + i;
  MPI_Allreduce(x.data(), y.data(), y.size(), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (size_t i = 0; i < y.size(); i++)
    z[i] = y[i] * x[i];
  MPI_Allgather(z.data(), z.size(), MPI_DOUBLE, all.data(), z.size(), MPI_DOUBLE, MPI_COMM_WORLD);
  printf("%d %g\n", rank, all[7]);
  MPI_Allreduce(x.data(), y.data(), y.size(), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (size_t i = 0; i < y.size(); i++)
    if (y[i] > 10)
      z.push_back(y[i]);
  MPI_Allgather(z.data(), 64, MPI_DOUBLE, all.data(), 64, MPI_DOUBLE, MPI_COMM_WORLD);
  printf("%d %g\n", rank, all[7]);
  MPI_Allreduce(x.data(), y.data(), 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    y[i] *= 2;
  std::swap(y, z);
  MPI_Allgather(z.data(), 64, MPI_DOUBLE, all.data(), 64, MPI_DOUBLE, MPI_COMM_WORLD);
  printf("%d %g\n", rank, all[7]);
  MPI_Allreduce(x.data(), y.data(), 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    y[i] *= 2;
  y.swap(z);
  MPI_Allgather(z.data(), 64, MPI_DOUBLE, all.data(), 64, MPI_DOUBLE, MPI_COMM_WORLD);
  printf("%d %g\n", rank, all[7]);
  MPI_Allreduce(x.data(), y.data(), 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  std::transform(y.begin(), y.end(), z.begin(), [](double v) { return v * 2; });
  z = y;
  MPI_Allgather(z.data(), 64, MPI_DOUBLE, all.data(), 64, MPI_DOUBLE, MPI_COMM_WORLD);
  printf("%d %g\n", rank, all[7]);
  double a = rank, b = 2;
  MPI_Allreduce(x.data(), y.data(), 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 64; i++)
    a += y[i];
  std::swap(a, b);
  double after = b;
  for (int i = 0; i < 64; i++)
    z[i] = y[i] + after;
  MPI_Allgather(z.data(), 64, MPI_DOUBLE, all.data(), 64, MPI_DOUBLE, MPI_COMM_WORLD);
  printf("%d %g %g\n", rank, all[7], a);
  MPI_Finalize();
}
