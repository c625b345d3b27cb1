// What a lambda does counts where it is called: by name, by an algorithm, inside another one.
// RUN: acisc --mpi --dry-run %s 2>&1 | FileCheck %s
#include <algorithm>
#include <cstdio>
#include <mpi.h>
#include <numeric>
#include <vector>

template <class F> void forEach(std::vector<double> &values, F f) {
  for (std::size_t i = 0; i < values.size(); i++)
    values[i] = f(values[i]);
}

int main(int argc, char **argv) {
  std::vector<double> x(64), y(64);
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::iota(x.begin(), x.end(), rank);
  double local = std::accumulate(x.begin(), x.end(), 0.0), total = 0, calls = 0, all = 0;
  auto shift = [&](double by) {
    for (auto &value : x)
      value -= by;
  };
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: rewritten
  MPI_Allreduce(&local, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  shift(total / 64);
  double most = *std::max_element(x.begin(), x.end());
  MPI_Allreduce(&most, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  std::printf("%d %g\n", rank, all);

  // The lambda of a library function writes what it captured by reference.
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+6]]: rewritten
  MPI_Allreduce(x.data(), y.data(), 64, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  std::transform(y.begin(), y.end(), x.begin(), x.begin(), [&calls](double a, double b) {
    calls += 1;
    return a / 2 + b;
  });
  MPI_Allreduce(&calls, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  std::printf("%d %g %g\n", rank, all, x[3]);

  // CHECK: :[[#@LINE+1]]:3: remark: semi-fused Allreduce_op: rewritten
  MPI_Allreduce(&local, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  forEach(y, [total](double value) { return value / total; });
  std::printf("%d %g\n", rank, y[5]);

  // Iterators are followed to their container.
  // CHECK: :[[#@LINE+1]]:3: remark: fused Allreduce_op_Allreduce to line [[#@LINE+4]]: rewritten
  MPI_Allreduce(x.data(), y.data(), 64, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  for (auto it = y.begin(); it != y.end(); ++it)
    local += *it;
  MPI_Allreduce(&local, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  std::printf("%d %g\n", rank, all);
  MPI_Finalize();
  return 0;
}
