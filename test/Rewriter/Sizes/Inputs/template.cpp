#include <cmath>
#include <cstdio>
#include <mpi.h>
#include <vector>
template <typename T> static T norm2(const T *x, int n) {
  T s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return s;
}
int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int n = 40 + rank;
  double *x = new double[n], *y = new double[n];
  for (int i = 0; i < n; ++i)
    x[i] = i % 5 + rank, y[i] = 0;
  double local = norm2(x, n), global = 0;
  MPI_Allreduce(&local, &global, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  const double scale = 1.0 / std::sqrt(global);
  for (int i = 0; i < n; ++i)
    y[i] = static_cast<double>(x[i]) * scale;
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += y[i] * (i + 1);
  std::printf("%d %.15g\n", rank, s);
  delete[] x;
  delete[] y;
  MPI_Finalize();
}
