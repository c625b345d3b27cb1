// Row-wise matrix-vector product with std::vector.
#include <cstdio>
#include <mpi.h>
#include <vector>

using Vector = std::vector<double>;

static Vector multiply(const Vector &A, const Vector &x, int rows, int n) {
  Vector y(rows, 0.0);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < n; ++j)
      y[i] += A[i * n + j] * x[j];
  return y;
}

int main(int argc, char *argv[]) {
  MPI_Init(&argc, &argv);
  int world_size, world_rank;
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  const int n = 16 * world_size, rows = 16;
  Vector A(rows * n), x_local(rows), x(n), result;
  for (int i = 0; i < rows; i++) {
    x_local[i] = world_rank + 0.5 * i;
    for (int j = 0; j < n; j++)
      A[i * n + j] = 1.0 / (1 + ((i + j) % 7));
  }
  if (world_rank == 0)
    result.resize(n);
  double t0 = MPI_Wtime();
  MPI_Allgather(x_local.data(), rows, MPI_DOUBLE, x.data(), rows, MPI_DOUBLE, MPI_COMM_WORLD); /*@x*/
  Vector y(rows);
  for (int i = 0; i < rows; ++i) {
    double sum = 0.0;
    for (int j = 0; j < n; ++j)
      sum += A[i * n + j] * x[j];
    y[i] = sum;
  }
  MPI_Gather(y.data(), rows, MPI_DOUBLE, result.data(), rows, MPI_DOUBLE, 0, MPI_COMM_WORLD); /*@y*/
  double t1 = MPI_Wtime();
  if (world_rank == 0) {
    std::fprintf(stderr, "elapsed %g\n", t1 - t0);
    double trace = 0;
    for (int i = 0; i < n; i++)
      trace += result[i];
    std::printf("sum of the product %g\n", trace);
  }

  // The same with a function that returns the product.
  MPI_Bcast(x.data(), n, MPI_DOUBLE, 0, MPI_COMM_WORLD); /*@vector*/
  Vector z = multiply(A, x, rows, n);
  double part = 0;
  for (double value : z)
    part += value;
  double whole = 0;
  MPI_Allreduce(&part, &whole, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); /*@whole*/
  if (world_rank == world_size - 1)
    std::printf("whole %g\n", whole);
  MPI_Finalize();
}
