// Largest eigenvalue of a matrix in blocks of rows.
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <mpi.h>
#include <vector>

struct Config {
  int rank = 0, size = 1, rows = 0, n = 0;
};

static double dot(const std::vector<double> &a, const std::vector<double> &b) {
  double local = 0;
  for (size_t i = 0; i < a.size(); i++)
    local += a[i] * b[i];
  double global;
  MPI_Allreduce(&local, &global, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /*@dot*/
  return global;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  Config c;
  MPI_Comm_rank(MPI_COMM_WORLD, &c.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &c.size);
  c.rows = 12;
  c.n = c.rows * c.size;
  std::vector<double> A(c.rows * c.n), v(c.rows, 1.0), w(c.rows), full(c.n);
  for (int i = 0; i < c.rows; i++)
    for (int j = 0; j < c.n; j++)
      A[i * c.n + j] = 1.0 / (1.0 + std::abs(i + c.rank * c.rows - j));
  double lambda = 0;
  for (int iteration = 0; iteration < 20; iteration++) {
    MPI_Allgather(&v[0], c.rows, MPI_DOUBLE, &full[0], c.rows, MPI_DOUBLE, MPI_COMM_WORLD); /*@full*/
    double local_norm = 0.0, norm;
    for (int i = 0; i < c.rows; i++) {
      w[i] = 0.0;
      for (int j = 0; j < c.n; j++)
        w[i] += A[i * c.n + j] * full[j];
      local_norm += w[i] * w[i];
    }
    MPI_Allreduce(&local_norm, &norm, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /*@norm*/
    norm = std::sqrt(norm);
    for (int i = 0; i < c.rows; i++)
      v[i] = w[i] / norm;
    lambda = norm;
  }
  double check = dot(v, v); /*@check*/
  if (c.rank == 0)
    std::cout << std::setprecision(8) << lambda << " " << check << std::endl;
  MPI_Finalize();
  return 0;
}
